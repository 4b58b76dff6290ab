"""Finds the skill folders below a root, and lists the files of one skill, without reading any file.

A folder with SKILL.md is a skill; what lies below belongs to it, other SKILL.md files included. A folder without one is
a category. Folders that begin with a dot and folders that programs generate are skipped, depth ends at six. Links are
not followed, except one: a link in a category whose target holds SKILL.md is a linked skill.
"""

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.cancel import CancelToken
from app.history.walk import GENERATED
from app.skills.names import folded, nfc
from app.skills.roots import Root

#: Modification and change time (ns), size, inode and device: the same stamp means that a SKILL.md has the same content,
#: and that no name came or went in a folder. (The change time tells what a modification time set back would hide.)
Stamp = tuple[int, int, int, int, int]

#: Categories are looked into down to this depth.
DEEPEST = 6
_MOST_ENTRIES = 200_000
_SKIPPED = GENERATED | {"site-packages"}
_FILE_NAME = "SKILL.md"


@dataclass(slots=True)
class Place:
    """Where one skill lies. Made by the walk and not changed afterwards.

    `folder` is the path as scanned, `real` the same with links resolved. `file` is the name of the skill's file, None
    when there is none. `files` are POSIX paths below the skill (links included, generated folders left out).
    `remarks` are (rule, message) pairs about the folder, `dirs` its folders with their stamps before they were listed,
    `steps` the parts of the id, `key` the folded id (see names).
    """

    root: Root
    id: str
    folder: str
    real: str
    linked: bool
    archived: bool
    file: str | None
    file_linked: bool
    stamp: Stamp | None
    files: tuple[str, ...]
    remarks: tuple[tuple[str, str], ...]
    dirs: tuple[tuple[str, Stamp], ...]
    steps: list[str] = field(init=False)
    key: str = field(init=False)

    def __post_init__(self) -> None:
        self.steps = self.id.split("/")
        self.key = folded(self.id)


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file or folder."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev


def walk_root(root: Root, token: CancelToken | None) -> Iterator[Place]:
    """Every skill of a root. A folder of the settings that is itself a skill is one place with the folder's name."""
    at, entries = _listed(str(root.path))
    own = None if root.in_home else skill_file_in(entries or [])
    if own is not None:
        yield _place(root, nfc(root.path.name), str(root.path), root.real, entries or [], own, at)
        return
    yield from walk_below(root, "", token)
    if root.in_home:
        yield from walk_archive(root, token)


def walk_below(root: Root, relative: str, token: CancelToken | None, most_depth: int = DEEPEST) -> Iterator[Place]:
    """Every skill at or below `relative` (POSIX, as spelled on disk; empty for the whole root)."""
    depth = relative.count("/") + 1 if relative else 0
    stack = [(relative, depth)]
    while stack:
        here, depth = stack.pop()
        if token is not None:
            token.check()
        folder = os.path.join(root.path, here) if here else str(root.path)  # noqa: PTH118 - one call per folder
        at, entries = _listed(folder)
        if entries is None:
            if here and os.path.isdir(folder):  # noqa: PTH112 - as above; a folder that is gone is no skill
                yield _unreadable(root, here, folder)
            continue
        found = skill_file_in(entries) if here else None
        if found is not None:
            real = folder if root.real == str(root.path) else f"{root.real}/{here}"
            yield _place(root, nfc(here), folder, real, entries, found, at)
            continue
        if depth >= most_depth:
            continue
        for entry in entries:
            below = f"{here}/{entry.name}" if here else entry.name
            if entry.is_symlink():
                yield from linked_skill(root, below)
            elif entry.is_dir(follow_symlinks=False) and not is_skipped(entry.name):
                stack.append((below, depth + 1))


def walk_archive(root: Root, token: CancelToken | None, only: str | None = None) -> Iterator[Place]:
    """The archived skills of the home: every folder directly below `.archive`, those without SKILL.md too."""
    base = root.path / ".archive"
    for entry in entries_of(str(base)) or []:
        if token is not None:
            token.check()
        if not entry.is_dir(follow_symlinks=False) or (only is not None and entry.name != only):
            continue
        at, entries = _listed(entry.path)
        below = f".archive/{entry.name}"
        if entries is None:
            yield _unreadable(root, below, entry.path)
        else:
            yield _place(root, nfc(below), entry.path, f"{root.real}/{below}", entries, skill_file_in(entries), at)


def linked_skill(root: Root, relative: str) -> Iterator[Place]:
    """The linked skill at `relative`, nothing when the link's target holds no SKILL.md."""
    folder = os.path.join(root.path, relative)  # noqa: PTH118 - as above
    if is_skipped(relative.rpartition("/")[2]) or not os.path.lexists(f"{folder}/{_FILE_NAME}"):
        return
    at, entries = _listed(folder)
    found = skill_file_in(entries or [])
    if entries is not None and found is not None:
        yield _place(root, nfc(relative), folder, os.path.realpath(folder), entries, found, at, linked=True)


def is_skipped(name: str) -> bool:
    """Whether a folder of this name is never looked into for skills."""
    return name.startswith(".") or name in _SKIPPED


def is_generated(name: str) -> bool:
    """Whether a folder of this name inside a skill holds what programs generate and is not part of the skill."""
    return name in GENERATED


def single_place(folder: Path) -> Place | None:
    """The skill in exactly this folder, None when it cannot be listed or has no SKILL.md."""
    at, entries = _listed(str(folder))
    found = skill_file_in(entries or [])
    if entries is None or found is None:
        return None
    whole = Path(os.path.abspath(folder))  # noqa: PTH100 - links stay as they are named
    root = Root(whole.parent, False, os.path.realpath(whole.parent))
    return _place(root, nfc(whole.name), str(folder), os.path.realpath(folder), entries, found, at)


def entries_of(folder: str) -> list[os.DirEntry[str]] | None:
    """What a folder holds, None when it cannot be listed."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return None


def _listed(folder: str) -> tuple[Stamp, list[os.DirEntry[str]] | None]:
    """A folder's stamp and then what it holds: a change in between gives it another stamp than this one."""
    try:
        at = stamp_of(os.stat(folder))  # noqa: PTH116 - one call per folder
    except OSError:
        return (0, 0, 0, 0, 0), None
    return at, entries_of(folder)


def skill_file_in(entries: list[os.DirEntry[str]]) -> os.DirEntry[str] | None:
    """The entry that makes a folder a skill, None when there is none."""
    other = None
    for entry in entries:
        name = entry.name
        if name == _FILE_NAME:
            return entry
        if len(name) == len(_FILE_NAME) and name.casefold() == "skill.md" and not entry.is_dir(follow_symlinks=False):
            other = entry
    return other


def _place(
    root: Root,
    skill_id: str,
    folder: str,
    real: str,
    entries: list[os.DirEntry[str]],
    found: os.DirEntry[str] | None,
    at: Stamp,
    *,
    linked: bool = False,
) -> Place:
    remarks: list[tuple[str, str]] = []
    stamp = _stamp(found, real, remarks)
    dirs = [(folder, at)]
    files = list_files(entries, real, remarks, dirs)
    name = found.name if found is not None else None
    file_linked = found is not None and found.is_symlink()
    archived = skill_id.startswith(".archive/")
    return Place(
        root, skill_id, folder, real, linked, archived, name, file_linked, stamp, files, tuple(remarks), tuple(dirs)
    )


def _unreadable(root: Root, relative: str, folder: str) -> Place:
    remark = ("FS.UNREADABLE", "The folder cannot be listed: permission is missing.")
    skill_id = nfc(relative)
    archived = skill_id.startswith(".archive/")
    return Place(root, skill_id, folder, folder, False, archived, None, False, None, (), (remark,), ())


def _stamp(found: os.DirEntry[str] | None, real: str, remarks: list[tuple[str, str]]) -> Stamp | None:
    """The stamp of a readable SKILL.md; None with a remark when it is missing, no file, or leads nowhere."""
    if found is None:
        remarks.append(("DIR.SKILL_MD.MISSING", "The folder has no SKILL.md."))
        return None
    try:
        status = os.stat(found.path)  # noqa: PTH116 - what a folder's entry knows leaves out inodes on some systems
    except FileNotFoundError:
        remarks.append(("DIR.SKILL_MD.MISSING", f"{found.name} is a link that leads nowhere."))
        return None
    except OSError as error:
        rule = "FS.SYMLINK_LOOP" if error.errno == errno.ELOOP else "FS.UNREADABLE"
        remarks.append((rule, f"{found.name} cannot be reached: {error.strerror}."))
        return None
    if stat.S_ISDIR(status.st_mode):
        remarks.append(("DIR.SKILL_MD.NOT_FILE", f"{found.name} is a folder, not a file."))
        return None
    if not stat.S_ISREG(status.st_mode):
        remarks.append(("FS.SPECIAL", f"{found.name} is a pipe, a device or a socket; it is not opened."))
        return None
    if found.name != _FILE_NAME:
        remarks.append(("DIR.SKILL_MD.CASE", f"The file is called {found.name}; it has to be {_FILE_NAME}."))
    if found.is_symlink() and not os.path.realpath(found.path).startswith(real + os.sep):
        remarks.append(("FS.SYMLINK_ESCAPE", f"{found.name} is a link to a file outside the skill."))
    return stamp_of(status)


def list_files(
    entries: list[os.DirEntry[str]], real: str, remarks: list[tuple[str, str]], dirs: list[tuple[str, Stamp]]
) -> tuple[str, ...]:
    """The POSIX paths of a skill's files from its folder's entries, at most 200,000. Links are named, not followed.

    Folders that are listed on the way join `dirs`.
    """
    files: list[str] = []
    stack: list[tuple[str, list[os.DirEntry[str]]]] = [("", entries)]
    while stack and len(files) < _MOST_ENTRIES:
        prefix, here = stack.pop()
        for entry in here:
            if entry.is_symlink():
                files.append(prefix + entry.name)
                _note_link(entry, prefix, real, remarks)
            elif not entry.is_dir(follow_symlinks=False):
                files.append(prefix + entry.name)
            elif not is_generated(entry.name):
                at, below = _listed(entry.path)
                dirs.append((entry.path, at))
                stack.append((f"{prefix}{entry.name}/", below or []))
    return tuple(files)


def _note_link(entry: os.DirEntry[str], prefix: str, real: str, remarks: list[tuple[str, str]]) -> None:
    """Remark on a link inside a skill that leads out of it or around in a circle. Its target is not opened."""
    if not prefix and entry.name == _FILE_NAME:
        return
    try:
        target = os.path.realpath(entry.path, strict=True)
    except FileNotFoundError:
        return
    except OSError:
        remarks.append(("FS.SYMLINK_LOOP", f"The link {prefix}{entry.name} leads around in a circle."))
        return
    if f"{real}/{prefix}".startswith(f"{target}/") and (target == real or target.startswith(f"{real}/")):
        remarks.append(("FS.SYMLINK_LOOP", f"The link {prefix}{entry.name} leads to a folder it lies in."))
    elif target != real and not target.startswith(real + os.sep):
        remarks.append(("FS.SYMLINK_ESCAPE", f"The link {prefix}{entry.name} leads out of the skill; it is not read."))
