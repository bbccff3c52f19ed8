from __future__ import annotations

from vassal_bridge.vassal.components import CounterLevel, ListLevel, TurnTracker
from vassal_bridge.vassal.turns import read_turn

PHASE = ListLevel(name="Phase", property="TurnPhase", items=("Movement", "Combat", "End"))
SIDE = ListLevel(name="Side", property="TurnSide", items=("Axis", "Soviet"), levels=(PHASE,))
TURN = CounterLevel(name="Turn", property="TurnNumber", start=1, levels=(SIDE,))
TRACKERS = {
    "TurnTracker0": TurnTracker(
        id="TurnTracker0", name="Clock", turn_format="Turn $level1$ - $level2$ - $level3$", levels=(TURN,)
    )
}
# As the real engine writes it on turn 9, second side, second phase.
STATE = "0|9;0;false;-1;1\\;0\\;0\\;true,true\\;1\\\\;0\\\\;0\\\\;true,true,true"


def test_levels_within_levels() -> None:
    turn = read_turn("TurnTracker0", STATE, TRACKERS)
    assert turn.tracker == "Clock"
    assert turn.text == "Turn 9 - Soviet - Combat"
    assert turn.levels["TurnSide"] == turn.levels["Side"] == "Soviet"
    assert turn.levels["TurnNumber"] == "9"
    assert turn.state == STATE


def test_the_first_turn_of_a_new_game() -> None:
    assert read_turn("TurnTracker0", "", TRACKERS).text == "Turn 1 - Axis - Movement"


def test_only_the_current_branch_is_shown() -> None:
    early = CounterLevel(name="Early", start=1, turn_format="early $value$")
    late = CounterLevel(name="Late", start=5, turn_format="late $value$")
    trackers = {"T": TurnTracker(id="T", turn_format="<$level1$$level2$>", levels=(early, late))}
    assert read_turn("T", "1|3;0;false;-1|7;0;false;-1", trackers).text == "<late 7>"
    assert read_turn("T", "0|3;0;false;-1|7;0;false;-1", trackers).text == "<early 3>"


def test_formats_may_use_properties() -> None:
    level = CounterLevel(name="Turn", property="Turn", start=1)
    trackers = {"T": TurnTracker(id="T", name="Turn", turn_format="$Turn$: $Turn Name$ $nothing$", levels=(level,))}
    assert read_turn("T", "0|4;0;true;13", trackers, {"Turn": "1", "Turn Name": "May"}).text == "4: May "


def test_without_a_module_the_state_stands_as_it_is() -> None:
    turn = read_turn("TurnTracker0", STATE, {})
    assert (turn.tracker, turn.text, dict(turn.levels)) == ("TurnTracker0", STATE, {})


def test_damaged_states_do_not_raise() -> None:
    for state in ("x", "9|", "0|x;y", "0|9;5;false;-1;1", "-1|2", "0|9;0;f;x;99\\;7", "|||"):
        read_turn("TurnTracker0", state, TRACKERS)
