"""Carrying out the steps of a plan on disk. Each looks first whether it is done, so a plan can be carried on later."""

import os
import re
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.clock import read_time
from app.errors import AppError, Kind
from app.files import link_below, remove_below, write_atomic, write_below
from app.history.values import Blob, BlobKind
from app.history.walk import write_folder
from app.paths import Home
from app.skills.forwards import is_readable, with_forward
from app.skills.moving import link_above, move_folder, remove_folder
from app.skills.plan import MoveFolder, NewFolder, Plan, RemoveFolder, Step, WriteFile, mark
from app.skills.usage import UsageFile, UsageRecords, keep_damaged, record_at
from app.skills.values import Forward


def carry_out(home: Home, step: Step, staged: Path | None = None, *, durable: bool = True) -> None:
    """Do one step unless it is done. `staged` is where a new folder waits; without it, it is written in place.

    `durable=False` spares the fsyncs: for a draft, or for a caller who flushes after many steps.
    Raises AppError(REFUSED) when somebody else changed what the step is about, AppError(STORAGE) when the disk
    refuses.
    """
    if isinstance(step, NewFolder):
        if staged is not None:
            move_folder(staged, place_of(home, step.folder), durable=durable)
        else:
            write_folder(place_of(home, step.folder), step.files, durable=durable)
    elif isinstance(step, MoveFolder):
        move_folder(place_of(home, step.source), place_of(home, step.target), durable=durable)
    elif isinstance(step, RemoveFolder):
        remove_folder(place_of(home, step.folder), for_good=step.for_good)
    else:
        _write(place_of(home, step.folder), step, durable)


def check(home: Home, steps: Iterable[Step]) -> None:
    """Look whether every step can begin, before the first one does. Raises AppError(REFUSED) when one cannot."""
    touched: set[str] = set()
    for step in steps:
        _check_way(home, step)
        if isinstance(step, MoveFolder):
            if step.source not in touched and not place_of(home, step.source).is_dir():
                raise _meanwhile(place_of(home, step.source))
            if os.path.lexists(place_of(home, step.target)) and step.target not in touched:
                raise _meanwhile(place_of(home, step.target))
            touched |= {step.source, step.target}
        elif isinstance(step, NewFolder):
            if step.folder not in touched and os.path.lexists(place_of(home, step.folder)):
                raise _meanwhile(place_of(home, step.folder))
            touched.add(step.folder)
        elif isinstance(step, RemoveFolder):
            touched.add(step.folder)
        elif step.folder not in touched:
            here = mark(_read(place_of(home, step.folder), step.path))
            if here not in {step.before, mark(step.after)}:
                raise _meanwhile(place_of(home, step.folder) / step.path)


def _check_way(home: Home, step: Step) -> None:
    """A whole folder is never put behind a link, which could lead anywhere. Raises AppError(INVALID)."""
    folder = step.target if isinstance(step, MoveFolder) else step.folder if isinstance(step, NewFolder) else ""
    link = link_above(home.root / "skills", folder.removeprefix("skills/")) if folder else None
    if link is not None:
        text = f"{link} is a link, and nothing is put behind it. Choose another place, or replace the link by a folder."
        raise AppError(Kind.INVALID, "A link is in the way", text)


def check_writable(home: Home, steps: Iterable[Step]) -> None:
    """Look whether the folders may be written, so that a plan does not stop half way. Raises AppError(STORAGE)."""
    for step in steps:
        names = (step.source, step.target) if isinstance(step, MoveFolder) else (step.folder,)
        for name in names:
            folder = place_of(home, name)
            nearest = folder if isinstance(step, WriteFile) else folder.parent
            while not nearest.exists() and nearest != nearest.parent:
                nearest = nearest.parent
            if not os.access(nearest, os.W_OK | os.X_OK):
                text = f"{nearest} cannot be written. Change its permissions and try again; nothing was changed."
                raise AppError(Kind.STORAGE, "No permission", text)


def check_sidecars(home: Home, plan: Plan) -> None:
    """Look whether the sidecars that a plan changes can be read and replaced. Raises AppError(STORAGE)."""
    wanted = [home.usage] if plan.usage else []
    wanted += [home.forwards] if plan.forwards else []
    for path in wanted:
        unreadable = os.path.lexists(path) and not os.access(path, os.R_OK)
        if unreadable or (home.skills.exists() and not os.access(home.skills, os.W_OK | os.X_OK)):
            text = f"{path} cannot be changed. Change its permissions and try again; nothing was changed."
            raise AppError(Kind.STORAGE, "No permission", text)


def sweep(home: Home, steps: Iterable[Step]) -> None:
    """Remove the temp files that a kill in the middle of writing left beside a plan's files and the sidecars."""
    targets = [home.usage, home.forwards, *(place_of(home, step.folder) / step.path for step in _writes(steps))]
    for target in targets:
        beside = re.compile(re.escape(f".{target.name[:40]}.") + r"[0-9a-f]{8}\.tmp")
        if target.parent.is_dir():
            for left in [path for path in target.parent.iterdir() if beside.fullmatch(path.name)]:
                left.unlink()


def write_sidecars(
    home: Home,
    usage: Mapping[str, Mapping[str, Any] | None],
    forwards: Mapping[str, Mapping[str, Any]],
    *,
    durable: bool = True,
) -> None:
    """Set the fields and forwards a plan names; everything else in the files survives. Raises as the files do."""
    if usage:

        def change(records: UsageRecords) -> None:
            for key, fields in usage.items():
                if fields is None:
                    records.pop(key, None)
                else:
                    record_at(records, key).update(fields)

        UsageFile(home.usage).update(change, durable=durable)
    if forwards:
        _write_forwards(home.forwards, forwards, durable)


def folders_of(home: Home, plan: Plan) -> set[Path]:
    """Every folder a plan changes, before and after."""
    names: set[str] = set()
    for step in plan.steps:
        names |= {step.source, step.target} if isinstance(step, MoveFolder) else {step.folder}
    return {place_of(home, name) for name in names}


def place_of(home: Home, folder: str) -> Path:
    """Where a step's folder is: below the home, or absolute for the real place of a linked skill."""
    return home.root / folder


def _writes(steps: Iterable[Step]) -> list[WriteFile]:
    return [step for step in steps if isinstance(step, WriteFile)]


def _write_forwards(path: Path, forwards: Mapping[str, Mapping[str, Any]], durable: bool) -> None:
    data = path.read_bytes() if path.exists() else None
    if data is not None and not is_readable(data):
        keep_damaged(path, data)
    for name, row in forwards.items():
        at = read_time(row.get("at"))
        data = with_forward(data, Forward(name, row["into"], row["hash"], row["run"], at, row["reason"]))
    if data is not None:
        write_atomic(path, data, durable=durable)


def _write(folder: Path, step: WriteFile, durable: bool) -> None:
    here = _read(folder, step.path)
    if mark(here) == mark(step.after):
        return
    if mark(here) != step.before and not (here is None and step.after is not None):
        raise _meanwhile(folder / step.path)
    after = step.after
    if after is None:
        remove_below(folder, step.path)
        return
    if here is not None and BlobKind.LINK in {here.kind, after.kind}:
        remove_below(folder, step.path)
    if after.kind is BlobKind.LINK:
        link_below(folder, step.path, after.data)
    else:
        write_below(folder, step.path, after.data, _mode(folder / step.path, after.kind), durable=durable)


def _mode(path: Path, kind: BlobKind) -> int:
    """The mode a file gets: its own, with the execute bits as wanted; 0644 or 0755 for a new one."""
    try:
        status = path.lstat()
    except OSError:
        return 0o755 if kind is BlobKind.EXECUTABLE else 0o644
    mode = stat.S_IMODE(status.st_mode) if stat.S_ISREG(status.st_mode) else 0o644
    return mode | (0o111 & mode >> 2 | 0o100) if kind is BlobKind.EXECUTABLE else mode & ~0o111


def _read(folder: Path, path: str) -> Blob | None:
    target = folder / path
    try:
        status = target.lstat()
        if stat.S_ISLNK(status.st_mode):
            return Blob(os.fsencode(target.readlink()), BlobKind.LINK)
        if not stat.S_ISREG(status.st_mode):
            return Blob(b"\0not a file", BlobKind.LINK)  # equal to nothing a plan expects
        kind = BlobKind.EXECUTABLE if status.st_mode & stat.S_IXUSR else BlobKind.FILE
        return Blob(target.read_bytes(), kind)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        text = f"{target} cannot be read: {error.strerror}. Change its permissions and try again."
        raise AppError(Kind.STORAGE, "The file cannot be read", text) from error


def _meanwhile(path: Path) -> AppError:
    text = f"{path} was changed by another program meanwhile. Nothing of it was overwritten; look at it and try again."
    return AppError(Kind.REFUSED, "Somebody else was here", text)
