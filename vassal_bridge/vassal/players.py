"""Players under a name that may be shown.

A player's id in a VASSAL file is his password in clear text. It never leaves this package: each id is replaced by an
alias, P1, P2 and so on in the order in which the ids first appear in the file, so the same file gives the same aliases.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Aliases", "Player"]

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

    def __len__(self) -> int:
        return len(self._by_id)

    def alias(self, player_id: str) -> str:
        """Return the alias of a player, a new one if he has none yet."""
        return self._by_id.setdefault(player_id, f"P{len(self._by_id) + 1}")

    def known(self, text: str) -> str | None:
        """Return the alias if ``text`` is the id of a player met before."""
        return self._by_id.get(text)

    def is_public(self, *words: str | None) -> None:
        """Remember players' names and sides: such a word is no secret even if it is an id too."""
        self._public.update(word for word in words if word)

    def redact(self, text: str) -> str:
        """Return ``text`` with players' ids replaced, where it is one or, if it is long enough to tell, holds one."""
        for player_id, alias in self._by_id.items():
            if len(player_id) >= _SHORTEST_TELLTALE and player_id in text and player_id not in self._public:
                text = text.replace(player_id, alias)
        return text
