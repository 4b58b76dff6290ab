"""Looks at the whole library, or again at what changed, and gives a frozen picture of it.

Only SKILL.md files are read, and only those whose stamp (times, size, inode) changed since the last look or is so young
that a second change could hide behind it; skill folders are listed under the same rule. A look that finds nothing
changed gives the very same library. One real folder is one skill, however many links lead to it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from app.cancel import CancelToken
from app.clock import Clock
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.digest import Digest, digest_of, has_settled, is_current
from app.skills.places import Place, walk_root
from app.skills.roots import HOME_UNREADABLE, Root, find_roots
from app.skills.rows import RowCache, build_rows, shipped_still
from app.skills.sidecars import Sidecars, read_sidecars
from app.skills.subtree import renewed
from app.skills.touched import touched
from app.skills.values import Library, Notice


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look keeps for the next: the roots, every place, its digest by folder, and the rows' ingredients.

    `restless` are skill folders that changed so shortly before they were listed that a second change could hide.
    `sidecars` is None when this comes from the scan cache: then no rows were made of it yet.
    """

    roots: tuple[Root, ...]
    places: tuple[Place, ...]
    digests: dict[str, tuple[Place, Digest]]
    rows: RowCache
    sidecars: Sidecars | None
    restless: frozenset[str]


def scan(
    home: Home,
    settings: LibrarySettings,
    clock: Clock,
    token: CancelToken | None = None,
    previous: Library | None = None,
) -> Library:
    """Look at every root. With `previous`, only what may have changed is listed and read again. Raises Cancelled."""
    now = clock()
    roots, notices = find_roots(home, settings)
    seen = _seen(previous)
    if seen is None or seen.roots != roots:
        places = [place for root in roots for place in walk_root(root, token)]
        return _library(home, settings, now, roots, notices, places, seen, token)
    changed = touched(seen.places, seen.restless, roots, token)
    if previous is not None and not changed and _still(previous, seen, home, settings, notices):
        return previous
    places = renewed(seen.places, roots, changed, token)
    return _library(home, settings, now, roots, notices, places, seen, token)


def rescan(
    library: Library,
    home: Home,
    settings: LibrarySettings,
    clock: Clock,
    changed: Collection[Path],
    token: CancelToken | None = None,
    *,
    only: bool = False,
) -> Library:
    """Look again at the folders of `changed` (files or folders, gone ones too) and at all sidecars.

    When the roots are no longer the same, everything is looked at, and new folders make it look around for links that
    lead to them; with `only` neither happens, and what was not looked at counts as unchanged (a draft: nobody else
    writes and folders are not all written out).
    """
    now = clock()
    seen = _seen(library)
    roots, notices = find_roots(home, settings)
    if seen is None or (seen.roots != roots and not only):
        return scan(home, settings, clock, token, library)
    roots = seen.roots if only else roots
    places = renewed(seen.places, roots, changed, token)
    known = {(place.folder, place.file) for place in seen.places}
    if not only and any((place.folder, place.file) not in known for place in places):
        # Links that led to no skill may lead to one now: they are no places yet, so only a look around finds them.
        around = touched(seen.places, seen.restless, roots, token)
        places = renewed(seen.places, roots, {*changed, *around}, token)
    return _library(home, settings, now, roots, notices, places, seen, token, alone=only)


def replanted(library: Library, home: Home, settings: LibrarySettings, clock: Clock, ids: Collection[str]) -> Library:
    """The picture of another home's library as if its own skills with these ids lay in `home`; nothing is read but the
    sidecars there, and no folder has to be there yet. Skills that are links, or whose SKILL.md is one, are left out.
    """
    roots, notices = find_roots(home, settings)
    seen = _seen(library)
    own = next(root for root in roots if root.in_home)
    places: list[Place] = []
    digests: dict[str, tuple[Place, Digest]] = {}
    for place in seen.places if seen is not None else ():
        if place.root.in_home and (place.linked or place.file_linked or place.id not in ids):
            continue
        moved = _replanted(place, own) if place.root.in_home else place
        if moved.root not in roots:
            continue
        places.append(moved)
        if seen is not None and place.folder in seen.digests:
            digests[moved.folder] = (moved, replace(seen.digests[place.folder][1], settled=True))
    known = seen.roots if seen is not None else ()
    places += [place for root in roots if not root.in_home and root not in known for place in walk_root(root, None)]
    before = Seen(roots, tuple(places), digests, {}, read_sidecars(home, settings), frozenset())
    return _library(home, settings, clock(), roots, notices, places, before, None)


def _replanted(place: Place, root: Root) -> Place:
    below = place.folder[len(str(place.root.path)) :]
    return replace(place, root=root, folder=f"{root.path}{below}", real=f"{root.real}{below}")


def _seen(library: Library | None) -> Seen | None:
    return library.seen if library is not None and isinstance(library.seen, Seen) else None


def _library(
    home: Home,
    settings: LibrarySettings,
    now: datetime,
    roots: tuple[Root, ...],
    notices: tuple[Notice, ...],
    places: Iterable[Place],
    seen: Seen | None,
    token: CancelToken | None,
    *,
    alone: bool = False,
) -> Library:
    ranks = {root.real: rank for rank, root in enumerate(roots)}
    ordered = sorted(places, key=lambda place: (place.archived, ranks[place.root.real], place.steps))
    found = []
    digests: dict[str, tuple[Place, Digest]] = {}
    for place, others in one_per_real_folder(ordered):
        if token is not None:
            token.check()
        digest = _digest(place, seen, now, alone=alone)
        digests[place.folder] = (place, digest)
        found.append((place, digest, others))
    sidecars = read_sidecars(home, settings, seen.sidecars if seen is not None else None)
    if seen is None:
        rows, cache = build_rows(found, sidecars, {})
    else:
        rows, cache = build_rows(found, sidecars, seen.rows, same_sidecars=sidecars == seen.sidecars)
    restless = frozenset(place.folder for place in ordered if _is_restless(place, seen, now))
    kept = Seen(roots, tuple(ordered), digests, cache, sidecars, restless)
    return Library(rows, sidecars.forwards, _together(notices, sidecars), kept)


def _is_restless(place: Place, seen: Seen | None, now: datetime) -> bool:
    """Whether a place's folders changed so shortly before this look that their stamps say nothing yet."""
    if seen is not None and place.folder in seen.digests and seen.digests[place.folder][0] is place:
        return place.folder in seen.restless
    return not all(has_settled(at, now) for _, at in place.dirs)


def _together(notices: tuple[Notice, ...], sidecars: Sidecars) -> tuple[Notice, ...]:
    """All notices; where the library itself cannot be listed, that says enough of the sidecars in it."""
    unreadable = any(notice.key == HOME_UNREADABLE for notice in notices)
    return notices if unreadable else notices + sidecars.notices


def _still(library: Library, seen: Seen, home: Home, settings: LibrarySettings, notices: tuple[Notice, ...]) -> bool:
    """Whether a library still holds when none of its folders changed: sidecars, young files and shipped skills."""
    if seen.sidecars is None:
        return False
    sidecars = read_sidecars(home, settings, seen.sidecars)
    if sidecars != seen.sidecars or library.notices != _together(notices, sidecars):
        return False
    return all(digest.settled for _, digest in seen.digests.values()) and shipped_still(seen.rows, sidecars)


def _digest(place: Place, seen: Seen | None, now: datetime, *, alone: bool) -> Digest:
    before = seen.digests.get(place.folder) if seen is not None else None
    if before is not None and ((alone and before[0] is place) or is_current(before[1], before[0], place)):
        return before[1]
    return digest_of(place, now)


def one_per_real_folder(places: Sequence[Place]) -> list[tuple[Place, tuple[str, ...]]]:
    """Each skill once, with the other ways that lead to it. The real folder wins over a link, else the first way."""
    best: dict[str, Place] = {}
    others: dict[str, list[str]] = {}
    for place in places:
        first = best.setdefault(place.real, place)
        if first is place:
            continue
        if first.linked and not place.linked:
            best[place.real], place = place, first
        if place.folder != best[place.real].folder:  # a folder of the settings may lie inside another root
            others.setdefault(place.real, []).append(place.folder)
    winners = {id(place) for place in best.values()}
    return [(place, tuple(others.get(place.real, ()))) for place in places if id(place) in winners]
