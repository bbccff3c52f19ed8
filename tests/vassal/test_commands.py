from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.vassal.commands import (
    AddPiece,
    BeginSave,
    BoardPlacement,
    BoardSetup,
    ChangePiece,
    Chat,
    ChessClock,
    ChessClockControl,
    Command,
    DelayedNote,
    DiceResult,
    EndSave,
    ExtensionUsed,
    Flare,
    GlobalProperty,
    LineOfSight,
    Logged,
    MovePiece,
    Notes,
    NullCommand,
    PieceId,
    PlayerAdd,
    PlayerId,
    PlayerRemove,
    PlaySound,
    PluginUsed,
    PrivateNote,
    PublicNotes,
    RemovePiece,
    SavedDeck,
    SecondaryEmail,
    ServerMessage,
    SetProperty,
    SetupStack,
    StartupKeyCommand,
    TabLock,
    TurnUpdate,
    UndoBracket,
    UnknownCommand,
    Unmask,
    UserActions,
    VersionCheck,
    format_atom,
    parse_atom,
)

SECRET = PlayerId("s3cret")
ONE = PieceId("101")

ATOMS: list[tuple[str, Command]] = [
    ("", NullCommand(text="")),
    ("null", NullCommand(text="null")),
    ("begin_save", BeginSave()),
    ("end_save", EndSave()),
    ("LOG\t", Logged(command=NullCommand(text=""))),
    ("LOG\tnull", Logged(command=NullCommand(text="null"))),
    ("LOG\tCHATwords", Logged(command=Chat(text="words"))),
    (
        "+/101/mark;Side\tpiece;;;u.png;Beta\\/Gamma/Axis\tMain;238;185;7;0",
        AddPiece(id=ONE, type="mark;Side\tpiece;;;u.png;Beta/Gamma", state="Axis\tMain;238;185;7;0"),
    ),
    ("+/null/piece;;;;/null;0;0;", AddPiece(id=None, type="piece;;;;", state="null;0;0;")),
    ("-/101", RemovePiece(id=ONE)),
    ("D/101/new/old", ChangePiece(id=ONE, state="new", old="old")),
    ("D/101/new", ChangePiece(id=ONE, state="new")),
    (
        "M/101/Main/580/-317/102/null/238/185/null/s3cret",
        MovePiece(
            id=ONE,
            map="Main",
            x=580,
            y=-317,
            under=PieceId("102"),
            old_map=None,
            old_x=238,
            old_y=185,
            old_under=None,
            player_id=SECRET,
        ),
    ),
    (
        "M/101/A\\/B/1/2/null/A\\/B/3/4/null",
        MovePiece(id=ONE, map="A/B", x=1, y=2, under=None, old_map="A/B", old_x=3, old_y=4, old_under=None),
    ),
    ("UNDO\ttrue", UndoBracket(is_begin=True)),
    ("UNDO\tfalse", UndoBracket(is_begin=False)),
    ("CHAT* a\tb / c", Chat(text="* a\tb / c")),
    (
        "MutableProperty\t2d6_result\t1\t6,6\tModule",
        SetProperty(name="2d6_result", old="1", new="6,6", container="Module"),
    ),
    ("MutableProperty\tVP\t0\t1", SetProperty(name="VP", old="0", new="1")),
    ("GlobalProperty\t;VP;0;Module", GlobalProperty(id="VP", value="0", container="Module")),
    (
        "GlobalProperty\t;Weather\tNorth\tWest\tMain;Clear;",
        GlobalProperty(id="Weather\tNorth\tWest\tMain", value="Clear", container=""),
    ),
    (
        "MainBoardPicker\tWest\t0\t0\tEast/rev\t1\t0",
        BoardSetup(
            map="Main",
            boards=(
                BoardPlacement(board="West", is_reversed=False, column=0, row=0),
                BoardPlacement(board="East", is_reversed=True, column=1, row=0),
            ),
        ),
    ),
    ("Map0BoardPicker", BoardSetup(map="Map0", boards=())),
    ("SETUP_STACK\t", SetupStack()),
    ("TURNTurnTracker0\t0|1;0;false;-1", TurnUpdate(tracker="TurnTracker0", state="0|1;0;false;-1")),
    ("PLAYER\ts3cret\tBob\tAxis", PlayerAdd(player_id=SECRET, name="Bob", side="Axis")),
    ("PYREMOVE\ts3cret", PlayerRemove(player_id=SECRET)),
    ("UNMASK\tnull", Unmask(allowed=None)),
    ("UNMASK\t", Unmask(allowed=("",))),
    ("UNMASK\ts3cret\tAxis", Unmask(allowed=("s3cret", "Axis"))),
    ("NOTES\ta|b", Notes(text="a|b")),
    ("PNOTES\t", PublicNotes(text="")),
    ("PNOTE\ts3cret\tmy plan", PrivateNote(player_id=SECRET, text="my plan")),
    (
        "SNOTE\tn\ts3cret\ttrue\ttext\t01/02/2020 3:04 PM\th",
        DelayedNote(name="n", player_id=SECRET, is_hidden=True, text="text", date="01/02/2020 3:04 PM", handle="h"),
    ),
    ("SNOTE\tn\ts3cret\tfalse\ttext", DelayedNote(name="n", player_id=SECRET, is_hidden=False, text="text")),
    ("SHOW_RESULTS\tDice\t0\t5", DiceResult(button="Dice", faces=(0, 5))),
    ("AUDIO\tbang.wav", PlaySound(clip="bang.wav")),
    ("FLARE\tFlare0\t10\t20", Flare(flare="Flare0", x=10, y=20)),
    (
        "LOS\tThread0\t1\t2\t3\t4\ttrue\tfalse\tfalse",
        LineOfSight(
            thread="Thread0",
            anchor_x=1,
            anchor_y=2,
            arrow_x=3,
            arrow_y=4,
            is_persisting=True,
            is_mirroring=False,
            is_reset=False,
        ),
    ),
    ("SGKC\tSGKC0\ttrue", StartupKeyCommand(id="SGKC0", is_applied=True)),
    (
        "CLOCK\tA\tB\t1\t2\ttrue\tfalse",
        ChessClock(reporter="A", side="B", elapsed=1, verified=2, is_ticking=True, is_restored=False),
    ),
    ("CLOCKCONTROL\ttrue\tfalse", ChessClockControl(is_showing=True, is_online=False)),
    ("LOCKSPOTAB\tTab\tBob\ts3cret\t1.1.", TabLock(tab="Tab", locked_by="Bob", password="s3cret", date="1.1.")),
    ("EXT\tMore\t1.0", ExtensionUsed(name="More", version="1.0")),
    ("PLUGIN\tP\t2", PluginUsed(name="P", version="2")),
    ("SEMAIL\tb@example.org", SecondaryEmail(address="b@example.org")),
    ("DECK\t", SavedDeck(text="")),
    ("Eventsnull", UserActions(text="null")),
    ("CHECK\tx", VersionCheck(text="x")),
    ("PRIV_CHAThello", ServerMessage(prefix="PRIV_CHAT", text="hello")),
    ("HAKA:red;3", UnknownCommand(prefix="HAKA:", text="HAKA:red;3")),
    ("OBA/+/0/x", UnknownCommand(prefix="OBA/", text="OBA/+/0/x")),
    ("M/1", UnknownCommand(prefix="M/", text="M/1")),
    ("?!", UnknownCommand(prefix="?", text="?!")),
]


@pytest.mark.parametrize(("atom", "command"), ATOMS, ids=[repr(atom[:24]) for atom, _ in ATOMS])
def test_every_atom_both_ways(atom: str, command: Command) -> None:
    assert parse_atom(atom) == command
    assert format_atom(command) == atom


@pytest.mark.parametrize(
    "atom",
    [
        "M/101/Main/007/1/null/Main/1/1/null",
        "M/101/Main/1/1/null/Main/1/1/null/p/extra",
        "M/101/Main/x/1/null/Main/1/1/null",
        "M/101",
        "+/101/type",
        "+/101/'type'/state",
        "+/101/type/state/extra",
        "+/1/\\/x/y",
        "D/101",
        "FLARE\tF\t1",
        "FLARE\tF\tx\ty",
        "EXT\t'a'\tb",
        "PLAYER\tid",
        "PLAYER\tid\tname\tside\textra",
        "CLOCK\tA",
        "MainBoardPicker\tWest\t0",
        "MainBoardPicker\tWest\tx\ty",
        "SHOW_RESULTS\tDice\tx",
        "UNDO\tmaybe",
        "SETUP_STACK\tmore",
        "begin_save ",
        "GlobalProperty\tplain",
        "TURN",
    ],
)
def test_what_the_engine_would_not_write_keeps_its_text(atom: str) -> None:
    assert format_atom(parse_atom(atom)) == atom


@given(st.text(st.sampled_from("+-DM/01a'\\\t;,null\x1b"), max_size=30))
def test_any_text_is_kept(rest: str) -> None:
    for prefix in ("", "+/", "D/", "M/", "LOG\t", "PLAYER\t", "MutableProperty\t", "GlobalProperty\t;", "FLARE\t"):
        atom = prefix + rest
        assert format_atom(parse_atom(atom)) == atom


@pytest.mark.parametrize(("atom", "command"), [item for item in ATOMS if "s3cret" in item[0]], ids=lambda _: "")
def test_passwords_are_in_no_repr(atom: str, command: Command) -> None:
    assert "s3cret" not in repr(command)


def test_owners_in_states_are_in_no_repr() -> None:
    assert "s3cret" not in repr(parse_atom("+/1/hide;\tpiece;;;;/s3cret\tnull;0;0;"))
    assert "s3cret" not in repr(parse_atom("D/1/s3cret\tnull;0;0;/null\tnull;0;0;"))


def test_equal_types_are_one_string() -> None:
    first = parse_atom("+/1/mark;Side\tpiece;;;;/Axis\tnull;0;0;")
    second = parse_atom("+/2/mark;Side\tpiece;;;;/Axis\tnull;0;0;")
    assert isinstance(first, AddPiece)
    assert isinstance(second, AddPiece)
    assert first.type is second.type
