"""Read a TOML file of ours as a typed value: one way to open it, one form for its faults."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from vassal_bridge.errors import ProfileError

__all__ = ["read_toml", "refusal"]

Parsed = TypeVar("Parsed", bound=BaseModel)


def read_toml(path: Path, model: type[Parsed]) -> Parsed:
    """Read and validate one of the files of a module folder.

    Raises:
        ProfileError: The file is missing, no TOML, or has faults; ``problems`` lists every one of them.
    """
    try:
        return model.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ProfileError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError as error:
        raise ProfileError("is not UTF-8 text", file=str(path), place=f"byte {error.start}") from None
    except ValidationError as error:
        raise refusal(path, [_fault(each["loc"], each["msg"]) for each in error.errors()]) from None
    except (ValueError, RecursionError) as error:  # a number of 5000 digits is an error of its own
        raise ProfileError(f"is not TOML: {error}", file=str(path)) from None


def refusal(path: Path, problems: list[str]) -> ProfileError:
    """Return the error for a file with faults."""
    return ProfileError(problems[0], file=str(path), problems=tuple(problems))


def _fault(where: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(str(part) for part in where)}: {message.removeprefix('Value error, ')}"
