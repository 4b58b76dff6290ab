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
    bare_cpu, own_cpu = [], []
    for _ in range(3):
        at, rest = _start("tests.bench.bare_window", [], ["interactive", "cpu"])
        bare.append(at["interactive"])
        bare_cpu.append(float(rest["cpu"]))
        at, rest = _start("tests.bench.own_window", [home], ["interactive", "cpu", "listed"])
        own.append(at["interactive"])
        own_cpu.append(float(rest["cpu"]))
        listed.append(at["listed"])
        heavy = rest["interactive"]
    ratio, worked = min(own) / min(bare), min(own_cpu) / min(bare_cpu)
    rows = [
        Row(
            "start to interactive window, 2,000 skills",
            f"{min(own):.2f} s = {ratio:.1f} x bare window",
            "<= 4 x",
            ratio <= 4.0,
            f"bare {min(bare):.2f} s; of processor time {min(own_cpu):.2f} s = {worked:.1f} x; "
            f"skills listed after {min(listed):.2f} s",
        ),
        Row("heavy modules before the first paint", heavy or "none", "none", not heavy),
    ]
    tell(rows, own=min(own), bare=min(bare), listed=min(listed))


if __name__ == "__main__":
    main()
