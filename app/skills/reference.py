"""The verdict of the reference validator (package skills-ref), asked only when it is installed.

It is somebody else's program: it runs in a child process with a time limit, so that a skill which makes it crash, hang
or eat memory costs the verdict of that one skill and nothing else.
"""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence

VALID, INVALID, CRASH = "valid", "invalid", "crash"

#: So many skills are judged by one child; starting one costs about as much as judging a hundred skills.
BATCH = 200
_SECONDS = 20.0
_SECONDS_EACH = 0.1
_MODULE = "skills_ref.validator"
_PRIVATE = re.compile(r"(?i)key|token|secret|password|credential")
_SCRIPT = f"""
import sys
from pathlib import Path
from {_MODULE} import validate
for line in sys.stdin.buffer.read().split(b"\\0"):
    try:
        said = "invalid" if validate(Path(line.decode("utf-8", "surrogateescape"))) else "valid"
    except Exception:  # the validator's own bug is one of its verdicts
        said = "crash"
    print(said, flush=True)
"""


def is_installed() -> bool:
    """Whether the reference validator can be asked."""
    try:
        return importlib.util.find_spec(_MODULE) is not None
    except (ImportError, ValueError):
        return False


def verdicts(folders: Sequence[str], seconds: float = _SECONDS) -> Iterator[str]:
    """The verdict on each skill's folder, in their order: valid, invalid or crash.

    `seconds` is how long one child may take at least; a skill it stands still at is a crash, and the next child goes on
    behind it.
    """
    place = 0
    while place < len(folders):
        said = _asked(folders[place : place + BATCH], seconds)
        yield from said
        place += len(said)


def _asked(folders: Sequence[str], seconds: float) -> list[str]:
    """The verdicts of one child, up to the skill it did not survive; at least one."""
    limit = seconds + _SECONDS_EACH * len(folders)
    try:
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            input=b"\0".join(os.fsencode(folder) for folder in folders),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if not _PRIVATE.search(name)},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            timeout=limit,
            check=False,
        )
        out = done.stdout
    except subprocess.TimeoutExpired as error:
        out = error.stdout or b""
    lines = [line.decode("ascii", "replace").strip() for line in out.splitlines(keepends=True) if line.endswith(b"\n")]
    said = [line if line in {VALID, INVALID} else CRASH for line in lines[: len(folders)]]
    return said if len(said) == len(folders) else [*said, CRASH]
