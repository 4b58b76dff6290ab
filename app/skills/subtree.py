"""Looks again at parts of a library: which part a changed path belongs to, and what lies there now."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from app.cancel import CancelToken
from app.skills.names import nfc
from app.skills.places import Place, is_generated, is_skipped, linked_skill, walk_archive, walk_below, walk_root
from app.skills.roots import Root

#: A part of one root: its POSIX path below the root as spelled on disk, empty for the whole root.
Part = tuple[Root, str]


def renewed(
    places: Sequence[Place], roots: Sequence[Root], changed: Collection[Path], token: CancelToken | None
) -> list[Place]:
    """The places with every part that `changed` touches looked at again."""
    finder = _Finder(places, roots)
    parts = _outermost({part for path in changed for part in finder.parts(str(path))})
    ids = {(root.real, nfc(relative)) for root, relative in parts}
    kept = _outside(places, ids)
    for root, relative in parts:
        kept.extend(_look(root, relative, token))
    return kept


def _look(root: Root, relative: str, token: CancelToken | None) -> Iterable[Place]:
    if not relative:
        return walk_root(root, token)
    if relative.startswith(".archive"):
        return walk_archive(root, token, relative.partition("/")[2] or None)
    if (root.path / relative).is_symlink():
        return linked_skill(root, relative)
    return walk_below(root, relative, token)


class _Finder:
    """Tells which parts of the roots a changed path belongs to."""

    def __init__(self, places: Sequence[Place], roots: Sequence[Root]) -> None:
        self._roots = roots
        self._folders = {place.folder for place in places}
        self._links = [
            (place.real if place.linked else os.path.realpath(f"{place.folder}/{place.file}"), place)
            for place in places
            if place.linked or place.file_linked
        ]

    def parts(self, path: str) -> Iterator[Part]:
        """The parts of all roots this path belongs to; a path in a skipped folder belongs to none."""
        for root in self._roots:
            for base in {str(root.path), root.real}:
                if path == base:
                    yield root, ""
                elif path.startswith(base + os.sep):
                    relative = path[len(base) + 1 :].replace(os.sep, "/")
                    yield from ((root, part) for part in self._below(root, relative))
        for real, place in self._links:
            if path == real or path.startswith(real + os.sep):
                yield place.root, _relative(place)

    def _below(self, root: Root, relative: str) -> list[str]:
        steps = relative.split("/")
        if steps[0] == ".archive":
            return ["/".join(steps[:2])]
        for end, step in enumerate(steps, start=1):
            whole = "/".join(steps[:end])
            if f"{root.path}/{whole}" in self._folders or (root.path / whole).is_symlink():
                inner = steps[end:-1]
                return [] if any(is_generated(name) for name in inner) else [whole]
            if is_skipped(step):
                return []
        if (root.path / relative).is_dir():
            return [relative]
        gone = [] if os.path.lexists(root.path / relative) else [relative]
        return [*gone, "/".join(steps[:-1])] if len(steps) > 1 else gone


def _relative(place: Place) -> str:
    return place.folder[len(str(place.root.path)) + 1 :].replace(os.sep, "/")


def _outside(places: Sequence[Place], parts: Collection[tuple[str, str]]) -> list[Place]:
    """The places that lie neither at nor below one of the parts, given as (real root, composed path)."""
    inside: dict[tuple[str, str], bool] = {}

    def covered(real: str, path: str) -> bool:
        """Whether a folder is a part or lies in one; folders that many places share are looked up once."""
        key = (real, path)
        if key not in inside:
            inside[key] = key in parts or (bool(path) and covered(real, path.rpartition("/")[0]))
        return inside[key]

    return [
        place
        for place in places
        if (place.root.real, place.id) not in parts and not covered(place.root.real, place.id.rpartition("/")[0])
    ]


def _outermost(parts: set[Part]) -> list[Part]:
    """Without parts that lie inside other parts."""
    kept: list[Part] = []
    whole = {(root.real, relative) for root, relative in parts}
    for root, relative in sorted(parts, key=lambda part: (part[0].real, part[1])):
        steps = relative.split("/") if relative else []
        if not any((root.real, "/".join(steps[:end])) in whole for end in range(len(steps))):
            kept.append((root, relative))
    return kept
