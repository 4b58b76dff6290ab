"""From the start of the process to a window that answers, beside a bare window."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence

from tests.bench.measure import Row, tell


def _start(module: str, arguments: Sequence[str], words: Sequence[str]) -> tuple[dict[str, float], dict[str, str]]:
    """Seconds from the start until each word is printed, and what stood behind it."""
    began = time.perf_counter()
    at: dict[str, float] = {}
    rest: dict[str, str] = {}
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        for line in child.stdout or ():
            word, _, more = line.strip().partition(" ")
            at[word], rest[word] = time.perf_counter() - began, more
    missing = [word for word in words if word not in at]
    if missing:
        raise AssertionError(f"{module} never said {missing}")
    return at, rest


def main() -> None:
    """Measure the home given as the only argument (2,000 skills)."""
    home = sys.argv[1]
    _start("tests.bench.own_window", [home], ["listed"])  # warm: byte code, disk, first record
    bare, own, listed, heavy = [], [], [], ""
    for _ in range(3):
        bare.append(_start("tests.bench.bare_window", [], ["interactive"])[0]["interactive"])
        at, rest = _start("tests.bench.own_window", [home], ["interactive", "listed"])
        own.append(at["interactive"])
        listed.append(at["listed"])
        heavy = rest["interactive"]
    ratio = min(own) / min(bare)
    rows = [
        Row(
            "start to interactive window, 2,000 skills",
            f"{min(own):.2f} s = {ratio:.1f} x bare window",
            "<= 4 x",
            ratio <= 4.0,
            f"bare {min(bare):.2f} s, skills listed after {min(listed):.2f} s",
        ),
        Row("heavy modules before the first paint", heavy or "none", "none", not heavy),
    ]
    tell(rows, own=min(own), bare=min(bare), listed=min(listed))


if __name__ == "__main__":
    main()
