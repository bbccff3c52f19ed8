"""Play the sample game: three game-turns of our schematic module, by both sides, in the real engine.

    python -m tests.engine.play_demo MODULE.vmod OUT_FOLDER

writes ``demo.vlog``, ``demo-end.vsav`` and ``demo.toml`` (what is planted). The log of record lies in
``modules/drive-on-stalingrad``; it is made once, since the engine gives its pieces other ids in every run.

What the game is for: two mistakes of each of four kinds, that a referee should see, and beside each something that
looks like it and is legal, that he should not. All else is legal; the umpire asserts it act by act. The set-up is none
of the rulebook's (far too few units); only the Front Line and the freeze of the rows from N29 on in the first turn are
kept.

The dice are fixed by the seed so that every result is in the part of the combat results table that the text states: a 1
in any column, a 2 up to 3:1. Where the position and the supply of units matter, the reasoning stands beside the act.
Supply: a German unit needs at most 14 points to a rail or city hex west of the Line; here the railroad Kursk - Voronezh
with its hexes N0747 and west, and the line Kharkov - Valuyki with N2151 and west. A Soviet unit needs an HQ within its
rating, the HQ at most 12 points to a Soviet rail hex with track to the northern edge (by Voronezh, Svobody, Tambov).
"""

from __future__ import annotations

import sys
from pathlib import Path

from vassal_bridge.datadirs import data_dir

from .client import Engine
from .table import DIRECTIVE_DIE, Note, Table
from .umpire import Umpire

__all__ = ["SEED", "play"]

# The dice of this seed: 1 1 1 1 2 1, 6, 1 1 1, 2, 6, 1 1, 2.
SEED = 1046259984

SET_UP = {
    # Row N05: 1st Guards holds the Line; Jaegers stand in its zone, two Panzer divisions behind them.
    "1 Gds": "N0546",
    "97 Jg, 299 Inf": "N0547",
    "15 Pz, 110 Pg, 111 Pg, 24 Pz, 21 Pg, 26 Pg": "N0548",
    # Rows N01 to N03: a division that will be cut off.
    "168 Inf": "N0248",
    "4 Tank": "N0143",
    "284 Rif": "N0343",
    # Voronezh, behind the Don: three divisions and their HQ.
    "13 Rif, 45 Rif, 227 Rif, Parsegov HQ": "N0841",
    # Rows N10 to N12.
    "57 Inf, 75 Inf, 88 Inf": "N1149",
    "79 Inf": "N1248",
    "60 Pg": "N1049",
    "156 Pg": "N1050",
    "62 Rif": "N1147",
    "160 Rif": "N1045",
    "Tchistykov HQ": "N1044",
    "17 Tank": "N1043",
    "28 Gds": "N1243",
    # Rows N15 and N16: the Hungarians.
    "6 Jg Hun, 7 Jg Hun": "N1550",
    "2 Hun HQ": "N1551",
    "121 Rif": "N1548",
    "81 Rif, 301 Rif, Tufanov HQ": "N1545",
    "124 Rif, 343 Rif": "N1544",
    "32 Cav": "N1543",
    # Rows N18 to N24, east of Kharkov: three divisions whose zones leave no gap from row N17 to row N25.
    "294 Inf, 377 Inf": "N2151",
    "169 Rif": "N1848",
    "15 Gds": "N2149",
    "212 Rif": "N2448",
    "Moskalenko HQ": "N2446",
    # No unit that fights.
    "Truck 1, Truck 2": "N0752",
    "VIII Air": "N0753",
    "2 Air": "N1340",
}


def play(engine: Engine, out: Path) -> Table:
    """Play the game and write log, last position and truth to ``out``."""
    table = Table(engine, Umpire(data_dir("modules") / "drive-on-stalingrad"))
    table.set_up(SET_UP)
    engine.do("beginlog", out / "demo.vlog")
    first_axis_turn(table)
    first_soviet_turn(table)
    second_axis_turn(table)
    second_soviet_turn(table)
    third_axis_turn(table)
    third_soviet_turn(table)
    engine.do("save", out / "demo-end.vsav")
    engine.do("endlog")
    (out / "demo.toml").write_text(HEAD + table.truth(), "utf-8")
    return table


HEAD = """# What is wrong in demo.vlog, and what only looks wrong. Written by tests/engine/play_demo.py.
# steps: first and last step of the log that the act took, counted from 1; a stack that is too large is told at the step
# that ends the phase. also: rules that the same act may be said to break as well.

"""


def first_axis_turn(table: Table) -> None:
    table.chat("Sample game: three game-turns on the schematic north sheet. Some moves are wrong on purpose.")
    table.next_phase("Axis Initial Movement")
    # Two complete Panzer divisions, 2 x (4+2+2) x 2 = 32, halved in an Overrun: 16 against 9. They began in one hex,
    # pay one point to N0547 and three for the Overrun; that N0547 is in the zone of the target is no obstacle (6.56a).
    table.move("15 Pz, 110 Pg, 111 Pg, 24 Pz, 21 Pg, 26 Pg", "N0547")
    table.attack(
        "!overrun N0547(15 Pz; 110 Pg; 111 Pg; 24 Pz; 21 Pg; 26 Pg) -> N0546",
        "15 Pz, 110 Pg, 111 Pg, 24 Pz, 21 Pg, 26 Pg",
        "N0546",
        column="1:1",
        die=1,
        overrun=True,
    )
    table.chat("D1: 1 Gds loses a step, stays, and is disrupted")
    table.next_face("1 Gds")
    table.disrupt("1 Gds", disrupted=True)
    table.move(
        "97 Jg",
        "N0747",
        near_misses=[Note(rule="8.22", text="began in the zone of 1 Gds, which is disrupted by now and has none")],
    )
    table.check_stack(
        "N0547",
        counts=3,
        near_miss=Note(rule="7.1a", text="seven counters, but each complete Panzer division counts as one"),
    )
    table.move("168 Inf", "N0245")
    table.move("57 Inf, 75 Inf, 88 Inf", "N1148")
    table.move("79 Inf", "N1247")
    table.move("60 Pg", "N1148")
    table.move("6 Jg Hun, 7 Jg Hun", "N1549")
    table.move("294 Inf", "N2150")
    table.move("Truck 1", "N0748")
    table.next_phase(
        "Axis Combat",
        violation=Note(rule="7.1a", text="three divisions and a regiment of an incomplete division: four units, no HQ"),
    )
    table.attack(
        "!attack N1148(57 Inf)+N1247(79 Inf) -> N1147 odds=4:1", "57 Inf, 79 Inf", "N1147", column="4:1", die=1
    )
    table.chat("D2: 62 Rif retreats two hexes")
    table.retreat("62 Rif", "N1146", "N1145")
    table.advance("79 Inf", "N1147")
    # 2nd Hungarian HQ (radius 5) is two hexes away.
    table.attack("!attack N1549 -> N1548 odds=2:1", "6 Jg Hun, 7 Jg Hun", "N1548", column="2:1", die=1)
    table.chat("D1: 121 Rif retreats one hex")
    table.retreat("121 Rif", "N1547")
    table.next_phase("Axis Mechanized/Cavalry Movement")
    table.move("60 Pg", "N1050")
    # Past the disrupted Guards to the Don; N0842 touches Soviet-held N0841 only across the river.
    table.move(
        "15 Pz, 110 Pg, 111 Pg",
        "N0743",
        "N0842",
        near_misses=[
            Note(rule="8.0", text="ends beside N0841, whose zone does not cross the Don, past disrupted 1 Gds")
        ],
    )
    table.next_phase("Axis Disruption Removal")
    table.next_phase("Axis Air Interdiction")


def first_soviet_turn(table: Table) -> None:
    table.next_phase("Soviet Initial Movement")
    # 168 Inf at N0245 has six neighbours: two take a Soviet unit each, the other four lie in their zones.
    table.move("4 Tank", "N0145")
    table.move("284 Rif", "N0346")
    # 79 Inf at N1147: N1046 and N1246 are taken, their zones cover N1047, N1146 and N1247; N1148 holds a full stack.
    table.move("17 Tank", "N1046")
    table.move("28 Gds", "N1246")
    table.move("301 Rif, 81 Rif", "N1548")
    table.move("62 Rif", "N1045")
    table.check_stack("N0841", counts=4, near_miss=Note(rule="7.1a", text="three divisions and an HQ: four may stack"))
    table.next_phase("Soviet Combat")
    # Both are supplied: Tchistykov HQ (radius 5) is 2 and 3 hexes away, and 6 points from the railroad at N1040.
    table.attack("!attack N1046,N1246 -> N1147 odds=1:1", "17 Tank, 28 Gds", "N1147", column="1:1", die=1)
    table.chat("D1: 79 Inf retreats one hex")
    table.retreat(
        "79 Inf",
        "N1148",
        violation=Note(
            rule="9.73b",
            text="the only way leads onto a full stack of three divisions: 79 Inf is eliminated, not moved there",
            also=("7.1a", "7.1g", "9.73a"),
        ),
    )
    # Moskalenko HQ has radius 2 and is three hexes away at best, the other HQs are farther.
    table.attack(
        "!attack N2149 -> N2150",
        "15 Gds",
        "N2150",
        column="1:3",
        die=2,
        violation=Note(rule="11.47", text="no Soviet HQ has 15 Gds in its Communications Radius"),
    )
    table.chat("A1: 15 Gds loses a step")
    table.next_face("15 Gds")
    table.chat("79 Inf had no legal retreat: it is eliminated")
    table.eliminate("79 Inf")
    table.attack(
        "!attack N1548 -> N1549 odds=1:1",
        "301 Rif, 81 Rif",
        "N1549",
        column="1:1",
        die=1,
        near_misses=[Note(rule="11.47", text="Tufanov HQ has radius 3 and is exactly three hexes away")],
    )
    table.chat("D1: the Hungarians lose a step, 7 Jg")
    table.eliminate("7 Jg Hun")
    table.next_phase("Soviet Mechanized/Cavalry Movement")
    table.next_phase("Soviet Disruption Removal")
    table.disrupt("1 Gds", disrupted=False)
    table.next_phase("Soviet Air Interdiction")
    table.next_phase("Game-Turn Record Inter-Phase")
    table.next_phase("Hitler Directive Inter-Phase")


def second_axis_turn(table: Table) -> None:
    table.roll(DIRECTIVE_DIE, "Directive die", 6)
    table.chat("even: no new directive")
    table.next_phase("Axis Initial Movement")
    table.mistake("294 Inf", "N2152", "8.22", "leaves the zone of 15 Gds, and is put back by undo")
    # From row N21 to the ends of the screen and back is ten rows, 377 Inf has nine points.
    table.move(
        "377 Inf",
        "N2148",
        violation=Note(rule="8.0", text="reaches the hex behind 15 Gds within nine points only through Soviet zones"),
    )
    table.move(
        "15 Pz, 110 Pg, 111 Pg",
        "N1242",
        near_misses=[
            Note(rule="8.22", text="leaves N0842 beside Soviet-held N0841, whose zone does not cross the Don")
        ],
    )
    table.move("57 Inf", "N1147")
    table.move("75 Inf", "N1247")
    table.move("88 Inf", "N1047")
    table.move("60 Pg, 156 Pg", "N0946")
    table.move("Truck 2", "N0749")
    table.next_phase("Axis Combat")
    # 168 Inf is surrounded, hence out of supply: half of 9 is 4. 284 Rif has no HQ in reach: half of 8 is 4. That is
    # 1:1; 9 against 4 would be 2:1. A die of 1 is D1 in both columns, so the result is right all the same.
    table.attack(
        "!attack N0245 -> N0346 att=9",
        "168 Inf",
        "N0346",
        column="1:1",
        die=1,
        violation=Note(rule="12.51", text="168 Inf is surrounded and out of supply: its strength is 4, not 9"),
    )
    table.chat("D1: 284 Rif retreats one hex")
    table.retreat("284 Rif", "N0445")
    table.attack("!attack N1147,N1247 -> N1246 odds=2:1", "57 Inf, 75 Inf", "N1246", column="2:1", die=1)
    table.chat("D1: 28 Gds retreats one hex")
    table.retreat(
        "28 Gds",
        "N1347",
        violation=Note(
            rule="9.71b", text="N1347 is empty and in the zone of 75 Inf; N1245 and N1346 were free of zones"
        ),
    )
    # 17 Tank at N1046: N1047, N1147 and N0946 hold German units, their zones cover N0947, N1146 and N1045, and two
    # Soviet divisions stand in N1045. 16th Panzergrenadier is complete: (3+3) x 2, and 9.
    table.attack("!attack N1047,N0946 -> N1046 odds=2:1", "88 Inf, 60 Pg, 156 Pg", "N1046", column="2:1", die=1)
    table.chat("D1: 17 Tank retreats one hex")
    table.retreat(
        "17 Tank",
        "N1045",
        near_misses=[
            Note(rule="9.71b", text="into a German zone, but 160 Rif stands there, and no vacant hex was open"),
            Note(rule="9.73b", text="onto 160 Rif and 62 Rif: three units, a full stack but not too large"),
        ],
    )
    table.next_phase("Axis Mechanized/Cavalry Movement")
    table.next_phase("Axis Disruption Removal")
    table.next_phase("Axis Air Interdiction")


def second_soviet_turn(table: Table) -> None:
    table.next_phase("Soviet Initial Movement")
    # Not eastward, so it can be no strategic withdrawal.
    table.move(
        "301 Rif",
        "N1448",
        violation=Note(
            rule="8.22", text="leaves the zone of 6 Jg Hun, and not to the east as a strategic withdrawal would"
        ),
    )
    table.move("284 Rif", "N0346")
    table.move("121 Rif", "N1546")
    table.move("124 Rif, 343 Rif", "N1546")
    table.next_phase("Soviet Combat")
    # 8+2 against (3+3) x 2; Tchistykov HQ is one hex away.
    table.attack("!attack N1045(17 Tank; 160 Rif) -> N0946 odds=1:2", "17 Tank, 160 Rif", "N0946", column="1:2", die=2)
    table.chat("Engaged: each side loses a step")
    table.next_face("60 Pg")
    table.next_face("17 Tank")
    table.next_phase("Soviet Mechanized/Cavalry Movement")
    table.move("32 Cav", "N1546")
    table.next_phase(
        "Soviet Disruption Removal",
        violation=Note(rule="7.1a", text="three rifle divisions and a cavalry division: four units, no HQ"),
    )
    table.next_phase("Soviet Air Interdiction")
    table.next_phase("Game-Turn Record Inter-Phase")
    table.next_phase("Hitler Directive Inter-Phase")


def third_axis_turn(table: Table) -> None:
    table.roll(DIRECTIVE_DIE, "Directive die", 6)
    table.chat("even: no new directive")
    table.next_phase("Axis Initial Movement")
    table.chat("N1546 was overstacked: 32 Cav is eliminated")
    table.eliminate("32 Cav")
    table.move("15 Pz, 110 Pg, 111 Pg", "N1444")
    table.next_phase("Axis Combat")
    table.attack(
        "!attack N0245 -> N0346 att=4 odds=1:1",
        "168 Inf",
        "N0346",
        column="1:1",
        die=1,
        near_misses=[Note(rule="12.51", text="168 Inf is out of supply, and its strength is halved as it should be")],
    )
    table.chat("D1: 284 Rif loses its step")
    table.eliminate("284 Rif")
    table.advance("168 Inf", "N0346")
    table.attack("!attack N0547(299 Inf) -> N0546 odds=2:1", "299 Inf", "N0546", column="2:1", die=1)
    table.chat("D1: 1 Gds retreats one hex")
    table.retreat("1 Gds", "N0545")
    table.advance("299 Inf", "N0546")
    table.next_phase("Axis Mechanized/Cavalry Movement")
    table.next_phase("Axis Disruption Removal")
    table.next_phase("Axis Air Interdiction")


def third_soviet_turn(table: Table) -> None:
    table.next_phase("Soviet Initial Movement")
    table.move("13 Rif", "N0941")
    table.next_phase("Soviet Combat")
    # 2 against 4: Tufanov HQ is three hexes away.
    table.attack("!attack N1548 -> N1549 odds=1:2", "81 Rif", "N1549", column="1:2", die=2)
    table.chat("Engaged: both lose their last step")
    table.eliminate("6 Jg Hun")
    table.eliminate("81 Rif")
    table.next_phase("Soviet Mechanized/Cavalry Movement")
    table.move("4 Tank", "N0245")
    table.next_phase("Soviet Disruption Removal")
    table.next_phase("Soviet Air Interdiction")
    table.next_phase("Game-Turn Record Inter-Phase")
    table.chat("End of the sample game")


def main() -> None:
    module, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with Engine(module, seed=SEED) as engine:
        play(engine, out.resolve())


if __name__ == "__main__":
    main()
