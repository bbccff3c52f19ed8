from __future__ import annotations

import lzma
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.errors import DecodeError, LimitError
from vassal_bridge.vassal.obfuscation import Encoding, conceal, reveal

# As the real engine writes the text with the key 5a.
ENGINE_TEXT = "begin_save\x1bé"
ENGINE_BYTES = b"!VCSK5a383f3d333405293b2c3f4199f3"


def test_engine_vector_both_ways() -> None:
    saved = reveal(ENGINE_BYTES)
    assert (saved.text, saved.encoding, saved.key, saved.damage) == (ENGINE_TEXT, Encoding.VCSK, 0x5A, None)
    assert conceal(ENGINE_TEXT, key=0x5A) == ENGINE_BYTES


def test_upper_case_digits() -> None:
    assert reveal(b"!VCSK5A383F3D333405293B2C3F4199F3").text == ENGINE_TEXT


def test_key_zero_leaves_the_text_in_hex() -> None:
    assert reveal(b"!VCSK00" + b"abc".hex().encode()).text == "abc"


def test_plain_text() -> None:
    saved = reveal(ENGINE_TEXT.encode())
    assert (saved.text, saved.encoding) == (ENGINE_TEXT, Encoding.PLAIN)


def test_vobs_is_raw() -> None:
    assert reveal(b"VOBS\x01" + bytes(byte ^ 1 for byte in b"begin_save")).text == "begin_save"


def test_vcsz_is_deflated_first() -> None:
    packed = zlib.compress(b"begin_save")
    assert reveal(b"!VCSZ03" + bytes(byte ^ 3 for byte in packed).hex().encode()).text == "begin_save"


def test_xz_stream() -> None:
    assert reveal(lzma.compress(b"begin_save", format=lzma.FORMAT_XZ)).text == "begin_save"


def test_padding_of_short_entries_goes() -> None:
    assert reveal(b"abc\0").text == "abc"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 64])
def test_chunks_of_any_size(size: int) -> None:
    chunks = [ENGINE_BYTES[start : start + size] for start in range(0, len(ENGINE_BYTES), size)]
    assert reveal(chunks).text == ENGINE_TEXT


@pytest.mark.parametrize(
    ("data", "place", "kept"),
    [
        (b"!VCSK", "byte 5", ""),
        (b"!VCSK5", "byte 5", ""),
        (b"!VCSKzz3839", "byte 5", ""),
        (b"!VCSK00616", "byte 9", "a"),
        (b"!VCSK0061626", "byte 11", "ab"),
        (b"!VCSK0061x2", "byte 9", "a"),
        (b"!VCSK00612x", "byte 10", "a"),
        (b"!VCSK0061 62", "byte 9", "a"),
        (b"VOBS", "byte 4", ""),
    ],
)
def test_damage_is_named_by_place_and_the_rest_is_kept(data: bytes, place: str, kept: str) -> None:
    with pytest.raises(DecodeError) as caught:
        reveal(data)
    assert caught.value.place == place
    saved = reveal(data, tolerant=True)
    assert saved.text == kept
    assert saved.damage


@pytest.mark.parametrize("cut", [1, 20, 40])
def test_broken_streams_keep_what_can_be_read(cut: int) -> None:
    content = b"begin_save" * 100
    for data in (lzma.compress(content)[:-cut], b"!VCSZ00" + zlib.compress(content)[: -min(cut, 15)].hex().encode()):
        with pytest.raises(DecodeError):
            reveal(data)
        saved = reveal(data, tolerant=True)
        assert content.decode().startswith(saved.text)
        assert saved.damage


def test_bytes_that_are_no_utf_8_become_replacement_characters_and_are_counted() -> None:
    saved = reveal(b"CHAT\xff\xfe!")
    assert saved.text == "CHAT��!"
    assert saved.replaced == 2


def test_packed_bombs_stop_at_the_limit() -> None:
    content = bytes(10_000_000)
    for data in (lzma.compress(content), b"!VCSZ00" + zlib.compress(content).hex().encode(), content):
        with pytest.raises(LimitError):
            reveal(data, limit=1_000_000)


def test_a_password_is_in_no_repr() -> None:
    assert "s3cret" not in repr(reveal(b"PLAYER\ts3cret\tBob\tAxis"))


def test_what_no_engine_reads_is_not_written() -> None:
    for encoding in (Encoding.VCSZ, Encoding.XZ):
        with pytest.raises(ValueError, match="never written"):
            conceal("text", encoding)


@given(st.text(), st.sampled_from([Encoding.VCSK, Encoding.VOBS]), st.integers(1, 255))
def test_reading_gives_back_what_was_written(text: str, encoding: Encoding, key: int) -> None:
    text = text.encode("utf-8", errors="ignore").decode()
    assert reveal(conceal(text, encoding, key=key)).text == text


@given(st.binary(max_size=200), st.sampled_from([b"", b"!VCSK", b"!VCSK5a", b"!VCSZ00", b"VOBS", b"\xfd7zXZ\0"]))
def test_any_bytes_end_in_a_text_or_in_one_error(data: bytes, head: bytes) -> None:
    try:
        reveal(head + data)
    except DecodeError as error:
        if not error.place:
            pytest.fail("the error does not say where")
    reveal(head + data, tolerant=True)
