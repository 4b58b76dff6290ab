"""Whether what a request would write is a skill: it must load, and must bring no error that was not there before."""

from app.history.values import BlobKind, Snapshot
from app.skills.content import skill_file
from app.skills.parse import Parsed, parse_skill
from app.skills.values import Finding, Load, Severity

_LONGEST_TEXT = 100_000
_LARGEST_FILE = 1 << 20


def result_problem(before: Snapshot | None, after: Snapshot, folder_name: str, *, lenient: bool = False) -> str:
    """Why the content may not be written, with the line and the fix; empty when it may.

    `lenient` takes everything that loads (content that stood in the library before).
    """
    name = skill_file(after)
    blob = after.get(name)
    if blob is None or blob.kind is BlobKind.LINK:
        return "The result has no SKILL.md, so it would be no skill."
    if before is not None and before.get(name) == blob:
        return ""
    new = parse_skill(blob.data, folder_name, frozenset(after))
    if new.load is Load.SKIP:
        return f"The result is no usable skill. {_spoken(_worst(new))}"
    if lenient:
        return ""
    old_errors = _errors(parse_skill(before[name].data, folder_name)) if before and name in before else set()
    added = [one for one in new.findings if one.severity is Severity.ERROR and one.rule not in old_errors]
    return f"The result breaks the format. {_spoken(added[0])}" if added else ""


def findings_of(after: Snapshot, folder_name: str) -> tuple[Finding, ...]:
    """The remarks about a skill's content."""
    blob = after.get(skill_file(after))
    return () if blob is None else parse_skill(blob.data, folder_name, frozenset(after)).findings


def size_problem(path: str, data: bytes) -> str:
    """Why a file is too large for a model to write."""
    if len(data) > _LARGEST_FILE:
        return f"{path} would have {len(data):,} bytes; {_LARGEST_FILE:,} are allowed."
    if len(data.decode("utf-8", "replace")) > _LONGEST_TEXT:
        return f"{path} would have more than {_LONGEST_TEXT:,} characters. Move parts to files below references/."
    return ""


def _errors(parsed: Parsed) -> set[str]:
    return {one.rule for one in parsed.findings if one.severity is Severity.ERROR}


def _worst(parsed: Parsed) -> Finding | None:
    errors = [one for one in parsed.findings if one.severity is Severity.ERROR]
    return next(iter([*errors, *parsed.findings]), None)


def _spoken(finding: Finding | None) -> str:
    if finding is None:
        return "It cannot be read."
    line = f"Line {finding.line}: " if finding.line else ""
    return f"{line}{finding.message} {finding.fix or ''}".strip()
