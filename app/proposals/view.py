"""One proposal as it is shown: differences, loss, findings, mentions and whether the library has moved on.

Built for one proposal at a time and never for a list, since it reads folders and measures texts.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.history.store import History
from app.history.values import BlobKind, Conflict, Snapshot
from app.proposals.alerts import alerts, text_alerts
from app.proposals.current import Current
from app.proposals.decisions import changes_of, with_changes
from app.proposals.memory_wishes import memory_sides
from app.proposals.mentions import mentions_of
from app.proposals.umbrellas import umbrella_findings
from app.proposals.values import Change, Mention, Proposal
from app.skills.content import skill_file
from app.skills.parse import parse_skill
from app.skills.validity import findings_of
from app.skills.values import Action
from app.text.diff import diff_files, diff_text
from app.text.loss import Keeping
from app.text.values import FileDiff, Loss


def show(proposal: Proposal, current: Current, history: History) -> Proposal:
    """The full form of a light proposal. Reads only; `moved_on` compares with the folders as they are now."""
    changes = changes_of(proposal)
    mentions = _mentions(changes, current)
    losses = _Losses(changes, current, history)
    full = {name: _full(change, losses, current, history, mentions) for name, change in changes.items()}
    return with_changes(proposal, full)


def was_merged(change: Change) -> bool:
    """Whether this revision was made because the library moved on: it then knows what it was made from."""
    return bool(change.theirs) or change.ancestor not in {None, change.base}


def marked(proposal: Proposal, standing: Mapping[str, str]) -> Proposal:
    """A light proposal with `moved_on` of its waiting changes, against `standing` (tree ids by prefix of the ledger).

    No folder is read. What the ledger does not hold (yet) is found when the proposal is shown.
    """
    moved = {
        name: replace(change, moved_on=True)
        for name, change in changes_of(proposal).items()
        if change.waiting and change.memory is None and (was_merged(change) or _differs(change, standing))
    }
    return with_changes(proposal, moved) if moved else proposal


def _differs(change: Change, standing: Mapping[str, str]) -> bool:
    here = standing.get(f"skills/{change.skill}")
    return here is not None and here != change.base


def show_change(change: Change, proposal: Proposal, current: Current, history: History) -> Change:
    """The full form of one change (which may be another revision than the stored one), mentions left out."""
    losses = _Losses({**changes_of(proposal), change.id: change}, current, history)
    return _full(change, losses, current, history, {})


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


def loss_of(change: Change, history: History, umbrella: Snapshot) -> Loss:
    """What the umbrella's folder keeps of the skill that `change` archives."""
    return _measured(Keeping(_bytes(umbrella)), change, sides(change, history)[0])


class _Losses:
    """Measures what umbrellas keep of the skills they take in; each umbrella's texts are read once."""

    def __init__(self, changes: Mapping[str, Change], current: Current, history: History) -> None:
        self._changes = changes
        self._current = current
        self._history = history
        self._kept: dict[str, Keeping] = {}

    def absorbs(self, change: Change) -> bool:
        """Whether a change's skill takes others of the proposal in."""
        return change.result is not None and any(other.into == change.skill for other in self._changes.values())

    def of(self, change: Change, before: Snapshot) -> Loss | None:
        """What is kept of the skill that `change` archives; None when nothing takes it in."""
        if not change.into:
            return None
        if change.into not in self._kept:
            umbrella = umbrella_files(change, self._changes, self._current, self._history)
            if umbrella is None:
                return None
            self._kept[change.into] = Keeping(_bytes(umbrella))
        return _measured(self._kept[change.into], change, before)


def _full(
    change: Change,
    losses: _Losses,
    current: Current,
    history: History,
    mentions: Mapping[str, tuple[Mention, ...]],
) -> Change:
    if change.memory is not None:
        return _full_memory(change, current)
    before, after = sides(change, history)
    named = mentions.get(change.skill, ()) if change.action is Action.ARCHIVE else ()
    return replace(
        change,
        files=differences(before, after),
        loss=losses.of(change, before),
        moved_on=change.waiting and (was_merged(change) or current.tree(change.skill) != change.base),
        conflicts=_conflicts(change, before, history),
        findings=(
            *(umbrella_findings(before, after) if losses.absorbs(change) else ()),
            *findings_of(after, change.skill.rpartition("/")[2]),
            *alerts(before, after),
        ),
        before_text=_text(before),
        after_text=_text(after),
        mentioned_by=tuple(dict.fromkeys(mention.skill for mention in named)),
        mentions=named,
    )


def _measured(keeping: Keeping, change: Change, before: Snapshot) -> Loss:
    main = before.get(skill_file(before))
    description = parse_skill(main.data if main else b"", change.name).description
    return keeping.measure(change.name, _bytes(before), description)


def _full_memory(change: Change, current: Current) -> Change:
    before, after, fits = memory_sides(change, current)
    file = (diff_text(change.name, before.encode(), after.encode()),) if before != after else ()
    return replace(
        change,
        files=file,
        before_text=before,
        after_text=after,
        moved_on=change.waiting and not fits,
        findings=text_alerts(before, after),
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
    rows = [row for row in (current.skill(change.skill) for change in archived) if row is not None]
    apart = {change.skill for change in archived} | {change.into for change in archived if change.into}
    return mentions_of(rows, apart, current.naming()) if rows else {}


def _bytes(files: Snapshot) -> dict[str, bytes]:
    return {path: blob.data for path, blob in files.items()}


def _data(files: Snapshot, path: str) -> bytes | None:
    return files[path].data if path in files else None


def _text(files: Snapshot) -> str:
    blob = files.get(skill_file(files))
    return blob.data.decode("utf-8", "replace") if blob else ""
