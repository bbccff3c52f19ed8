"""Rolls in the shapes of all ages, and the arithmetic of luck."""

from __future__ import annotations

import pytest

from vassal_bridge.audit.finding import Place
from vassal_bridge.audit.integrity.luck import chi_square_tail, lucks
from vassal_bridge.audit.integrity.record import Roll
from vassal_bridge.audit.integrity.throws import DiceReader, Source
from vassal_bridge.vassal.commands import Chat, DiceResult, SetProperty
from vassal_bridge.vassal.components import Dice, DiceKind, Die, DieFace


@pytest.mark.parametrize(
    ("line", "button", "result", "faces", "sides", "player"),
    [
        ("*** d6 = 2 *** <Bob>", "d6", "2", (2,), 6, "Bob"),
        ("*** 2d6 = 6,5 *** &lt;Bob&gt;", "2d6", "6,5", (6, 5), 6, "Bob"),
        ("*** 2d6 = 11 *** <Bob>", "2d6", "11", (), 6, "Bob"),
        ("*** 1d10 = 10 *** <Bob (<observer>)>", "1d10", "10", (10,), 10, "Bob (<observer>)"),
        ("*** Combat = 4,4 *** <Ann>", "Combat", "4,4", (4, 4), None, "Ann"),
        ("*** Weather = Rain *** <Ann>", "Weather", "Rain", (), None, "Ann"),
        ("*** (IFT DR) 3,4 ***   <Bob>   [1 / 10  avg  4.50 (6.60)]   (01.49) <T>", "IFT DR", "3,4", (3, 4), 6, "Bob"),
        ("*** (RS dr) 6 ***   <Bob>  [2 / 6]", "RS dr", "6", (6,), 6, "Bob"),
        ("* <img src=csb.png width=30> [ Bob rolls 2 dice:  CAVx1 INFx1 ] *", "2 dice", "CAVx1 INFx1", (), None, "Bob"),
        ("* Bob rolls 2d8 = 3, 7", "2d8", "3, 7", (3, 7), 8, "Bob"),
        ("* Bob rolled d20: 17", "d20", "17", (17,), 20, "Bob"),
    ],
)  # fmt: skip
def test_a_roll_is_read_from_its_line(
    line: str, button: str, result: str, faces: tuple[int, ...], sides: int | None, player: str
) -> None:
    (throw,) = DiceReader().throws([Chat(text=line)])
    assert (throw.button, throw.result, throw.faces, throw.sides, throw.player) == (
        button, result, faces, sides, player,
    )  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "<Bob> - *** d6 = 6 *** <Bob>",
        "&lt;Bob&gt; - Ann rolls 1d6 = 5",
        "* UNDO: *** d6 = 1 *** <Bob>",
        "* 3 Pz moves 0503 -> 1105 *",
        "* Strength = 4",
        "* New: Allied Turn 1 - MPh *",
        "* Albatros C faces NE",
        "",
    ],
)
def test_words_and_reports_are_no_rolls(line: str) -> None:
    assert DiceReader().throws([Chat(text=line)]) == []


def test_line_and_properties_of_a_button_are_one_roll() -> None:
    step = [
        Chat(text="*** Attack = 7 *** <Bob>"),
        SetProperty(name="Attack_result", old="", new="3,4", container="Module"),
        SetProperty(name="Attack_total", old="", new="7", container="Module"),
        SetProperty(name="Supply", old="1", new="2", container="Module"),
    ]
    (throw,) = DiceReader().throws(step)
    assert (throw.button, throw.player, throw.source, throw.faces) == ("Attack", "Bob", Source.BOTH, (3, 4))


def test_a_button_without_a_report_leaves_its_properties() -> None:
    step = [
        SetProperty(name="Secret_result", old="", new="5", container="Module"),
        SetProperty(name="Secret_keep", old="", new="1", container="Module"),
    ]
    (throw,) = DiceReader().throws(step)
    assert (throw.button, throw.result, throw.source) == ("Secret", "5", Source.PROPERTY)


def test_the_formats_of_the_module_come_first() -> None:
    button = Dice(name="Attack", count=2, sides=8, plus=1, report_format="$PlayerSide$ throws: $result$ for $name$!")
    (throw,) = DiceReader([button]).throws([Chat(text="* Axis throws: 4,9 for Attack!")])
    assert (throw.button, throw.result, throw.faces, throw.sides) == ("Attack", "4,9", (3, 8), 8)


def test_a_sum_of_several_dice_has_no_faces() -> None:
    button = Dice(
        name="2d6", count=2, sides=6, reports_total=True, report_format="** $name$ = $result$ *** <$PlayerName$>"
    )
    (throw,) = DiceReader([button]).throws([Chat(text="*** 2d6 = 6 *** <Bob>")])
    assert (throw.result, throw.faces, throw.player) == ("6", (), "Bob")


def test_special_dice_show_their_faces() -> None:
    die = Die(name="a", faces=(DieFace(text="Hit", value=1), DieFace(text="Miss")))
    button = Dice(name="Battle", kind=DiceKind.SYMBOLS, dice=(die, die))
    (throw,) = DiceReader([button]).throws([DiceResult(button="Battle", faces=(0, 1))])
    assert throw.result == "Hit, Miss"
    (bare,) = DiceReader().throws([DiceResult(button="Battle", faces=(0, 1))])
    assert bare.result == "face 1, face 2"


# Percentage points of the chi-square distribution, from printed tables.
@pytest.mark.parametrize(
    ("value", "degrees", "probability"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (11.070, 5, 0.05),
        (15.086, 5, 0.01),
        (20.515, 5, 0.001),
        (4.351, 5, 0.5),
        (16.919, 9, 0.05),
        (1.145, 5, 0.95),
        (30.144, 19, 0.05),
    ],
)
def test_the_tail_of_chi_square(value: float, degrees: int, probability: float) -> None:
    assert chi_square_tail(value, degrees) == pytest.approx(probability, rel=2e-3)


def test_the_tail_of_nothing_is_all() -> None:
    assert chi_square_tail(0, 5) == 1


def rolls(*faces: int, player: str = "Bob") -> list[Roll]:
    return [
        Roll(
            place=Place(log="a.vlog", step=number),
            player=player,
            button="1d6",
            result=str(face),
            faces=(face,),
            sides=6,
            source=Source.REPORT,
        )
        for number, face in enumerate(faces, 1)
    ]


def test_few_dice_are_not_judged() -> None:
    (luck,) = lucks(rolls(1, 1, 1, 1, 1, 1, 1, 1))
    assert (luck.chi_square, luck.probability) == (None, None)
    assert "too few" in luck.caution


def test_chi_square_of_a_worked_sample() -> None:
    # 60 dice, 10 expected of each: (25 + 4 + 1 + 1 + 4 + 25) / 10.
    counts = {1: 5, 2: 8, 3: 9, 4: 11, 5: 12, 6: 15}
    (luck,) = lucks(rolls(*(face for face, number in counts.items() for _ in range(number))))
    assert luck.faces == counts
    assert luck.chi_square == pytest.approx(6.0)
    assert luck.mean == pytest.approx(242 / 60)
    assert luck.caution == "as even as fair dice are"


def test_uneven_dice_are_told_without_an_accusation() -> None:
    (luck,) = lucks(rolls(*[6] * 30, *[1] * 10, *[2] * 5))
    assert luck.probability is not None
    assert luck.probability < 0.001
    assert "no proof" in luck.caution


def test_players_are_counted_apart() -> None:
    assert [(luck.player, luck.dice) for luck in lucks([*rolls(1, 2), *rolls(3, player="Ann")])] == [
        ("Ann", 1),
        ("Bob", 2),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "*** 1d6 = 1" + "  2" * 300 + " x",
        "* a = 1" + " +2" * 300 + " x",
        "*** (IFT DR) 1" + "  2" * 300 + " x",
        "*" + " " * 1900 + "x",
        "Bob rolls 2d6: " + " " * 1900 + "[",
        "*** a =" + " " * 1900 + "***",
        "*** 2d6 = " + "9" * 5000 + " *** <Bob>",
        "9" * 1900 + "d6 rolls 9",
        "*** 1d6 = 3 *** " + "<b" * 20_000,
    ],
)
def test_lines_made_to_take_forever_do_not(line: str) -> None:
    format_of_many_words = "** $name$ $a$ $b$ $c$ $d$ $e$ $f$ = $result$ *"
    button = Dice(name="x", kind=DiceKind.NUMBERS, report_format=format_of_many_words)
    assert all(len(throw.result) < 2000 for throw in DiceReader([button]).throws([Chat(text=line)]))
