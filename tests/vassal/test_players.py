from __future__ import annotations

from vassal_bridge.vassal.players import Aliases


def test_an_id_inside_a_text_is_replaced_also_where_one_begins_another() -> None:
    aliases = Aliases()
    assert [aliases.alias(each) for each in ("anna", "annabel", "anna")] == ["P1", "P2", "P1"]
    assert aliases.redact("annabel gave it to anna") == "P2 gave it to P1"


def test_an_id_met_later_is_replaced_from_then_on() -> None:
    aliases = Aliases()
    assert aliases.redact("sesame") == "sesame"
    aliases.alias("sesame")
    assert aliases.redact("open sesame") == "open P1"


def test_a_name_that_is_an_id_too_stays_and_so_does_what_is_too_short_to_tell() -> None:
    aliases = Aliases()
    for each in ("Soviet", "12"):
        aliases.alias(each)
    aliases.publish("Soviet", None)
    assert aliases.redact("Soviet 12-4") == "Soviet 12-4"
