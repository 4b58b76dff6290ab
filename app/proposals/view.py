"""One proposal as it is shown: differences, loss, findings, mentions and whether the library has moved on.

Built for one proposal at a time and never for a list, since it reads folders and measures texts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from app.history.store import History
from app.history.values import BlobKind, Conflict, Snapshot
from app.proposals.current import Current
from app.proposals.decisions import changes_of, with_changes
from app.proposals.mentions import mentions_of
from app.proposals.values import Change, Mention, Proposal
from app.skills.parse import Parsed, parse_skill
from app.skills.values import Action, Finding
from app.text.diff import diff_files
from app.text.loss import measure
from app.text.values import FileDiff, Loss

_MAIN = "SKILL.md"


def show(proposal: Proposal, current: Current, history: History) -> Proposal:
    """The full form of a light proposal. Reads only; `moved_on` compares with the folders as they are now."""
    changes = changes_of(proposal)
    mentions = _mentions(changes, current)
    full = {name: _full(change, changes, current, history, mentions) for name, change in changes.items()}
    return with_changes(proposal, full)


def sides(change: Change, history: History) -> tuple[Snapshot, Snapshot]:
    """The folder before and after a change; an absent side is empty."""
    before = history.load(change.base) if change.base else {}
    after = history.load(change.result) if change.result else {}
    return before, after


def differences(before: Snapshot, after: Snapshot) -> tuple[FileDiff, ...]:
    """The differences of two folders; a changed execute bit and a link are named in `mode`."""
    modes = {
        path: f"{before[path].kind.value} → {after[path].kind.value}"
        for path in before.keys() & after.keys()
        if before[path].kind is not after[path].kind
    }
    for side in (before, after):
        links = {path for path, blob in side.items() if blob.kind is BlobKind.LINK}
        modes.update({path: "link" for path in links if path not in modes and before.get(path) != after.get(path)})
    return diff_files(_bytes(before), _bytes(after), modes)


def result_findings(skill: str, after: Snapshot) -> tuple[Finding, ...]:
    """What the format's rules say about a folder as a change would leave it."""
    return _parsed(skill, after).findings


def loss_of(change: Change, history: History, umbrella: Snapshot) -> Loss:
    """What the umbrella's folder keeps of the skill that `change` archives."""
    before, _ = sides(change, history)
    description = _parsed(change.skill, before).description
    return measure(change.name, _bytes(before), description, _bytes(umbrella))


def umbrella_files(
    change: Change, changes: Mapping[str, Change], current: Current, history: History
) -> Snapshot | None:
    """The folder an absorbed skill would stand in: the proposal's own result, else the live umbrella. None: a prune."""
    if not change.into:
        return None
    for other in changes.values():
        if other.skill == change.into and other.result is not None and other.waiting:
            return history.load(other.result)
    return current.files(change.into)


def _full(
    change: Change,
    changes: Mapping[str, Change],
    current: Current,
    history: History,
    mentions: Mapping[str, tuple[Mention, ...]],
) -> Change:
    before, after = sides(change, history)
    umbrella = umbrella_files(change, changes, current, history)
    named = mentions.get(change.name, ()) if change.action is Action.ARCHIVE else ()
    return replace(
        change,
        files=differences(before, after),
        loss=None if umbrella is None else loss_of(change, history, umbrella),
        moved_on=change.waiting and current.tree(change.skill) != change.base,
        conflicts=_conflicts(change, before, history),
        findings=() if change.result is None else result_findings(change.skill, after),
        before_text=_text(before),
        after_text=_text(after),
        mentioned_by=tuple(dict.fromkeys(mention.skill for mention in named)),
        mentions=named,
    )


def _conflicts(change: Change, live: Snapshot, history: History) -> tuple[Conflict, ...]:
    """The stored conflicts with the bytes of their three sides."""
    if not change.conflicts:
        return ()
    ancestor = history.load(change.ancestor) if change.ancestor else {}
    theirs = history.load(change.theirs) if change.theirs else {}
    return tuple(
        Conflict(item.path, _data(ancestor, item.path), _data(live, item.path), _data(theirs, item.path))
        for item in change.conflicts
    )


def _mentions(changes: Mapping[str, Change], current: Current) -> dict[str, tuple[Mention, ...]]:
    archived = [change for change in changes.values() if change.action is Action.ARCHIVE and change.waiting]
    if not archived:
        return {}
    apart = {change.skill for change in archived} | {change.into for change in archived}
    return mentions_of({change.name for change in archived}, _texts(current, apart))


def _texts(current: Current, apart: set[str] | set[str | None]) -> Iterator[tuple[str, str, str]]:
    for skill in current.library.skills:
        if skill.in_home and skill.live and skill.id not in apart:
            data = current.main_file(skill)
            if data is not None:
                yield skill.id, _MAIN, data.decode("utf-8", "replace")


def _parsed(skill: str, files: Snapshot) -> Parsed:
    data = files[_MAIN].data if _MAIN in files else b""
    return parse_skill(data, PurePosixPath(skill).name, tuple(files))


def _bytes(files: Snapshot) -> dict[str, bytes]:
    return {path: blob.data for path, blob in files.items()}


def _data(files: Snapshot, path: str) -> bytes | None:
    return files[path].data if path in files else None


def _text(files: Snapshot) -> str:
    return files[_MAIN].data.decode("utf-8", "replace") if _MAIN in files else ""
