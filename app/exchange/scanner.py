"""The optional second opinion of `skill-scanner` (package cisco-ai-skill-scanner), asked only when it is installed.

It is a program of its own, not a library of ours: it needs another generation of the model provider's client than
Melete does, so the two cannot share an environment. It gets a copy in the quarantine, no keys, and none of the options
that reach the network.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.cancel import Cancelled, CancelToken
from app.exchange.values import Hint, Risk
from app.history.values import Blob
from app.history.walk import write_folder
from app.text.invisible import terminal_safe

PROGRAM = "skill-scanner"
_SECONDS = 120
_LARGEST = 20_000_000
_GRAVE = frozenset({"CRITICAL", "HIGH"})
_SLIGHT = frozenset({"INFO", "SAFE"})
_PRIVATE = re.compile(r"(?i)key|token|secret|password|credential")


def installed() -> str:
    """The scanner's path, empty when it is not installed."""
    return shutil.which(PROGRAM) or ""


def second_opinion(program: str, files: Mapping[str, Blob], folder: Path, token: CancelToken) -> tuple[Hint, ...]:
    """What the scanner says about a skill; `folder` is a new place in the quarantine. Its own failure is a hint, too.

    Raises Cancelled at once when the token is set.
    """
    write_folder(folder, files, durable=False)
    answer = folder.with_name(f"{folder.name}.json")
    process = subprocess.Popen(
        [program, "scan", str(folder), "--lenient", "--format", "json", "--output-json", str(answer)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not _PRIVATE.search(name)},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    forget = token.on_cancel(process.kill)
    try:
        process.wait(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return (_failed(f"it took more than {_SECONDS} seconds"),)
    finally:
        forget()
        process.kill()
        process.wait()
    if token.cancelled:
        raise Cancelled
    return _read(answer)


def _read(answer: Path) -> tuple[Hint, ...]:
    try:
        if answer.stat().st_size > _LARGEST:
            return (_failed("its answer is too long"),)
        loaded = json.loads(answer.read_bytes())
    except (OSError, ValueError, RecursionError):
        return (_failed("it gave no answer"),)
    results = loaded.get("results", [loaded]) if isinstance(loaded, dict) else []
    rows = [row for result in results if isinstance(result, dict) for row in result.get("findings", [])]
    return tuple(_hint(row) for row in rows if isinstance(row, dict))


def _hint(row: Mapping[str, Any]) -> Hint:
    severity = str(row.get("severity")).upper()
    risk = Risk.DANGER if severity in _GRAVE else Risk.CLEAR if severity in _SLIGHT else Risk.CAUTION
    line = row.get("line_number")
    return Hint(
        f"SCANNER.{_short(row.get('rule_id'), 60)}",
        risk,
        _short(row.get("file_path") or "SKILL.md", 200),
        line if isinstance(line, int) else None,
        _short(row.get("title"), 300),
        _short(row.get("snippet") or "", 160),
    )


def _failed(why: str) -> Hint:
    return Hint("SCANNER.FAILED", Risk.CAUTION, "SKILL.md", None, f"{PROGRAM} has no opinion: {why}.")


def _short(value: object, most: int) -> str:
    return terminal_safe(str(value), one_line=True)[:most]
