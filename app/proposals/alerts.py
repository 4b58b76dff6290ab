"""What a reviewer should look at twice: characters nobody can see, and text that reads like an order to the agent.

Only what a change brings counts; what stood there before is the library's business.
"""

from collections.abc import Iterator

from app.history.values import Blob, BlobKind, Snapshot
from app.skills.values import Finding, Severity
from app.text.invisible import hidden
from app.text.suspicious import instruction_like


def alerts(before: Snapshot, after: Snapshot) -> tuple[Finding, ...]:
    """Findings about the changed files of a folder; the line counts in the file that the message names."""
    return tuple(
        finding
        for path in sorted(after)
        if before.get(path) != after[path]
        for finding in _file_alerts(path, _text(before.get(path)), _text(after[path]))
    )


def text_alerts(before: str, after: str) -> tuple[Finding, ...]:
    """The same for one text (a memory store)."""
    return tuple(_file_alerts("", before, after))


def _file_alerts(path: str, before: str, after: str) -> Iterator[Finding]:
    known = set(before.splitlines())
    where = f"{path}: " if path else ""
    for number, line in enumerate(after.splitlines(), 1):
        if line in known:
            continue
        found = hidden(line)
        if found:
            names = ", ".join(dict.fromkeys(name.lower() for _, _, name in found))
            text = f"{where}this line holds characters nobody can see ({names})."
            yield Finding("TXT.HIDDEN", Severity.WARNING, number, text, "They are shown as marks; remove them.")
        why = instruction_like(line)
        if why:
            text = f"{where}this line reads like an order to the agent: {why}."
            yield Finding("TXT.ORDER", Severity.WARNING, number, text, "Approve it only if you want it obeyed.")


def _text(blob: Blob | None) -> str:
    if blob is None or blob.kind is BlobKind.LINK or b"\0" in blob.data:
        return ""
    return blob.data.decode("utf-8", "replace")
