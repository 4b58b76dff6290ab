"""What a person does to the library, the same for window and command line: open, pin, archive, restore, edit, undo."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from app.cycles.exchange_facts import sync_lock
from app.cycles.home import OpenHome
from app.cycles.import_folders import drop_made_folders
from app.cycles.values import ActionReport, EntryDetail, SkillDetail, Undone
from app.errors import AppError, Kind
from app.history.log import moves_of
from app.history.values import Blob, Conflict, Entry, Origin, Snapshot
from app.memory.values import MemoryBy
from app.proposals.values import ProposalState
from app.skills.names import folded, nfc
from app.skills.parse import parse_skill
from app.skills.read import list_files, read_file, read_skill_text
from app.skills.resolve import find, resolve
from app.skills.undo import undo
from app.skills.values import Action, Library, Receipt, Request, Resolution, Skill, State, Verdict, Writer
from app.text.diff import diff_files, diff_text
from app.text.values import FileDiff

USER = Writer(Origin.USER)
_SKILLS = "skills/"
#: A step may be about thousands of skills (a first import): the differences of so many are worked out.
_MOST_SHOWN = 40


def act(
    open_home: OpenHome, action: Action, names: Iterable[str], reason: str = "", to: str | None = None
) -> ActionReport:
    """Do one thing to many skills, one after another. What is refused says why; the rest is done all the same.

    Raises AppError with the action `journal` when an interrupted action has to be answered first.
    """
    done: list[tuple[str, str]] = []
    refused: list[tuple[str, str]] = []
    entries: list[str] = []
    for name in names:
        try:
            skill = _meant(open_home.library(), action, name)
            receipt = open_home.door.do(Request(action, skill.id, to=to, reason=reason), USER)
        except AppError as error:
            if error.action == "journal":
                raise
            refused.append((name, error.text))
            continue
        if receipt.ok:
            done.append((receipt.name or skill.name, receipt.path or skill.id))
            entries += [receipt.entry] if receipt.entry else []
        else:
            refused.append((name, receipt.why))
    return ActionReport(str(action), tuple(done), tuple(refused), tuple(entries))


def _meant(library: Library, action: Action, name: str) -> Skill:
    """The row a name means; who restores means the archived one, also while the name is live again."""
    found = find(library, name)
    if action is not Action.RESTORE or found.state is State.ARCHIVED:
        return found
    folder = library.get(f".archive/{nfc(name.strip())}")
    archived = [row for row in library.skills if row.state is State.ARCHIVED and folded(row.name) == folded(found.name)]
    return folder or (archived[0] if len(archived) == 1 else found)


def change(open_home: OpenHome, request: Request) -> Receipt:
    """One change asked for by the user. Raises AppError(REFUSED) with the door's sentence when it says no."""
    receipt = open_home.door.do(request, USER)
    if receipt.verdict is not Verdict.ALLOW:
        raise AppError(Kind.REFUSED, "This is not changed", receipt.why)
    return receipt


def open_skill(open_home: OpenHome, name: str, library: Library | None = None) -> SkillDetail:
    """One skill with its text and files: the row of this id, else what the name leads to. An absorbed name answers with
    its umbrella and the way there.

    Raises AppError(NOT_FOUND) with names that are near.
    """
    library = library or open_home.library()
    row = library.get(name)
    found = Resolution(row) if row is not None and row.live else resolve(library, name)
    skill, via = (found.skill, found.via) if found else (find(library, name), ())
    text = "" if skill.broken and not skill.size else read_skill_text(skill)
    parsed = parse_skill(text.encode("utf-8", "surrogateescape"), skill.folder.name)
    return SkillDetail(
        skill=skill,
        text=text,
        body=parsed.body,
        frontmatter=_plain(parsed.front.fields),
        files=list_files(skill),
        via=via,
        forwarded_from=tuple(name for name, forward in library.forwards.items() if forward.into == skill.name),
        findings=skill.findings,
        base_hash=skill.body_hash,
    )


def read_one(open_home: OpenHome, skill_id: str, path: str) -> tuple[str, str, bytes]:
    """One file of a skill: its id, the path, and the bytes. Raises AppError for unsafe, missing or too large files."""
    skill = find(open_home.library(), skill_id)
    return skill.id, path, read_file(skill, path)


def waiting_by_skill(open_home: OpenHome) -> Counter[str]:
    """How many changes wait for a decision, by the id of their skill."""
    return Counter(
        change.skill
        for proposal in open_home.proposals.list(ProposalState.PENDING)
        for group in proposal.waiting
        for change in group.changes
        if change.waiting
    )


def entries(open_home: OpenHome, skill_id: str | None = None, limit: int | None = 200) -> list[Entry]:
    """The ledger, newest first, for one skill or for all."""
    return open_home.history.entries(limit, skill_id)


def entry_detail(open_home: OpenHome, entry_id: str, wanted: str = "") -> EntryDetail:
    """One entry with the differences it made: of the skill `wanted` first, and of no more than can be read."""
    history = open_home.history
    entry = history.entry(entry_id)
    moves = {f"{_SKILLS}{new}": f"{_SKILLS}{old}" for old, new in moves_of(entry)}
    left = set(moves.values())
    changed = [prefix for prefix in history.changes_of(entry.id) if prefix not in left]  # moved: shown where it went
    changed.sort(key=lambda prefix: prefix != _SKILLS + wanted)
    files = []
    for prefix in changed[:_MOST_SHOWN]:
        name = prefix.rpartition("/")[2]
        before = history.snapshot(moves.get(prefix, prefix), entry.parent) if entry.parent else None
        sides = (before, history.snapshot(prefix, entry.id))
        old, new = ({path or name: blob for path, blob in (side or {}).items()} for side in sides)
        files.append((prefix, differences(old, new)))
    return EntryDetail(entry, tuple(files), len(changed) - len(files))


def undo_entry(open_home: OpenHome, entry_id: str) -> Undone:
    """Take one entry back; the undo is an entry itself. Conflicts are named and nothing is written then."""
    entry = open_home.history.entry(entry_id)
    if entry.record.action != "memory":
        found = undo(open_home.door, open_home.live, entry.id, USER)
        if entry.record.origin is Origin.IMPORT:
            sync_lock(open_home)
            if found.entry is not None:
                drop_made_folders(open_home, entry.record)
        files = tuple(_shown(conflict, item.skill) for item in found.conflicts for conflict in item.files)
        return Undone(found.entry, tuple(item.why for item in found.conflicts), files, found.kept)
    receipt = open_home.memory_writer.undo(entry.id, MemoryBy(Origin.USER))
    return Undone(receipt.entry, () if receipt.ok else (receipt.why,))


def undo_many(open_home: OpenHome, entry_ids: Iterable[str]) -> tuple[Undone, ...]:
    """Take several entries back, newest first, each as an entry of its own; one answer for each, in that order.

    What stands in the way of one does not keep the others. Raises AppError(NOT_FOUND) before anything is written when
    an entry is unknown, AppError(BUSY, STORAGE) when the home cannot be written.
    """
    wanted = {open_home.history.entry(entry_id).id for entry_id in entry_ids}
    found: list[Undone] = []
    for entry in [entry.id for entry in open_home.history.entries() if entry.id in wanted]:
        try:
            found.append(undo_entry(open_home, entry))
        except AppError as error:
            if error.kind is not Kind.REFUSED:
                raise
            found.append(Undone(None, (error.text,)))
    return tuple(found)


def _shown(conflict: Conflict, skill: str) -> FileDiff:
    return diff_text(f"{skill}/{conflict.path}", conflict.ours, conflict.theirs)


def differences(old: Snapshot, new: Snapshot) -> tuple[FileDiff, ...]:
    """The differences between two folders' recorded files."""
    modes = {path: _mode(old.get(path), new.get(path)) for path in {*old, *new}}
    return diff_files(
        {path: blob.data for path, blob in old.items()},
        {path: blob.data for path, blob in new.items()},
        {path: mode for path, mode in modes.items() if mode},
    )


def _mode(old: Blob | None, new: Blob | None) -> str:
    if old is None or new is None or old.kind is new.kind:
        return ""
    return f"{old.kind} → {new.kind}"


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return dict(fields)
