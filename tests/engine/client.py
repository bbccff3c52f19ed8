"""Talk to a real VASSAL engine through EngineDriver (see java/EngineDriver.java).

What the engine and the driver need is installed by ``.ci/engine.sh``. The driver is compiled when it is first asked
for, into the folder that holds the engine's jar.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Any

__all__ = ["Engine", "EngineError", "class_path", "missing"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JAVA = HERE / "java"

# batik-all also stands in for the batik jars that the engine's manifest names.
LIBRARIES = [
    "batik-all",
    "commons-codec",
    "commons-io",
    "commons-lang3",
    "httpcore5",
    "logback-classic",
    "logback-core",
    "maven3-artifact",
    "miglayout-core",
    "miglayout-swing",
    "slf4j-api",
    "TimingFramework",
    "xml-apis-ext",
    "xmlgraphics-commons",
]


class EngineError(RuntimeError):
    """The engine answered that a command failed, or did not answer."""


def engine_folder() -> Path:
    return Path(os.environ.get("VASSAL_BRIDGE_ENGINE", ROOT / ".engine"))


def missing() -> str:
    """Return what is not installed, or nothing if an engine can be run."""
    lacking = [program for program in ("java", "javac", "Xvfb") if shutil.which(program) is None]
    jars = [engine_folder() / "Vengine.jar", *_library_jars()]
    lacking += [str(jar) for jar in jars if not jar.is_file()]
    return ", ".join(lacking)


def class_path() -> str:
    """Return the class path of driver and engine; compile the driver if that has not been done."""
    engine = os.pathsep.join([str(engine_folder() / "Vengine.jar"), *map(str, _library_jars())])
    sources = sorted(JAVA.rglob("*.java"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    classes = engine_folder() / f"classes-{digest}"
    if not classes.is_dir():
        with tempfile.TemporaryDirectory(dir=engine_folder()) as scratch:
            subprocess.run(["javac", "-nowarn", "-cp", engine, "-d", scratch, *map(str, sources)], check=True)
            shutil.copytree(scratch, classes)
    return os.pathsep.join([str(classes), engine])


def _library_jars() -> list[Path]:
    return [Path("/usr/share/java") / f"{name}.jar" for name in LIBRARIES]


class Engine:
    """One engine process with one module open.

    ``with Engine(module) as engine: engine.do("new"); engine.do("side", "Axis"); engine.do("state")``

    Args:
        module: The module to open.
        seed: Of the dice; two runs with one seed roll the same.
        start_limit: Seconds that the start may take.
        limit: Seconds that one command may take.
    """

    def __init__(self, module: Path, *, seed: int | None = None, start_limit: float = 60, limit: float = 600) -> None:
        self.module = module
        self.seed = seed
        self.start_limit = start_limit
        self.limit = limit
        self.dialogs: list[str] = []
        self.hello: dict[str, Any] = {}
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._log: IO[str] | None = None
        self._xvfb: subprocess.Popen[bytes] | None = None
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Engine:
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="vassal-conf-")
        self._log = (Path(self._scratch.name) / "engine.log").open("w", encoding="utf-8")
        environment = dict(os.environ)
        if not environment.get("DISPLAY"):
            environment["DISPLAY"] = self._start_xvfb()
        # The two options halve the time of short runs.
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", f"-DVASSAL.conf={self._scratch.name}"]
        command += [f"-Djava.io.tmpdir={self._scratch.name}", f"-Dlogback.configurationFile={JAVA / 'logback.xml'}"]
        command += ["-cp", class_path(), "EngineDriver", str(self.module)]
        if self.seed is not None:
            command.append(str(self.seed))
        self._process = subprocess.Popen(
            command,
            env=environment,
            text=True,
            encoding="utf-8",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        self.hello = self._read(self.start_limit)

    def _start_xvfb(self) -> str:
        # -terminate: it ends with its last client, also if we are killed. It must not hold our standard output, or a
        # pipe never closes.
        read, write = os.pipe()
        with os.fdopen(read) as answer:
            try:
                self._xvfb = subprocess.Popen(
                    ["Xvfb", "-displayfd", str(write), "-terminate", "-screen", "0", "1280x1024x24"],
                    pass_fds=[write],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            finally:
                os.close(write)
            number = answer.readline().strip()
        if not number:
            raise EngineError("Xvfb did not start")
        return f":{number}"

    def do(self, *words: object) -> Any:
        """Give a command of EngineDriver and return its result.

        Raises:
            EngineError: The command failed, took too long, or the engine is gone.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("\t".join(map(str, words)) + "\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it is gone; _read says why
        return self._read(self.limit).get("result")

    def _read(self, limit: float) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        late = threading.Event()

        def stop() -> None:
            late.set()
            assert self._process is not None
            self._process.kill()

        timer = threading.Timer(limit, stop)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if not line:
            why = f"no answer in {limit} s" if late.is_set() else f"the engine has stopped, code {self._process.wait()}"
            raise EngineError(f"{why}: {self.errors()[-2000:]}")
        reply: dict[str, Any] = json.loads(line)
        self.dialogs += reply.get("dialogs", [])
        if not reply["ok"]:
            raise EngineError(reply["error"])
        return reply

    def errors(self) -> str:
        """Return what the engine wrote to its standard error so far."""
        if self._log is None:
            return ""
        return Path(self._log.name).read_text("utf-8", "replace").strip()

    def close(self) -> None:
        """End what was started; safe after a start that failed half-way."""
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            try:
                self._process.stdin.write("quit\n")
                self._process.stdin.close()
                self._process.wait(30)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
            self._process.stdout.close()
        if self._xvfb is not None:
            self._xvfb.terminate()
            self._xvfb.wait()
        if self._log is not None:
            self._log.close()
        if self._scratch is not None:
            self._scratch.cleanup()
