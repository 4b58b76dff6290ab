"""Tells what of a library seen before may have changed, by stamps, without listing every folder again.

Folders that hold skills are listed (there are few), skill folders are only asked for their stamps. A folder's stamp
says whether names came or went in it, a SKILL.md's whether its content changed. Links are always looked at again.
"""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from app.cancel import CancelToken
from app.skills.places import DEEPEST, Place, entries_of, is_skipped, skill_file_in, stamp_of
from app.skills.roots import Root


def touched(
    places: Sequence[Place], restless: Collection[str], roots: Sequence[Root], token: CancelToken | None
) -> set[Path]:
    """The folders that have to be looked at again. `restless` are folders whose times say nothing yet: they changed so
    shortly before they were listed that a second change could have the same time.
    """
    known = {place.folder: place for place in places}
    found: set[str] = set()
    reached: set[str] = set()
    for root in roots:
        top = str(root.path)
        if top in known:
            found.add(top)  # a folder of the settings that is itself a skill
            continue
        _walk(top, known, reached, found, token)
        if root.in_home:
            _archive(f"{top}/.archive", known, reached, found)
    for place in places:
        if place.folder not in reached or place.folder in restless or not _same(place):
            found.add(place.folder)
    return {Path(folder) for folder in found}


def _walk(top: str, known: Mapping[str, Place], reached: set[str], found: set[str], token: CancelToken | None) -> None:
    stack = [(top, 0)]
    while stack:
        folder, depth = stack.pop()
        if token is not None:
            token.check()
        entries = entries_of(folder)
        if entries is None or (depth and skill_file_in(entries) is not None):
            found.add(folder)
            continue
        for entry in entries if depth < DEEPEST else ():
            path = entry.path
            if path in known:
                reached.add(path)
            elif entry.is_symlink():
                found.add(path)
            elif entry.is_dir(follow_symlinks=False) and not is_skipped(entry.name):
                stack.append((path, depth + 1))


def _archive(base: str, known: Mapping[str, Place], reached: set[str], found: set[str]) -> None:
    for entry in entries_of(base) or ():
        if entry.path in known:
            reached.add(entry.path)
        elif entry.is_dir(follow_symlinks=False):
            found.add(entry.path)


def _same(place: Place) -> bool:
    """Whether the stamps of a plain skill folder are those it was seen with."""
    if place.stamp is None or place.linked or place.file_linked or place.remarks:
        return False
    try:
        status = os.stat(f"{place.folder}/{place.file}", follow_symlinks=False)  # noqa: PTH116 - one call per skill
        same = stamp_of(status) == place.stamp
        return same and all(stamp_of(os.stat(folder)) == at for folder, at in place.dirs)  # noqa: PTH116
    except OSError:
        return False
