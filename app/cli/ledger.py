"""Commands about the ledger: history, undo, revert, rollback, not-kept."""

from datetime import datetime

import click

from app.cancel import CancelToken
from app.cli.call import Call, command_options
from app.cli.playing import played
from app.cli.rows import diff_lines, entry_row, time_text
from app.clock import parse_time
from app.cycles import library as shelf
from app.cycles.home import OpenHome
from app.cycles.rollback import preview_rollback, rollback
from app.cycles.values import LibraryThen, RollbackPlan
from app.cycles.versions import compare_version, library_on, not_kept, restore_version
from app.errors import AppError, Kind
from app.history.values import Entry
from app.skills.names import nfc
from app.skills.resolve import find
from app.text.invisible import terminal_safe


@click.command("history")
@click.argument("name", required=False)
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--at", "at", metavar="ISO", help="Show the library as it was at this time instead.")
@command_options
def history(call: Call, name: str | None, limit: int, at: str | None) -> None:
    """The ledger of one skill or of everything, newest first; with --at the library as it was.

    JSON: {"entries":[…]}; with --at {"entry","at","skills":[{"path","name","description","archived","fate","now"}],
    "since":[path,…]}, fate being same, changed, moved, archived or gone.
    """
    with call.open() as home:
        if at is not None:
            _answer_then(call, library_on(home, _time(at), described=True))
            return
        rows = [entry_row(entry) for entry in _entries(home, name, limit)]
        lines = [
            f"{row['id'][:10]} {row['at']} {row['origin']} {row['action']} {', '.join(row['skills'])}"
            + (f": {row['reason']}" if row["reason"] else "")
            for row in rows
        ]
        call.answer({"entries": rows}, lines or ["nothing is recorded yet"])


def _entries(home: OpenHome, name: str | None, limit: int) -> list[Entry]:
    """The steps of everything, or of one skill, which may be gone: then its last step is the way back to it."""
    if name is None:
        return shelf.entries(home, None, limit)
    try:
        return shelf.entries(home, find(home.library(), name).id, limit)
    except AppError as error:
        if error.kind is not Kind.NOT_FOUND:
            raise
        left = shelf.entries(home, name, limit) or shelf.entries(home, _once(home, name, error), limit)
        if not left:
            raise
        return left


def _once(home: OpenHome, name: str, unknown: AppError) -> str:
    """The one id below which a skill of this name ever stood. Raises `unknown` when there is none, AppError(INVALID)
    when there are several.
    """
    ids = {skill_id for entry in shelf.entries(home, limit=None) for skill_id in entry.record.ids}
    ids = {skill_id for skill_id in ids if skill_id.rpartition("/")[2] == nfc(name.strip())}
    ids = {skill_id for skill_id in ids if not skill_id.startswith(".archive/")} or ids  # it came there from somewhere
    if not ids:
        raise unknown
    if len(ids) > 1:
        text = f"'{name}' stood at more than one place: {', '.join(sorted(ids))}. Name one of them."
        raise AppError(Kind.INVALID, "Several skills had this name", text)
    return ids.pop()


@click.command("undo")
@click.argument("entry")
@command_options
def undo(call: Call, entry: str) -> None:
    """Take one step of the ledger back. The undo is a step itself and can be undone."""
    with call.open() as home:
        result = shelf.undo_entry(home, entry)
        conflicts = list(result.conflicts)
        lines = [f"undone by {result.entry}", *result.kept] if result.entry else []
        call.answer({"entry": result.entry, "conflicts": conflicts, "kept": list(result.kept)}, lines)
        if result.entry is None:
            for conflict in conflicts:
                call.note(conflict)
            raise SystemExit(1)


@click.command("revert")
@click.argument("name")
@click.option("--to", "entry", required=True, metavar="ENTRY", help="The step after which it stood like that.")
@click.option("--apply", "sure", is_flag=True, help="Write it; without this only the difference is shown.")
@command_options
def revert(call: Call, name: str, entry: str, sure: bool) -> None:
    """Bring the files of one skill back as they were right after a step.

    JSON: {"skill","to","files":[path,…],"diff":[line,…],"entry"}; `entry` is null until --apply writes it.
    """
    with call.open() as home:
        skill_id = _id_of(home, name)
        files = compare_version(home, skill_id, entry)
        diff = list(diff_lines(files))
        written = restore_version(home, skill_id, entry).entry if sure else None
        data = {"skill": skill_id, "to": entry, "files": [file.path for file in files], "diff": diff, "entry": written}
        done = f"written as {written}" if written else "nothing is written yet; say --apply" if files else ""
        call.answer(data, [*diff, done or f"{skill_id} stands exactly like this already"])


@click.command("rollback")
@click.option("--to", "when", required=True, metavar="WHEN", help="A time (ISO 8601) or the id of an entry.")
@click.option("--apply", "sure", is_flag=True, help="Do it; without this it is only shown.")
@command_options
def roll_back(call: Call, when: str, sure: bool) -> None:
    """Bring the whole library back to how it stood, as one step that can be undone. Nothing is deleted.

    JSON: {"to","at","steps":[{"what","path","to","name"}],"conflicts":[sentence,…],"entry"}; `entry` is null until
    --apply writes it. Exit 1 when something stands in the way.
    """
    with call.open() as home:
        moment = _moment(when)
        plan = preview_rollback(home, moment)
        conflicts, written = plan.conflicts, None
        if sure and not conflicts:
            done = rollback(home, moment)
            conflicts, written = done.conflicts, done.entry
        _answer_rollback(call, plan, conflicts, written)
        if conflicts:
            raise SystemExit(1)


@click.command("not-kept")
@click.argument("name", required=False)
@command_options
def lost(call: Call, name: str | None) -> None:
    """Files that the history does not hold, so that no undo brings them back: too large, generated, not to be read.

    JSON: {"files":[{"skill","path","why","size"}]}.
    """
    with call.open() as home:
        skill_id = find(home.library(), name).id if name else ""
        token = CancelToken()
        found = played(not_kept(home, token, skill_id), token, lambda _count: None)
        rows = [{"skill": one.skill, "path": one.path, "why": one.why, "size": one.size} for one in found]
        lines = [f"{one.skill}/{one.path}: {one.why}" + (f", {one.size:,} bytes" if one.size else "") for one in found]
        call.answer({"files": rows}, lines or ["everything is kept"])


def _answer_then(call: Call, then: LibraryThen) -> None:
    rows = [
        {
            "path": skill.id,
            "name": skill.name,
            "description": skill.description,
            "archived": skill.archived,
            "fate": skill.fate,
            "now": skill.now,
        }
        for skill in then.skills
    ]
    data = {"entry": then.entry.id, "at": time_text(then.entry.at), "skills": rows, "since": list(then.since)}
    lines = [
        f"{'▢' if skill.archived else '●'} {skill.id}  {skill.fate}"
        + (f" ({skill.now})" if skill.now != skill.id else "")
        for skill in then.skills
    ]
    since = [f"since then: {', '.join(then.since)}"] if then.since else []
    call.answer(data, [f"after {then.entry.id[:10]} of {time_text(then.entry.at)}", *lines, *since])


def _answer_rollback(call: Call, plan: RollbackPlan, conflicts: tuple[str, ...], written: str | None) -> None:
    steps = [{"what": step.what, "path": step.skill, "to": step.to, "name": step.name} for step in plan.steps]
    data = {
        "to": plan.entry.id,
        "at": time_text(plan.entry.at),
        "steps": steps,
        "conflicts": list(conflicts),
        "entry": written,
    }
    lines = [f"{step.what} {step.skill}" + (f" → {step.to}" if step.to != step.skill else "") for step in plan.steps]
    done = f"written as {written}" if written else "nothing is written yet; say --apply"
    call.answer(data, [*lines, done if steps else "the library stands exactly like that already"])
    for conflict in conflicts:
        call.note(terminal_safe(conflict))


def _id_of(home: OpenHome, name: str) -> str:
    """A skill's id; the id of one that is gone is taken as it is."""
    try:
        return find(home.library(), name).id
    except AppError as error:
        if error.kind is Kind.NOT_FOUND:
            return name
        raise


def _moment(text: str) -> datetime | str:
    """A time, or the id of an entry."""
    return text if set(text) <= set("0123456789abcdef") and len(text) != 8 else _time(text)


def _time(text: str) -> datetime:
    try:
        return parse_time(text)
    except ValueError:
        raise click.UsageError(f"{text!r} is not an ISO 8601 time such as 2026-06-01T12:00:00Z.") from None
