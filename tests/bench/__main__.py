"""Measures everything that has a bar: `python -m tests.bench OUT.json [--quick]`; a process of its own for each group.

The table says for each row whether its bar is met; ratios are taken in one run against the stated base.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.made import make_library

LARGE, SMALL = 5000, 2000
GENERATED = 70_000


def _group(module: str, arguments: list[str]) -> dict:
    """Run one group and read what it tells in its last line."""
    command = [sys.executable, "-m", f"tests.bench.{module}", *arguments]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        sys.stderr.write(done.stderr[-4000:])
        row = {"name": module, "value": "did not end well", "bar": "", "met": False, "detail": "see the error above"}
        return {"rows": [row], "figures": {}}
    return json.loads(lines[-1])


def _line(row: dict) -> str:
    word = {True: "met", False: "NOT met", None: ""}[row["met"]]
    shown = f"{row['name']:<58} {row['value']:<44} {row['bar']:<28} {word:<8}"
    return f"{shown} {row['detail']}".rstrip()


def main() -> int:
    """Run every group, print the table, keep it as JSON; 1 when a bar is missed."""
    named = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    quick = ["--quick"] if "--quick" in sys.argv else []
    out = Path(named[0]) if named else Path("out/bench.json")
    root = Path(tempfile.mkdtemp(prefix="melete-bench-"))
    results: dict[str, dict] = {}
    try:
        make_library(root / "large", LARGE, 2000 if quick else GENERATED)
        make_library(root / "small", SMALL)
        time.sleep(2.5)  # a file this young is read again at each look
        large, small = str(root / "large"), str(root / "small")
        groups = {
            "scanning": [large],
            "writing": [large],
            "searching": [],
            "caching": [],
            "starting": [small],
            "drawing": [large],
            "chatting": [],
            "living": [large],
        }
        for module, arguments in groups.items():
            results[module] = _group(module, [*arguments, *quick])
            for row in results[module]["rows"]:
                sys.stdout.write(_line(row) + "\n")
            sys.stdout.flush()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    machine = {"python": platform.python_version(), "system": platform.platform(), "cores": os.cpu_count()}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"machine": machine, "quick": bool(quick), "groups": results}, indent=2), "utf-8")
    missed = sum(row["met"] is False for group in results.values() for row in group["rows"])
    sys.stdout.write(f"\n{missed} bars are not met; figures are in {out}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
