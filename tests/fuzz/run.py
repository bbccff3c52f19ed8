"""Run one coverage-guided fuzzer; only a ``BridgeError`` may escape from a target.

    python tests/fuzz/run.py TARGET --minutes 10

A target is a module in ``targets``: where it starts from (``seeds``), words worth inserting (``WORDS``), and what is
done with one input (``try_one``). Needs atheris (``pip install -e .[fuzz]``). An input that fails, hangs or fills the
memory is left in the folder, and told with its traceback.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = sorted(
    path.stem for path in (ROOT / "tests/fuzz/targets").glob("*.py") if path.stem not in ("reader", "__init__")
)
LONGEST_INPUT = 4096
SECONDS_PER_INPUT = 10
MEGABYTES = 2048


def main() -> None:
    options = _options()
    folder = options.folder or Path(tempfile.gettempdir()) / f"fuzz-{options.target}"
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(ROOT))
    import atheris

    with atheris.instrument_imports(include=["vassal_bridge"], enable_loader_override=False):
        target = importlib.import_module(f"tests.fuzz.targets.{options.target}")
    from vassal_bridge.errors import BridgeError

    def try_one(data: bytes) -> None:
        with suppress(BridgeError):
            target.try_one(data)

    seeds = target.seeds()
    for seed in seeds:
        (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    words = folder / "words.txt"
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in target.WORDS), "ascii")
    longest = max(LONGEST_INPUT, *(2 * len(seed) for seed in seeds))
    arguments = [
        f"-max_total_time={round(60 * options.minutes)}",
        f"-timeout={SECONDS_PER_INPUT}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-max_len={longest}",
        f"-dict={words}",
        f"-artifact_prefix={folder}/",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *arguments, str(corpus)], try_one)
    atheris.Fuzz()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--folder", type=Path, help="where inputs and failures are kept")
    return parser.parse_args()


def _quoted(word: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main()
