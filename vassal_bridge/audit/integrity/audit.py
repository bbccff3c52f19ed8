"""The integrity audit: any module, any files, in any order, without profile or rules.

Files are opened one after the other and let go, so a long chain needs little more memory than its longest file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from vassal_bridge.audit.finding import Finding, Place
from vassal_bridge.audit.integrity.catalogue import CATALOGUE
from vassal_bridge.audit.integrity.chain import Chain
from vassal_bridge.audit.integrity.findings import judge, rolls_of
from vassal_bridge.audit.integrity.joints import against_module
from vassal_bridge.audit.integrity.luck import lucks
from vassal_bridge.audit.integrity.order import make_chains
from vassal_bridge.audit.integrity.positions import Pool
from vassal_bridge.audit.integrity.reading import read_record
from vassal_bridge.audit.integrity.record import FileRecord
from vassal_bridge.audit.integrity.result import Integrity, Note
from vassal_bridge.audit.integrity.rolls import paired_across
from vassal_bridge.errors import OptionError
from vassal_bridge.rulebook.outcome import Outcome, Verdict
from vassal_bridge.vassal.container import VassalFile
from vassal_bridge.vassal.module import Module

__all__ = ["Openable", "audit_integrity", "files_in"]

Openable = VassalFile | Callable[[], VassalFile]
"""An opened file, or what opens it."""

_GAMES = frozenset({".vsav", ".vlog", ".sav", ".log"})


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Return files as they are, and for a folder the saves and logs in it, by the suffixes that VASSAL gives.

    Raises:
        OptionError: A folder holds none.
    """
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        found = sorted(each for each in path.iterdir() if each.suffix.lower() in _GAMES and each.is_file())
        if not found:
            raise OptionError("the folder holds no save or log", file=str(path))
        files += found
    return files


def audit_integrity(
    files: Iterable[Openable],
    module: Module | None = None,
    advance: Callable[[int], None] | None = None,
) -> Integrity:
    """Audit saves and logs.

    Args:
        files: The files in any order; of those that are functions only one is open at a time.
        module: Their module, for the names of places and the formats of its dice.
        advance: Told how many files are done.

    Raises:
        BridgeError: A file cannot be read, or is neither save nor log.
    """
    pool = Pool()
    records: list[FileRecord] = []
    for index, each in enumerate(files):
        file = each if isinstance(each, VassalFile) else each()
        records.append(read_record(file, pool, module, index=index))
        if advance is not None:
            advance(len(records))
    return _result([_with_rolls_paired(chain) for chain in make_chains(records, pool, module)], module)


def _with_rolls_paired(chain: Chain) -> Chain:
    """Follow rolls that were taken back from the end of one file to the start of the next."""
    records = [link.record for link in chain.links]
    main = [index for index, link in enumerate(chain.links) if not link.is_side]
    for one, two in pairwise(main):
        records[one], records[two] = paired_across(records[one], records[two])
    return chain.with_records(records)


def _result(chains: Sequence[Chain], module: Module | None) -> Integrity:
    links = [link for chain in chains for link in chain.links]
    told = [each for index, chain in enumerate(chains) for each in _judged(chain, module, is_first=index == 0)]
    rolls = rolls_of(links)
    return Integrity(
        chains=tuple(chains),
        findings=tuple(each for each in told if isinstance(each, Finding)),
        notes=tuple(each for each in told if isinstance(each, Note)),
        rolls=rolls,
        lucks=lucks(rolls),
        segments=tuple(segment for link in links for segment in link.record.segments if link.skip < segment.last),
        unread=_unread(link.record.unread for link in links),
    )


def _judged(chain: Chain, module: Module | None, *, is_first: bool) -> list[Finding | Note]:
    told: list[Finding | Note] = []
    first = chain.links[0].record
    if not is_first:
        names = ", ".join(link.record.name for link in chain.links[:4])
        more = f" and {len(chain.links) - 4} more" if len(chain.links) > 4 else ""
        verb = "shares" if len(chain.links) == 1 else "share"
        told.append(
            Finding(
                rule=CATALOGUE["INT-CHAIN-UNRELATED"],
                place=Place(log=first.name, step=0),
                mark=first.content[:16],
                outcome=Outcome(
                    verdict=Verdict.VIOLATION,
                    message=f"{names}{more}: {verb} no piece with the others.",
                ),
            )
        )
    if module is not None:
        told += against_module(first, module.name, module.version)
    return [*told, *judge(chain)]


def _unread(found: Iterable[Mapping[str, Mapping[str, int]]]) -> Mapping[str, Mapping[str, int]]:
    totals: dict[str, Counter[str]] = {}
    for each in found:
        for kind, counts in each.items():
            totals.setdefault(kind, Counter()).update(counts)
    return {kind: dict(sorted(counts.items())) for kind, counts in sorted(totals.items())}
