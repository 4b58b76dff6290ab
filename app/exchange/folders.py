"""Reads a folder on this machine as a source: its skills as the library would find them, links never followed."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from app.cancel import CancelToken
from app.exchange.limits import Budget, Limits, is_litter, too_large
from app.exchange.packs import LINK, LITTER, make_pack, over_limit
from app.exchange.values import Hidden, LeftOut, Pack
from app.history.values import BlobKind
from app.history.walk import read_folder
from app.skills.places import DEEPEST, entries_of, is_skipped, single_place, skill_file_in, walk_below, walk_root
from app.skills.roots import Root


def read_folder_packs(source: Path, limits: Limits, token: CancelToken) -> tuple[Pack, ...]:
    """Every skill in the folder, or the folder itself when it is one. Dot folders below it are not looked into.

    Raises AppError(INVALID) when it passes a limit, AppError(STORAGE or NOT_FOUND) when it cannot be read.
    """
    own = single_place(source)
    root = Root(source, False, os.path.realpath(source))
    found = [own] if own is not None else [place for place in walk_root(root, token) if place.file is not None]
    if len(found) > limits.skills:
        raise too_large(f"It holds more than {limits.skills:,} skills.")
    budget = Budget(limits)
    packs = []
    for place in sorted(found, key=lambda one: one.id):
        token.check()
        if place.linked:
            path, name = place.id, place.id.rpartition("/")[2]
            packs.append(Pack(path, name, problem="It is a link to a folder elsewhere. Import that folder instead."))
        else:
            _weigh(Path(place.folder), place.files, limits)
            packs.append(_read(Path(place.folder), "" if own is not None else place.id, budget, limits))
    return tuple(packs)


def hidden_folders(source: Path, token: CancelToken) -> tuple[Hidden, ...]:
    """The dot folders with skills that `read_folder_packs` passes by; none when the folder is a skill itself."""
    if single_place(source) is not None:
        return ()
    root = Root(source, False, os.path.realpath(source))
    counted = ((path, _count(root, path, token)) for path in _dotted(source, token))
    return tuple(Hidden(path, count) for path, count in counted if count)


def _dotted(source: Path, token: CancelToken) -> Iterator[str]:
    """Folders whose name begins with a dot, outside of skills, as deep as skills are looked for."""
    stack = [""]
    while stack:
        token.check()
        here = stack.pop()
        entries = entries_of(str(source / here)) or []
        if here and skill_file_in(entries) is not None:
            continue
        for name in sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False)):
            path = f"{here}/{name}" if here else name
            if name.startswith("."):
                if name != ".git":  # what git keeps there is no skill of anybody
                    yield path
            elif not is_skipped(name) and path.count("/") < DEEPEST:
                stack.append(path)


def _count(root: Root, path: str, token: CancelToken) -> int:
    return sum(place.file is not None for place in walk_below(root, path, token))


def _weigh(folder: Path, files: tuple[str, ...], limits: Limits) -> None:
    """Look at the sizes before anything is read into memory."""
    total = 0
    for name in files:
        with suppress(OSError):  # what is gone by now is not read either
            total += min((folder / name).lstat().st_size, limits.file)
        if total > limits.unpacked:
            raise too_large(f"{folder.name} holds more than {limits.unpacked // 1_000_000} MB.")


def _read(folder: Path, path: str, budget: Budget, limits: Limits) -> Pack:
    walk = read_folder(folder, limit=limits.file)
    large = next((item for item in walk.not_kept if item.why == "too large"), None)
    problem = over_limit(large.path, large.size, limits) if large is not None else ""
    left_out = [
        LeftOut(item.path, LITTER if item.why == "generated folder" else item.why)
        for item in walk.not_kept
        if item.why != "too large"
    ]
    files = {}
    for name, blob in walk.files.items():
        if is_litter(name):
            left_out.append(LeftOut(name, LITTER))
        elif blob.kind is BlobKind.LINK:
            left_out.append(LeftOut(name, LINK))
        else:
            budget.take(len(blob.data))
            files[name] = blob
    return make_pack(path, folder.name, files, left_out, problem)
