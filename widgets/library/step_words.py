"""One step of the ledger in words: what happened, who did it, why, and on what evidence."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from app.history.values import Entry, Origin
from widgets.common.times import local_time


def _tr(text: str) -> str:
    return QCoreApplication.translate("StepWords", text)


def what(entry: Entry) -> str:
    """`Rewritten by you`, `Archived by the curator`."""
    actions: Mapping[str, str] = {
        "create": _tr("Created"),
        "patch": _tr("Changed"),
        "edit": _tr("Rewritten"),
        "write_file": _tr("File written"),
        "rename_file": _tr("File renamed"),
        "remove_file": _tr("File removed"),
        "put": _tr("Replaced"),
        "archive": _tr("Archived"),
        "restore": _tr("Restored"),
        "rename": _tr("Renamed"),
        "move": _tr("Moved"),
        "purge": _tr("Deleted for good"),
        "pin": _tr("Pinned"),
        "unpin": _tr("Unpinned"),
        "adopt": _tr("Adopted"),
        "unadopt": _tr("No longer managed"),
        "label": _tr("Relabelled"),
        "outside": _tr("Changed by another program"),
        "undo": _tr("Undone"),
        "apply": _tr("Proposal applied"),
        "import": _tr("Imported"),
        "memory": _tr("Memory changed"),
    }
    action = actions.get(entry.record.action, entry.record.action)
    if entry.record.action in {"import", "outside"}:  # these words say already who it was
        return action
    return f"{action} {who(entry)}"


def who(entry: Entry) -> str:
    """`by you`, `in a chat`."""
    return {
        Origin.USER: _tr("by you"),
        Origin.CHAT: _tr("in a chat"),
        Origin.REVIEW: _tr("by a review"),
        Origin.CURATOR: _tr("by the curator"),
        Origin.IMPORT: _tr("by an import"),
        Origin.OUTSIDE: _tr("by another program"),
    }[entry.record.origin]


def subjects(entry: Entry, most: int = 3) -> str:
    """The skills a step is about, by their last name."""
    names = list(dict.fromkeys(one.rpartition("/")[2] for one in entry.record.ids))
    more = _tr(" and {} more").format(len(names) - most) if len(names) > most else ""
    return ", ".join(names[:most]) + more


def headline(entry: Entry) -> str:
    """What happened, and to which skills, for lists about all of them: `Archived by you: csv-tools`."""
    about = subjects(entry, most=2)
    return f"{what(entry)}: {about}" if about else what(entry)


def facts(entry: Entry, most: int) -> list[str]:
    """What a step changed beside texts, a line a skill: `csv-dedupe: active → stale`, `notes → .archive/notes`. What is
    more than `most` is counted.
    """
    detail = entry.record.detail
    steps = [step for step in detail.get("steps", ()) if isinstance(step, dict)]
    lines = [
        f"{step.get('name', step.get('id'))}: {_fact(step['before'])} → {_fact(step['after'])}"
        for step in steps
        if "before" in step and "after" in step
    ]
    lines += [f"{old} → {new}" for old, new in detail.get("moves", ())]
    return [*lines[:most], *([_tr("and {} more").format(len(lines) - most)] if len(lines) > most else [])]


def _fact(value: object) -> str:
    if value is None:
        return _tr("nothing")
    if isinstance(value, bool):
        return _tr("yes") if value else _tr("no")
    return str(value)


def why(entry: Entry) -> str:
    """When, why and on what evidence, in one or two sentences."""
    record = entry.record
    parts = [local_time(entry.at)]
    if record.reason:
        parts.append(record.reason)
    parts += evidence(entry)
    return "  ·  ".join(parts)


def evidence(entry: Entry) -> list[str]:
    """What a step rests on: the turn or run, who approved it, what it takes back, where things moved."""
    detail, found = entry.record.detail, []
    if detail.get("approved") or detail.get("approved_by"):
        found.append(_tr("you approved it"))
    if detail.get("untrusted"):
        found.append(_tr("text of others was in the turn"))
    if detail.get("undoes"):
        found.append(_tr("takes back step {}").format(str(detail["undoes"])[:10]))
    if entry.record.run:
        found.append(_tr("run {}").format(entry.record.run))
    elif entry.record.session:
        found.append(_tr("from a conversation"))
    steps = detail.get("steps")
    found.extend(
        _tr("{} went into {}").format(step.get("name", step.get("id")), step["absorbed_into"])
        for step in (steps if isinstance(steps, list) else ())
        if isinstance(step, dict) and step.get("absorbed_into")
    )
    return found
