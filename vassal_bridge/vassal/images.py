"""Find an image of a module and measure it.

A board's size is that of its image, and sizes decide where boards lie and how descending columns count. Only the
header of an image is read.
"""

from __future__ import annotations

import io
import re
import struct
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence

from lxml import etree
from PIL import Image
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile

from vassal_bridge.vassal.geometry import Size

__all__ = ["find_image", "measure_image"]

_Entry = Callable[[str], bytes | None]

# Pillow refuses very large pictures on opening, for fear of unpacking them; these classes only read the header.
_READERS: tuple[tuple[bytes, Callable[[io.BytesIO], Image.Image]], ...] = (
    (b"\x89PNG\r\n\x1a\n", PngImageFile),
    (b"GIF8", GifImageFile),
    (b"\xff\xd8", JpegImageFile),
    (b"BM", BmpImageFile),
)
_UNREADABLE = (OSError, SyntaxError, ValueError, EOFError, struct.error, IndexError, KeyError, TypeError, OverflowError)
_LENGTH = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(?:px)?\s*")


def find_image(name: str, sources: Sequence[_Entry]) -> bytes | None:
    """Look an image up as the engine does: name as it is, decomposed accents, ``.gif`` appended; module first.

    Accents composed otherwise than in the name are tried too. Leaves out: the engine's own icons, which no board uses,
    and translated images.
    """
    return next((content for form in _forms(name) for entry in sources if (content := entry(form)) is not None), None)


def measure_image(content: bytes) -> Size | None:
    """Read the width and height of a PNG, GIF, JPEG, BMP or SVG image in pixels; ``None`` for anything else."""
    if content.lstrip()[:1] == b"<":
        return _measure_svg(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = next((reader for magic, reader in _READERS if content.startswith(magic)), None)
            if reader is None:
                return None
            with reader(io.BytesIO(content)) as image:
                width, height = image.size
    except (*_UNREADABLE, Image.DecompressionBombError):
        return None
    return (width, height) if width > 0 and height > 0 else None


def _forms(name: str) -> Iterator[str]:
    for form in dict.fromkeys((name, unicodedata.normalize("NFD", name), unicodedata.normalize("NFC", name))):
        yield f"images/{form}"
    yield f"images/{name}.gif"


def _measure_svg(content: bytes) -> Size | None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    lengths = [_LENGTH.fullmatch(root.get(key, "")) for key in ("width", "height")]
    numbers = [float(length[1]) for length in lengths if length]
    if len(numbers) < 2:
        box = root.get("viewBox", "").replace(",", " ").split()
        if len(box) != 4 or not all(_LENGTH.fullmatch(part) for part in box[2:]):
            return None
        numbers = [float(part) for part in box[2:]]
    width, height = (int(number) for number in numbers)
    return (width, height) if width > 0 and height > 0 else None
