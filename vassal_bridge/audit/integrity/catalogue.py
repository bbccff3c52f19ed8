"""What the integrity audit looks for, each with an id that never changes and an explanation for players.

They are rules in the sense of the reports, so that both audits share one form of finding; but they belong to no game
and no rulebook, and no one need state them. What is a note and no finding has severity ``none``.
"""

from __future__ import annotations

from typing import Final

from vassal_bridge.rulebook.check import When
from vassal_bridge.rulebook.rule import Category, Rule, Severity, Status

__all__ = ["CATALOGUE", "explanation_of"]

_SUSPICIOUS: Final = Severity.SUSPICIOUS
_BOOKKEEPING: Final = Severity.BOOKKEEPING
_NOTE: Final = Severity.NONE

_ENTRIES: Final = (
    (
        "INT-CHAIN-DIFFERS",
        "A file starts elsewhere than the one before ended",
        _SUSPICIOUS,
        "Every log starts with the whole position. Where it is not the one that the file before ended with, pieces "
        "were moved, made, deleted or changed while nothing was recorded, or a file between the two is not among "
        "those given. Often it is honest: a set-up prepared before logging began, or a mistake put right by hand. "
        "The list of pieces tells. Left out are what the engine changes by itself: the order and ids of stacks, and"
        " trails.",
    ),
    (
        "INT-CHAIN-MISSING",
        "A file seems to be missing",
        _SUSPICIOUS,
        "Between two files the position changed by as much as a whole file of this game changes it, or the turn "
        "tracker went on. Most likely a log between them is not among those given. A save made in between that fits"
        " is used if it is among the files.",
    ),
    (
        "INT-CHAIN-RELOADED",
        "A file starts from the middle of another",
        _SUSPICIOUS,
        "The file starts from the position that another log had in the middle. The steps after that point, rolls "
        "among them, were played and then dropped: somebody loaded an earlier save and went on from there. If both "
        "players had agreed to take the turn back, nothing is wrong.",
    ),
    (
        "INT-CHAIN-BRANCH",
        "Two files go on from one position",
        _SUSPICIOUS,
        "Two logs start from the same position, perhaps share their first steps, and then do different things. Only"
        " one can belong to the game: the other was replaced. Compare the rolls after the place where they part.",
    ),
    (
        "INT-CHAIN-APPENDED",
        "A file repeats another and goes on",
        _NOTE,
        "A player who steps through a log while he records one copies its steps into the new log. The repeated "
        "steps are counted once.",
    ),
    (
        "INT-CHAIN-SAME-SESSION",
        "Two records of one session",
        _NOTE,
        "In a live game each player's client logs what both do, in the order of its own screen. One of the records "
        "is used, the other is only compared.",
    ),
    (
        "INT-CHAIN-DOUBLE",
        "The same file twice",
        _NOTE,
        "Two files hold the same text, whatever they are called and however they are encoded. It is counted once.",
    ),
    (
        "INT-CHAIN-SNAPSHOT",
        "A save made during a log",
        _NOTE,
        "The save holds a position in the middle of a log; no other file goes on from it.",
    ),
    (
        "INT-CHAIN-UNRELATED",
        "Files of another game",
        _BOOKKEEPING,
        "The files share no pieces with the others, so they belong to another game or were set up anew. They are "
        "audited as a chain of their own.",
    ),
    (
        "INT-CHAIN-DAMAGED",
        "A file is damaged or cut short",
        _BOOKKEEPING,
        "Only a part of the file can be read. What follows that part is not known.",
    ),
    (
        "INT-DICE-REROLL",
        "A roll was taken back and made again",
        _SUSPICIOUS,
        "A roll was undone and the same dice were thrown again soon after. Both results are shown. Sometimes the "
        "wrong button was pressed, or both players agreed.",
    ),
    (
        "INT-DICE-RESTORED",
        "A roll was taken back and brought back",
        _NOTE,
        "A roll was undone, and the same result stands in the log again: a player who steps forward after an undo "
        "brings back what he took back. It is counted once.",
    ),
    (
        "INT-DICE-UNBACKED",
        "A line that looks like a roll",
        _BOOKKEEPING,
        "Since VASSAL 3.1 a dice button leaves its result in properties as well as in the chat. This line looks "
        "like the button's, but there is no result with it, as there is with the other rolls of that button. A "
        "trait of a counter can write such a line.",
    ),
    (
        "INT-DICE-SILENT",
        "A roll without a line in the chat",
        _NOTE,
        "The dice button wrote no line, so the other player may not have seen the roll; its result stands in the "
        "log. Modules use this for private rolls.",
    ),
    (
        "INT-UNDO-INFORMED",
        "Something was taken back after it had brought something to light",
        _SUSPICIOUS,
        "An act was undone that had shown a die roll, a masked or hidden piece, or a card. What was seen cannot be "
        "unseen. The finding says what was visible and what was taken back with it.",
    ),
    (
        "INT-UNDO-FLIP",
        "A turned counter was turned back by undo",
        _BOOKKEEPING,
        "The counter's other face was visible before the undo. That matters in games with untried units, and is an "
        "everyday slip in others.",
    ),
    (
        "INT-UNDO-PLAIN",
        "A plain act was taken back",
        _NOTE,
        "A move or a line was undone and nothing had come to light by it.",
    ),
    (
        "INT-UNDO-LOOSE",
        "An undo of something that is not in this log",
        _NOTE,
        "A line says that something was undone, but no step of this log is what was undone.",
    ),
    (
        "INT-HIDDEN-PEEK",
        "A piece was uncovered and covered again",
        _SUSPICIOUS,
        "The mask or invisibility of a piece was taken off and put on again without the piece having moved. If "
        "somebody else than its owner did it, he has seen it. Looking beneath a mask with the peek command leaves "
        "no trace in a log.",
    ),
    (
        "INT-HIDDEN-BY-OTHER",
        "A piece was uncovered by another than its owner",
        _SUSPICIOUS,
        "The mask or invisibility of a piece was taken off in a step of a player who does not own it. Some modules "
        "and some rules allow that.",
    ),
    (
        "INT-HIDDEN-TAKEN",
        "A masked piece changed its owner",
        _SUSPICIOUS,
        "The piece stays out of sight, but for another player than before: the new one has been able to look.",
    ),
    (
        "INT-HIDDEN-SHOWN",
        "A piece came to light",
        _NOTE,
        "A mask or invisibility was taken off, by its owner or by somebody whom the record does not name.",
    ),
    (
        "INT-HIDDEN-DRAWN",
        "Cards were drawn",
        _NOTE,
        "Cards or counters left a deck.",
    ),
    (
        "INT-SIDE-CHANGED",
        "A player changed sides",
        _SUSPICIOUS,
        "A player who had one side took another, and has been able to see what both hide.",
    ),
    (
        "INT-SIDE-JOINED",
        "Somebody joined or left",
        _NOTE,
        "A player or onlooker joined, or gave up his side.",
    ),
    (
        "INT-RECORD-LOADED",
        "A saved position was loaded in the middle of a log",
        _SUSPICIOUS,
        "The log holds a whole position among its steps: what was on the board before is gone.",
    ),
    (
        "INT-RECORD-GAP",
        "A step does not fit the record",
        _SUSPICIOUS,
        "A step of a log says where a moved piece came from and what state a changed one had. In a whole log of "
        "today's engines this agrees with the steps before. Here it does not: steps were cut out, or something was "
        "done that was not recorded. In a live game two players can also move one piece at the same moment.",
    ),
    (
        "INT-RECORD-GAP-OLD",
        "A step of an old log does not fit the record",
        _NOTE,
        "As INT-RECORD-GAP; but engines before VASSAL 3 repeat steps when they undo, so in their logs it means little.",
    ),
    (
        "INT-RECORD-TELEPORT",
        "A piece was moved without a move",
        _BOOKKEEPING,
        "The piece is elsewhere because its state was changed, and neither it nor its stack was moved.",
    ),
    (
        "INT-RECORD-DOUBLED",
        "A counter that was unique is there twice",
        _BOOKKEEPING,
        "At the start of the file there was one piece of this name and make; now there are two or more. A clone, or"
        " one taken from the palette by mistake.",
    ),
    (
        "INT-RECORD-TURN-BACK",
        "The turn tracker was set back",
        _BOOKKEEPING,
        "The tracker shows an earlier turn than before, by hand and not by undo, and was not set forward again at "
        "once.",
    ),
    (
        "INT-RECORD-VALUE-BACK",
        "A number was set back by hand",
        _NOTE,
        "A property of the module, a map or a zone was set to the value it had before, in a step that does nothing "
        "else.",
    ),
    (
        "INT-RECORD-EDITED",
        "A counter was written on",
        _NOTE,
        "The text, property sheet or spreadsheet of a counter was changed.",
    ),
    (
        "INT-RECORD-MADE",
        "Pieces were made",
        _NOTE,
        "Pieces were taken from the palette, cloned or placed.",
    ),
    (
        "INT-RECORD-DELETED",
        "Pieces were deleted",
        _NOTE,
        "Pieces left the game.",
    ),
    (
        "INT-RECORD-REPLACED",
        "Pieces were replaced",
        _NOTE,
        "In one step some pieces left the game and others came.",
    ),
    (
        "INT-VERSION-MODULE",
        "Another module or version of it",
        _BOOKKEEPING,
        "Files of one game were made with different modules or versions, or with another than the one given. Pieces"
        " and places may then mean different things.",
    ),
    (
        "INT-VERSION-EXTENSIONS",
        "Other extensions",
        _BOOKKEEPING,
        "The set of extensions or their versions changed between two files of one game.",
    ),
    (
        "INT-VERSION-ENGINE",
        "Another VASSAL",
        _NOTE,
        "The files were written by different versions of VASSAL.",
    ),
)

CATALOGUE: Final = {
    identity: Rule(
        id=identity,
        title=title,
        cite="record",
        summary=summary,
        category=Category.CONTINUITY,
        when=When.STATE,
        status=Status.CHECKED,
        severity=severity,
    )
    for identity, title, severity, summary in _ENTRIES
}
"""The entries by id, in the order in which a report explains them."""


def explanation_of(identity: str) -> str | None:
    """Return an entry in plain words, None if there is no such entry."""
    rule = CATALOGUE.get(identity.upper())
    if rule is None:
        return None
    kind = "a note, not a finding" if rule.severity is Severity.NONE else f"a finding, {rule.severity}"
    return f"{rule.id}: {rule.title}\n{kind}; any game\n\n{rule.summary}\n"
