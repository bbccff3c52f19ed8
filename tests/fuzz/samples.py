"""Small games, modules and case texts, made here, from which the fuzzers start."""

from __future__ import annotations

import io
import zipfile

from vassal_bridge.vassal.container import Metadata, write_game
from vassal_bridge.vassal.obfuscation import Encoding, conceal
from vassal_bridge.vassal.sequence import join_chain

__all__ = ["BUILD_FILE", "COMMAND_WORDS", "LOG", "PIECES", "SAVE", "archives", "saved_games"]

ESC = "\x1b"
LAYER = (
    "emb2;;130;;Next;130;;;130;;;;1;false;0;0;a-1.png,a-2.png;,+ (reduced);true;Step;;;false;;1;1;true;;70,130;;;1.0"
)
LABEL = "label;76,130;Label;10;255,255,255;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text;"
TRAIL = "footprint;84,130;Trail;false;true;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;"
DECK = "deck;false;;40;40;Always;Never;false;true;false;;;;Draw;;;;false;false;;;10;;false;;false;;;;;;;;"
UNIT = {
    LAYER: "1",
    "obs;77,130;mask.png;Mask;B;?;player:": "null;",
    "mark;Side,Type": "Axis,ger.inf",
    "PROP;Hits;true,0,9,false;Use:85\\,130:I\\,-1": "3",
    "hide;73,130;Hide;255,0,0;side:": "null",
    LABEL: "words",
    TRAIL: "false;Map0;1;238,185;true;0",
    "piece;;;a.png;Alpha": "Main;238;185;7;2;OldMap;Main;UniqueID;101",
}
CARGO = {
    "mat;Deck": "1;101",
    "matPiece;;true;0;0": "noMat",
    "immob;n;N;R": "",
    "restrict;Axis;true;false": "",
    "piece;;;;Mat": ";0;0;9;0",
}
PIECES = (
    (join_chain([*UNIT]), join_chain([*UNIT.values()])),
    ("rotate;6;93,130;91,130;Right;Left;;;Turn\tpiece;;;b.png;Beta", "2\tnull;0;0;8;0"),
    ("emb;A;Flip;U;Up;D;Down;0;0;b1.png,one;b2.png,two\tpiece;;;;Old", "-2\tMain;10;20"),
    (join_chain([*CARGO]), join_chain([*CARGO.values()])),
    ("stack", "Main;238;185;101;102;@@1"),
    (DECK, "Main;600;600;true;103"),
)
SAVE = ESC.join(
    (
        "begin_save",
        "",
        "",
        *(f"\\{ESC}+/{101 + number}/{kind}/{state}" for number, (kind, state) in enumerate(PIECES)),
        "PLAYER\tpassword1\tBob\tAxis",
        "UNMASK\tnull",
        "GlobalProperty\t;VP;0;Module",
        "GlobalProperty\t;Weather\tNorth\tWest\tMain;Clear;",
        "MainBoardPicker\tWest\t0\t0\tEast/rev\t1\t0",
        "SETUP_STACK\t",
        "TURNTurnTracker0\t0|1;0;false;-1;0\\;0\\;0\\;true,true,true",
        f"NOTES\t\\{ESC}PNOTES\t",
        "SGKC\tSGKC0\ttrue",
        "EXT\tmore\t1.0",
        "end_save",
    )
).replace(f"{ESC}\\{ESC}", f"\\{ESC}")
STEPS = (
    f"LOG\tM/101/Main/580/317/null/Main/238/185/null/password1\\{ESC}LOG\t+/103/stack/Main;580;317;101;@@1\\{ESC}"
    "LOG\tCHAT* Alpha moves 0503 -> 1105 *",
    f"LOG\tUNDO\ttrue\\{ESC}LOG\tCHAT* UNDO: * Alpha moves 0503 -> 1105 *\\\\{ESC}LOG\t-/103\\\\{ESC}"
    f"LOG\tM/101/Main/238/185/null/Main/580/317/null/password1\\{ESC}LOG\tUNDO\tfalse",
    f"LOG\tCHAT*** 2d6 = 6,6 *** &lt;Bob&gt;\\{ESC}LOG\tMutableProperty\t2d6_result\t1\t6,6\tModule",
    "LOG\tnull",
    "LOG\tTURNTurnTracker0\t0|2;0;false;-1;0",
    "LOG\tD/102/1\tMain;580;317;8;0/2\tnull;0;0;8;0",
    "LOG\tSHOW_RESULTS\tDie\t0\t5",
    "LOG\tPYREMOVE\tpassword1",
)
LOG = ESC.join((SAVE, *STEPS))
COMMAND_WORDS = (
    *("+/", "-/", "D/", "M/", "LOG\t", "CHAT", "UNDO\ttrue", "MutableProperty\t", "GlobalProperty\t;", "BoardPicker\t"),
    *("SETUP_STACK\t", "TURN", "PLAYER\t", "PYREMOVE\t", "UNMASK\t", "NOTES\t", "PNOTE\t", "SNOTE\t", "SHOW_RESULTS\t"),
    *("AUDIO\t", "FLARE\t", "LOS\t", "SGKC\t", "CLOCK\t", "CLOCKCONTROL\t", "LOCKSPOTAB\t", "EXT\t", "PLUGIN\t"),
    *("SEMAIL\t", "DECK\t", "Events", "begin_save", "end_save", "null", "stack", "deck;", "piece;", "emb2;", "obs;"),
    *("hide;", "mark;", "PROP;", "label;", "footprint;", "mat;", "matPiece;", "immob;", "rotate;", "basicName;", "@@1"),
    *(f"\\{ESC}", f"\\\\{ESC}", ESC, "\\\t", "\\\\\t", "\\/", "'", "Main;238;185", "101", "true", "false", "$name$"),
)

MODULE = "VASSAL.build.module."
BOARD = MODULE + "map.boardPicker.board."
HEX_GRID = (
    f'<{BOARD}HexGrid x0="0" y0="33" dx="57.157" dy="66.0" snapTo="true" edgesLegal="false" cornersLegal="true">'
    f'<{BOARD}mapgrid.HexGridNumbering hType="N" vType="A" hLeading="1" vLeading="1" first="H" sep="." stagger="true" '
    f'hOff="1" vOff="1" hDescend="false" vDescend="true" locationFormat="$gridLocation$"/></{BOARD}HexGrid>'
)
SQUARE_GRID = (
    f'<{BOARD}SquareGrid x0="10" y0="10" dx="48.0" dy="48.0" range="Metric">'
    f'<{BOARD}mapgrid.SquareGridNumbering hType="A" vType="N"/></{BOARD}SquareGrid>'
)
ZONES = (
    f'<{BOARD}ZonedGrid><{BOARD}mapgrid.Zone name="North" path="0,0;200,0;200,100;0,100" useParentGrid="true" '
    f'locationFormat="$name$: $gridLocation$"/><{BOARD}mapgrid.Zone name="Box" path="0,0;9,0;9,9" '
    f'useParentGrid="false"><{BOARD}RegionGrid><{BOARD}Region name="T1" originx="50" originy="50"/></{BOARD}RegionGrid>'
    f"</{BOARD}mapgrid.Zone>{HEX_GRID}</{BOARD}ZonedGrid>"
)
BUILD_FILE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<VASSAL.build.GameModule name="Test" version="1.0" VassalVersion="3.6.19" nextPieceSlotId="9">'
    f"<{MODULE}PlayerRoster><entry>Axis</entry></{MODULE}PlayerRoster>"
    f'<{MODULE}PrototypesContainer><{MODULE}PrototypeDefinition name="Unit">+/null/prototype;Unit\tmark;Side\\\t'
    f"piece;;;;/\tax\\\tnull;0;0;;0</{MODULE}PrototypeDefinition></{MODULE}PrototypesContainer>"
    f'<{MODULE}PieceWindow name="Units"><VASSAL.build.widget.PieceSlot entryName="Alpha" gpid="7">'
    "+/null/prototype;Unit\tpiece;;;a.png;Alpha/\tnull;0;0;7;0</VASSAL.build.widget.PieceSlot>"
    f"</{MODULE}PieceWindow>"
    f'<{MODULE}Map mapName="Main" edgeWidth="10" edgeHeight="20"><{MODULE}map.BoardPicker>'
    f'<setup>MainBoardPicker\tWest\t0\t0</setup><{MODULE}map.boardPicker.Board name="West" width="900" height="800">'
    f"{ZONES}</{MODULE}map.boardPicker.Board>"
    f'<{MODULE}map.boardPicker.Board name="East" width="900" height="800" reversible="true">{SQUARE_GRID}'
    f"</{MODULE}map.boardPicker.Board></{MODULE}map.BoardPicker>"
    f'<{MODULE}map.SetupStack name="Start" owningBoard="West" x="100" y="100" useGridLocation="true" location="0203">'
    '<VASSAL.build.widget.PieceSlot entryName="Beta" gpid="8">+/null/piece;;;;Beta/null;0;0;8;0'
    f"</VASSAL.build.widget.PieceSlot></{MODULE}map.SetupStack>"
    f'<{MODULE}map.DrawPile name="Draw" owningBoard="West" x="600" y="600" width="40" height="40"/></{MODULE}Map>'
    f'<{MODULE}turn.TurnTracker name="Turn" turnFormat="$level1$ $level2$">'
    f'<{MODULE}turn.CounterTurnLevel name="Year" start="1941" incr="1"><{MODULE}turn.ListTurnLevel name="Phase" '
    f'list="Move,Combat" property="phase"/></{MODULE}turn.CounterTurnLevel></{MODULE}turn.TurnTracker>'
    f'<{MODULE}DiceButton name="2d6" nDice="2" nSides="6" reportFormat="** $name$ = $result$ ***"/>'
    f'<{MODULE}properties.GlobalProperties><{MODULE}properties.GlobalProperty name="VP" initialValue="0"/>'
    f"</{MODULE}properties.GlobalProperties>"
    "</VASSAL.build.GameModule>"
)


def saved_games() -> list[bytes]:
    """Return a save and a log as ``savedGame`` entries, in every form that is written."""
    forms = [conceal(text, encoding) for text in (SAVE, LOG) for encoding in (Encoding.PLAIN, Encoding.VCSK)]
    return [*forms, conceal(LOG, Encoding.VOBS)]


def archives() -> list[bytes]:
    """Return a save, a log, a module and an extension."""
    games = [write_game(text, save_metadata=Metadata(version="1.0", vassal_version="3.6.7")) for text in (SAVE, LOG)]
    metadata = "<data version='1'><version>1</version><VassalVersion>3.4.1</VassalVersion><name>Test</name></data>"
    return [
        *games,
        _zip({"buildFile": BUILD_FILE, "moduledata": metadata, "images/a.png": "no image"}, zipfile.ZIP_DEFLATED),
        _zip({"buildFile.xml": BUILD_FILE.replace("GameModule", "module.ModuleExtension")}, zipfile.ZIP_STORED),
        _zip({"savedGame": LOG, "savedata": metadata}, zipfile.ZIP_BZIP2),
    ]


def _zip(entries: dict[str, str], method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()
