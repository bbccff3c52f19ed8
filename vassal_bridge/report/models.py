"""The shapes of our JSON: one pydantic model for each thing that a reader outside can meet.

They are the edge and nothing else: built from the audit's own classes by the modules beside this one, and the source of
the JSON Schema files in ``schemas/``. Readers ignore keys that they do not know; keys are added within a version, never
renamed or removed.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

__all__ = [
    "BoardCounts",
    "BoardModule",
    "BoardPiece",
    "BoardReport",
    "CaseDisagreement",
    "CaseNotRun",
    "CasesReport",
    "ChainFileModel",
    "ChainModel",
    "CoverageModel",
    "DiceModel",
    "DoubleModel",
    "EventKind",
    "EventPlace",
    "FileKindName",
    "FindingModel",
    "InputModel",
    "JointModel",
    "LuckModel",
    "NoteModel",
    "OccasionsModel",
    "PieceDifferenceModel",
    "PlaceModel",
    "Report",
    "RollModel",
    "RuleCounts",
    "RuleModel",
    "RuleSetModel",
    "RulesModel",
    "RulesReport",
    "Summary",
    "ToolModel",
    "TranscriptEvent",
    "TurnModel",
    "TurnPlayerModel",
    "UndecidedModel",
    "UnreadModel",
]

SeverityName = Literal["illegal", "suspicious", "bookkeeping"]
VerdictName = Literal["violation", "unknown"]
FileKindName = Literal["module", "extension", "save", "log", "buildfile", "savedgame"]
EncodingName = Literal["plain", "vcsk", "vobs", "vcsz", "xz"]
EventKind = Literal["move", "place", "remove", "change", "chat", "roll", "undo", "turn", "property", "other"]


class Shape(BaseModel):
    """What all shapes share: frozen, and written under the names that readers see."""

    model_config = ConfigDict(frozen=True, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)


class RulesModel(Shape):
    """The rule set that judged."""

    game: str
    version: str


class ToolModel(Shape):
    """What made the report."""

    version: str
    rules: RulesModel | None = Field(description="null where no rule set fitted")
    profile: str | None = Field(description="the module profile that read the board; null where none fitted")


class InputModel(Shape):
    """One file that was audited."""

    file: str = Field(description="its name, without folders")
    sha256: str
    kind: FileKindName
    steps: int = Field(description="steps of a log; 0 for a save")
    from_turn: str | None
    to_turn: str | None


class RuleCounts(Shape):
    """How many rules of the rule set are asked, are to be asked one day, and cannot be asked of a log."""

    checked: int
    planned: int
    not_checkable: int


class OccasionsModel(Shape):
    """How often a rule was asked, by verdict."""

    legal: int
    violation: int
    unknown: int


class UnreadModel(Shape):
    """What was met and not understood, by name, with the number of times."""

    commands: dict[str, int]
    traits: dict[str, int]
    pieces: dict[str, int]
    places: dict[str, int]


class CoverageModel(Shape):
    """What was looked at and what was not."""

    rules: RuleCounts
    occasions: dict[str, OccasionsModel]
    unread: UnreadModel


class PlaceModel(Shape):
    """Where in the record something was done."""

    log: str
    step: int = Field(description="from 1; 0 is the position before the first step")
    turn: str | None
    phase: str | None


class FindingModel(Shape):
    """A rule that was broken, or could not be decided where that is worth telling."""

    fingerprint: str = Field(description="the same for the same mistake in another log of the same turn")
    rule: str
    cite: str
    verdict: VerdictName
    severity: SeverityName
    because: list[str] = Field(description="why the verdict is unknown; empty for a violation")
    message: str
    place: PlaceModel
    hexes: list[str]
    units: list[str] = Field(description="piece ids")
    facts: dict[str, JsonValue] = Field(description="the numbers compared")
    sealed_by: PlaceModel | None = Field(description="the roll after which it could no longer be put right")
    mended_at: PlaceModel | None = Field(description="where the players put it right after that")
    depends_on: list[str] = Field(description="fingerprints of earlier findings without which this would be legal")


class UndecidedModel(Shape):
    """One thing that is not known, and how many verdicts it would decide."""

    what: str
    because: str
    would_decide: int


class Summary(Shape):
    """Totals."""

    violations: int = Field(description="violations of every severity")
    suspicious: int = Field(description="those of them that another reading of the rules would excuse")
    bookkeeping: int = Field(description="those of them where only a marker or an account is wrong")
    unknown: int = Field(description="occasions that could not be decided")
    legal: int = Field(description="occasions that were checked and are fine")


class RollModel(Shape):
    """A roll of dice."""

    log: str
    step: int
    turn: str | None
    player: str | None
    button: str
    result: str
    faces: list[int] = Field(description="the dice one by one; empty where only their sum or a text is known")
    sides: int | None
    source: Literal["report", "property", "report and property"]
    in_force: bool = Field(description="false if it was taken back for good")
    undone_at: int | None = Field(description="the step that took it back")
    repeats: int | None = Field(description="step of the roll, taken back before, in whose place it was made")
    repeats_in: str | None = Field(description="the log of that roll, if it is another one")
    restored_at: int | None = Field(description="the step that brought it back with the same result")
    restored_in: str | None = Field(description="the log of that step, if it is another one")
    followed_by: str = Field(description="what happened until the next roll, in words")


class LuckModel(Shape):
    """The dice of one kind that one player threw."""

    player: str | None
    sides: int
    sides_inferred: bool
    rolls: int
    undone: int
    faces: dict[str, int]
    mean: float
    expected_mean: float
    chi_square: float | None = Field(description="null where there are too few dice")
    probability: float | None = Field(description="that fair dice are at least as uneven")
    caution: str


class DiceModel(Shape):
    """All rolls, and how they fell by player."""

    rolls: list[RollModel]
    players: list[LuckModel]


class ChainFileModel(Shape):
    """A file in its place in the chain."""

    file: str
    sha256: str
    side: bool = Field(description="not on the main line of the game: a branch, or a second record of the same")
    repeated_steps: int = Field(description="steps at its beginning that another file holds already")
    engine: str | None
    module: str | None
    module_version: str | None
    extensions: list[str]
    players: dict[str, str | None] = Field(description="side by name, at the end of the file")


class PieceDifferenceModel(Shape):
    """A piece that differs between the end of a file and the start of the next."""

    piece: str
    name: str
    changes: list[Literal["added", "removed", "moved", "changed"]]
    before: str | None
    after: str | None
    details: list[str]


class JointModel(Shape):
    """How a file is joined to an earlier one."""

    earlier: str
    later: str
    kind: Literal[
        "continues",
        "differs",
        "something is missing",
        "appended",
        "starts in the middle",
        "branches",
        "same session",
        "saved in the middle",
    ]
    at_step: int | None = Field(description="step of the earlier file after which the later one starts")
    common_steps: int
    pieces: list[PieceDifferenceModel]
    traces: int = Field(description="pieces that differ only in trails and other traits that show nothing")
    besides: list[str]


class DoubleModel(Shape):
    """A file that holds the same as another."""

    file: str
    same_as: str


class ChainModel(Shape):
    """The files of one game in their order."""

    files: list[ChainFileModel]
    joints: list[JointModel]
    doubles: list[DoubleModel]


class NoteModel(Shape):
    """Something worth knowing that is no finding."""

    rule: str
    message: str
    place: PlaceModel
    player: str | None


class TurnPlayerModel(Shape):
    """What one player did in a turn; the empty name stands for acts of which nobody is named."""

    player: str
    moves: int = Field(description="pieces moved")
    changes: int
    rolls: int
    undos: int
    lines: int


class TurnModel(Shape):
    """What was done in one turn of one log."""

    log: str
    turn: str | None
    first_step: int
    last_step: int
    players: list[TurnPlayerModel]


class Report(Shape):
    """The report of an audit."""

    schema_: Literal["vassal-bridge/report/1"] = Field("vassal-bridge/report/1", alias="schema")
    tool: ToolModel
    inputs: list[InputModel]
    coverage: CoverageModel
    findings: list[FindingModel]
    unknown: list[UndecidedModel]
    dice: DiceModel
    chain: list[ChainModel] = Field(description="one for each game that the files belong to, the longest first")
    turns: list[TurnModel]
    notes: list[NoteModel] = Field(description="what the record shows besides and is no finding")
    summary: Summary
    remarks: list[str] = Field(description="what limits the audit, one sentence each")


class BoardModule(Shape):
    """A module or extension, as a file names it."""

    name: str
    version: str | None


class BoardCounts(Shape):
    """What a file holds; commands inside the steps of a log are counted too."""

    commands: int
    pieces: int
    stacks: int
    decks: int
    steps: int
    moves: int
    changes: int
    chat: int
    rolls: int
    undone: int
    unknown_commands: int
    unknown_traits: int


class BoardPiece(Shape):
    """A piece on the board at one moment; ``x`` and ``y`` in map pixels."""

    id: str
    name: str
    map: str | None
    x: int
    y: int
    location: str | None = Field(description="the engine's LocationName; null without a module")
    stack: str | None
    gpid: str | None
    layers: dict[str, JsonValue]
    marks: dict[str, str]
    hidden: bool


class BoardReport(Shape):
    """What a file is and holds, with the board at one moment."""

    schema_: Literal["vassal-bridge/board/1"] = Field("vassal-bridge/board/1", alias="schema")
    file: str
    kind: FileKindName
    encoding: EncodingName | None = Field(description="null for a module or extension, which holds no game text")
    vassal_version: str | None
    module: BoardModule | None
    extensions: list[BoardModule]
    counts: BoardCounts
    holds: dict[str, int] | None = Field(description="what a module or extension holds; null for a save or log")
    pieces: list[BoardPiece]


class EventPlace(Shape):
    """A place on a map, in map pixels; ``location`` as the engine names it, null without a module."""

    map: str | None
    x: int
    y: int
    location: str | None


class TranscriptEvent(Shape):
    """One line of ``transcript --json``."""

    log: str = Field(description="the file, without folders")
    step: int
    kind: EventKind
    who: str | None = Field(description="the player's name or alias, null where the record does not say")
    piece: str | None = Field(description="piece id")
    from_: EventPlace | None = Field(alias="from")
    to: EventPlace | None
    text: str
    undone: bool


class CaseDisagreement(Shape):
    """A case whose verdict or rules differ; ``got`` is ``query`` where an answer differs."""

    id: str
    expected: str
    got: Literal["legal", "violation", "unknown", "query"]
    rules: list[str]


class CaseNotRun(Shape):
    """A case that was not run."""

    id: str
    why: str


class CasesReport(Shape):
    """The report of ``test-rules``."""

    schema_: Literal["vassal-bridge/cases/1"] = Field("vassal-bridge/cases/1", alias="schema")
    cases: int
    agree: int
    disagree: list[CaseDisagreement]
    not_run: list[CaseNotRun]


class RuleModel(Shape):
    """A rule, as its rule set states it."""

    id: str
    title: str
    cite: str
    summary: str
    category: str
    when: str
    status: Literal["checked", "preview", "planned", "not-checkable"]
    severity: Literal["illegal", "suspicious", "bookkeeping", "none"]
    check: str | None
    params: dict[str, JsonValue]
    errata: str | None
    reading: str | None
    same_as: str | None
    see: list[str]
    why: str | None


class RuleSetModel(Shape):
    """The rules of one game."""

    game: str
    title: str
    version: str
    rules: list[RuleModel]


class RulesReport(Shape):
    """What ``rules --json`` writes."""

    schema_: Literal["vassal-bridge/rules/1"] = Field("vassal-bridge/rules/1", alias="schema")
    games: list[RuleSetModel]
