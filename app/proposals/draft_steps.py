"""Carrying a plan out in a draft: the same steps as in the live library, without journal, ledger and fsync."""

from pathlib import Path

from app.clock import read_time
from app.errors import AppError, Kind
from app.files import link_below, remove_below, write_atomic, write_below
from app.history.values import Blob, BlobKind
from app.history.walk import write_folder
from app.paths import Home
from app.skills.forwards import with_forward
from app.skills.moving import move_folder
from app.skills.plan import MoveFolder, NewFolder, Plan, RemoveFolder, WriteFile
from app.skills.usage import UsageFile, UsageRecords, set_fields
from app.skills.values import Forward


def carry_out(home: Home, plan: Plan) -> tuple[Path, ...]:
    """Do the plan's steps and sidecar changes below the draft's root; returns the folders that changed.

    Raises AppError(REFUSED) for a step that would leave the draft or delete for good.
    """
    changed: list[Path] = []
    for step in plan.steps:
        match step:
            case NewFolder(folder, files):
                write_folder(_inside(home, folder), files, durable=False)
                changed.append(_inside(home, folder))
            case WriteFile(folder, path, _, after):
                _write(_inside(home, folder), path, after)
                changed.append(_inside(home, folder))
            case MoveFolder(source, target):
                move_folder(_inside(home, source), _inside(home, target))
                changed += [_inside(home, source), _inside(home, target)]
            case RemoveFolder():
                raise AppError(Kind.REFUSED, "Not in a draft", "Deleting for good is done by the user, not in a draft.")
    _sidecars(home, plan)
    return tuple(changed)


def _inside(home: Home, folder: str) -> Path:
    """A step's folder below the draft. Raises AppError(REFUSED) for an absolute one: a linked skill's real place."""
    if Path(folder).is_absolute() or ".." in Path(folder).parts:
        raise AppError(Kind.REFUSED, "Outside the draft", f"{folder} lies outside the draft and is not changed.")
    return home.root / folder


def _write(folder: Path, path: str, after: Blob | None) -> None:
    if after is None:
        remove_below(folder, path)
    elif after.kind is BlobKind.LINK:
        remove_below(folder, path)
        link_below(folder, path, after.data)
    else:
        mode = 0o755 if after.kind is BlobKind.EXECUTABLE else 0o644
        write_below(folder, path, after.data, mode, durable=False)


def _sidecars(home: Home, plan: Plan) -> None:
    def change(records: UsageRecords) -> None:
        for key, fields in plan.usage.items():
            if fields is None:
                records.pop(key, None)
            else:
                set_fields(records, key, **fields)

    if plan.usage:
        UsageFile(home.usage).update(change)
    if plan.forwards:
        data = home.forwards.read_bytes() if home.forwards.exists() else None
        for name, row in plan.forwards.items():
            forward = Forward(name, row["into"], row["hash"], row["run"], read_time(row["at"]), row["reason"])
            data = with_forward(data, forward)
        write_atomic(home.forwards, data or b"")
