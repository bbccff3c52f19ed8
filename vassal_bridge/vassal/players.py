"""Players under a name that may be shown.

A player's id in a VASSAL file is his password in clear text. It never leaves this package: each id is replaced by an
alias, P1, P2 and so on in the order in which the ids first appear in the file, so the same file gives the same aliases.
"""

from __future__ import annotations

from dataclasses import dataclass

from vassal_bridge.errors import LimitError

__all__ = ["MAX_PLAYERS", "Aliases", "Player"]

MAX_PLAYERS = 1000

# A shorter id would be found in innocent words.
_SHORTEST_TELLTALE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player.

    Attributes:
        alias: P1, P2 and so on.
        name: The name he goes by, as his client formats it.
        side: The side he plays; None if he plays none.
    """

    alias: str
    name: str
    side: str | None = None


class Aliases:
    """The aliases of one file."""

    def __init__(self) -> None:
        self._by_id: dict[str, str] = {}
        self._public: set[str] = set()
        self._telltale: list[tuple[str, str]] | None = None

    def __len__(self) -> int:
        return len(self._by_id)

    def alias(self, player_id: str) -> str:
        """Return the alias of a player, a new one if he has none yet.

        Raises:
            LimitError: There are more players than any game has; every text is searched for the ids of all of them.
        """
        known = self._by_id.get(player_id)
        if known is None:
            if len(self._by_id) >= MAX_PLAYERS:
                raise LimitError(f"the file names more than {MAX_PLAYERS} players")
            known = self._by_id[player_id] = f"P{len(self._by_id) + 1}"
            self._telltale = None
        return known

    def publish(self, *words: str | None) -> None:
        """Remember players' names and sides: such a word is no secret even if it is an id too."""
        self._public.update(word for word in words if word)
        self._telltale = None

    def redact(self, text: str) -> str:
        """Return ``text`` with players' ids replaced.

        Leaves out ids of three characters and less, which stand for something else almost wherever they are found.
        """
        if self._telltale is None:
            secret = [each for each in self._by_id if len(each) >= _SHORTEST_TELLTALE and each not in self._public]
            # The longest first, since one player's id may begin another's.
            self._telltale = [(each, self._by_id[each]) for each in sorted(secret, key=len, reverse=True)]
        for player_id, alias in self._telltale:
            if player_id in text:
                text = text.replace(player_id, alias)
        return text
