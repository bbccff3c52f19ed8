"""What a run of case files found, as JSON and in words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator

from vassal_bridge.audit.casereport import CaseReport
from vassal_bridge.report.models import CaseDisagreement, CaseNotRun, CasesReport
from vassal_bridge.report.plain import count

__all__ = ["cases_json", "cases_text"]

_RULE_ID = re.compile(r"\b[A-Z]{2,}-\w[\w.]*")


def cases_json(report: CaseReport) -> str:
    """Return the report as one JSON document."""
    shape = CasesReport(
        cases=len(report.results),
        agree=len(report.agree),
        disagree=[
            CaseDisagreement(id=each.id, expected=each.expected.value, got=each.got.value, rules=list(each.rules))
            for each in report.disagree
        ],
        not_run=[CaseNotRun(id=each.id, why=each.why) for each in report.not_run],
    )
    return json.dumps(shape.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def cases_text(report: CaseReport) -> str:
    """Return the disagreements one by one, then the totals with the reasons why cases were not run."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: CaseReport) -> Iterator[str]:
    for each in report.disagree:
        rules = f" by {', '.join(each.rules)}" if each.rules else ""
        yield f"{each.id}: expected {each.expected}, got {each.got}{rules}"
        yield from (f"  {remark}" for remark in each.remarks)
    total = count(len(report.results), "case")
    yield f"{total}: {len(report.agree)} agree, {len(report.disagree)} disagree, {len(report.not_run)} not run"
    # Reasons that differ only in the rule are one reason.
    reasons = Counter(_RULE_ID.sub("...", each.why) for each in report.not_run)
    yield from (f"  not run, {number}: {why}" for why, number in reasons.most_common())
