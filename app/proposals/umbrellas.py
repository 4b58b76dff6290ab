"""What is odd about an umbrella: it points at files that were never written, or is too long to be read by anybody."""

import re
from collections.abc import Iterator

from app.history.values import Blob, Snapshot
from app.skills.content import skill_file
from app.skills.parse import parse_skill
from app.skills.values import Finding, Severity

#: What the format advises for one SKILL.md, in lines.
_MOST_LINES = 500
_POINTER = re.compile(r"(?<![\w/.:-])((?:references|scripts|assets|templates)/[\w./-]*\w)")
_SHOWN = 3


def umbrella_findings(before: Snapshot, after: Snapshot) -> tuple[Finding, ...]:
    """Findings about a folder that takes other skills in. `before` is what stood there; its old faults do not count."""
    return (*_hollow(before, after), *_long(before, after))


def missing_files(files: Snapshot) -> tuple[str, ...]:
    """The support files that SKILL.md speaks of, as links or by their path, and that are not there."""
    body = _body(files)
    named = dict.fromkeys(found.group(1) for found in _POINTER.finditer(body))
    folders = {path[:cut] for path in files for cut, char in enumerate(path) if char == "/"}
    return tuple(path for path in named if path not in files and path.rstrip("/") not in folders)


def _hollow(before: Snapshot, after: Snapshot) -> Iterator[Finding]:
    known = missing_files(before)
    missing = [path for path in missing_files(after) if path not in known]
    if missing:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        text = f"It points at files that were never written: {', '.join(missing[:_SHOWN])}{more}."
        yield Finding("UMB.HOLLOW", Severity.WARNING, None, text, "Keep what they should hold, or reject the merge.")


def _long(before: Snapshot, after: Snapshot) -> Iterator[Finding]:
    lines, was = _body(after).count("\n"), _body(before).count("\n")
    if lines > _MOST_LINES >= was:
        text = f"It would have {lines} lines; more than {_MOST_LINES} are seldom read whole."
        yield Finding("UMB.LONG", Severity.WARNING, None, text, "Move parts below references/, or merge fewer skills.")


def _body(files: Snapshot) -> str:
    blob = files.get(skill_file(files), Blob(b""))
    return parse_skill(blob.data, "umbrella").body
