"""Answers to queries that need nothing but their own numbers: distances, odds, losses, sums."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import cast

from vassal_bridge.board.actions import Query
from vassal_bridge.board.hexes import Hex, distance
from vassal_bridge.board.state import GameState
from vassal_bridge.rulebook.words import Vocabulary

__all__ = ["answer_by_arithmetic", "calculate", "is_arithmetic", "odds_column"]

Number = int | Fraction


def is_arithmetic(query: Query) -> bool:
    """Tell whether a query can be answered here."""
    return query.verb in _ANSWERS and (query.verb != "odds" or "of" in query.arguments)


def answer_by_arithmetic(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    """Return the right answer to a query that :func:`is_arithmetic`."""
    return _ANSWERS[query.verb](query, vocabulary, state)


def odds_column(odds: str, steps: int, side: str, vocabulary: Vocabulary) -> str:
    """Return the table column for a ratio ``attack:defense``, rounded down, then moved by steps."""
    table = vocabulary.columns[side]
    wanted = _ratio(odds)
    fits = [index for index, name in enumerate(table) if _ratio(name) <= wanted]
    if not fits and vocabulary.under == "barred":
        return "barred"
    return table[min(max(max(fits, default=0) + steps, 0), len(table) - 1)]


def calculate(text: str) -> bool | None:
    """Evaluate a comparison of exact numbers with ``+ - * /`` and brackets; None if the text is none."""
    if len(text) > 500:
        return None
    try:
        found = _evaluate(ast.parse(text.strip(), mode="eval").body)
    except (ArithmeticError, SyntaxError, ValueError, RecursionError):
        return None
    return found if isinstance(found, bool) else None


_OPERATORS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _evaluate(node: ast.expr) -> Fraction | bool:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return Fraction(str(value))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_number(left), _number(right))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.Compare(left=left, ops=signs, comparators=right):
            values = [_number(each) for each in (left, *right)]
            pairs = zip(signs, values, values[1:], strict=False)
            return all(_COMPARISONS[type(sign)](one, two) for sign, one, two in pairs)
        case _:
            raise ValueError(ast.dump(node))


def _number(node: ast.expr) -> Fraction:
    value = _evaluate(node)
    if isinstance(value, bool):
        raise ValueError("a comparison is no number")
    return value


def _ratio(text: str) -> Fraction:
    attack, defense = text.split(":")
    return Fraction(int(attack), int(defense))


def _side(query: Query, vocabulary: Vocabulary, state: GameState) -> str:
    stated = query.arguments.get("side", state.phasing)
    return str(stated) if stated in vocabulary.columns else next(iter(vocabulary.columns))


def _distance(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    one, two = cast("tuple[Hex, Hex]", query.arguments["pair"])
    return distance(one, two)


def _odds(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    return odds_column(str(query.arguments["of"]), 0, _side(query, vocabulary, state), vocabulary)


def _shift(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    steps = cast("int", query.arguments["steps"])
    return odds_column(str(query.arguments["a"]), steps, _side(query, vocabulary, state), vocabulary)


def _compare_columns(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    a, b = (_ratio(str(query.arguments[key])) for key in ("a", "b"))
    factor = cast("int", query.arguments.get("factor", 1))
    return calculate(f"{a} {query.arguments['cmp']} {factor} * {b}")


def _largest_loss(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    """Return the largest total of the list within half of (``hx``), or all of (``dx``), a number."""
    parts = cast("tuple[Number, ...]", query.arguments["numbers"])
    most = Fraction(cast("Number", query.arguments["of"])) / (2 if query.arguments["is"] == "hx" else 1)
    sums = {sum(chosen) for length in range(len(parts) + 1) for chosen in combinations(parts, length)}
    return max(total for total in sums if total <= most)


def _pays(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    lost, everything = (cast("tuple[Number, ...]", query.arguments[key]) for key in ("numbers", "from"))
    need = cast("Number", query.arguments["n"])
    return "yes" if sum(lost) >= need or sorted(lost) == sorted(everything) else "no"


def _calculate(query: Query, vocabulary: Vocabulary, state: GameState) -> object:
    return calculate(" ".join(cast("tuple[str, ...]", query.arguments["any"])))


_ANSWERS: Mapping[str, Callable[[Query, Vocabulary, GameState], object]] = {
    "dist": _distance,
    "odds": _odds,
    "shift": _shift,
    "column": _compare_columns,
    "loss": _largest_loss,
    "pays": _pays,
    "calc": _calculate,
}
