"""``rules`` and ``explain``: what there is to check, and one rule in plain words."""

from __future__ import annotations

import click

from vassal_bridge.audit.integrity import explanation_of
from vassal_bridge.checks import CHECKS
from vassal_bridge.cli import options
from vassal_bridge.cli.exits import OK
from vassal_bridge.cli.output import emit, print_table
from vassal_bridge.errors import OptionError
from vassal_bridge.report.rules import explanation, folded, rule_rows, rules_json, rules_summary
from vassal_bridge.rulebook.load import find_rules, load_rules
from vassal_bridge.rulebook.rule import Rule, RuleSet

__all__ = ["explain", "game_rules", "rules"]


@click.command()
@click.argument("game", required=False)
@options.as_json
def rules(game: str | None, is_json: bool) -> int:
    """List the rule sets, or the rules of GAME with how far each is checked."""
    sets = [game_rules(game)] if game else [game_rules(each) for each in find_rules()]
    if is_json:
        emit(rules_json(sets))
    elif game:
        emit(f"{rules_summary(sets[0])}\n")
        print_table("", ("rule", "cite", "status", "severity", "title"), rule_rows(sets[0]))
    else:
        emit("".join(f"{rules_summary(each)}\n" for each in sets))
    return OK


@click.command()
@click.argument("rule_id", metavar="RULE-ID")
def explain(rule_id: str) -> int:
    """Say one rule, or one finding of the integrity audit (INT-...), in plain words."""
    if (about_record := explanation_of(rule_id)) is not None:
        emit(folded(about_record))
        return OK
    found = _find(rule_id)
    if found is None:
        raise OptionError(f"no rule set has a rule {rule_id}; `vassal-bridge rules GAME` lists them")
    emit(explanation(*found))
    return OK


def game_rules(game: str) -> RuleSet:
    """Load a shipped rule set by its id.

    Raises:
        OptionError: There is no such rule set.
    """
    known = find_rules()
    if game not in known:
        raise OptionError(f"there are no rules for {game!r}, only for: {', '.join(sorted(known))}")
    return load_rules(known[game], CHECKS)


def _find(rule_id: str) -> tuple[RuleSet, Rule] | None:
    for folder in find_rules().values():
        rules = load_rules(folder, CHECKS)
        for rule in rules.rules.values():
            if rule_id == rule.id or rule_id in rule.former_ids:
                return rules, rule
    return None
