"""What a name or an id leads to. Ids are exact; names are compared composed and without case (see names).

Order of `resolve`: a live skill's id, the un-shadowed live skill of that name, forwards to the end of their chain, and
last an archived skill of exactly that name, or of the one its forwards end at. An id in a further folder that is also
the name which another skill won is taken for the name, so that everybody who reads by name gets the same skill; `find`
always takes it for the id.
"""

import difflib
from collections import defaultdict

from app.errors import AppError, Kind
from app.skills.forwards import follow
from app.skills.names import folded, nfc
from app.skills.roots import HOME_UNREADABLE
from app.skills.values import Library, Resolution, Skill, State


class Names:
    """An index over one library, for many questions in a row."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._forwards = {folded(name): forward for name, forward in library.forwards.items()}
        self._live: dict[str, Skill] = {}
        self._archived: defaultdict[str, list[Skill]] = defaultdict(list)
        for one in library.skills:
            if one.state is State.ARCHIVED:
                self._archived[nfc(one.name)].append(one)
            elif one.live and one.shadowed_by is None:
                self._live.setdefault(folded(one.name), one)

    def live(self, name: str) -> Skill | None:
        """The one un-shadowed live skill with this name."""
        return self._live.get(folded(name))

    def resolve(self, name_or_id: str) -> Resolution | None:
        """Follow an id or a name to a skill; None when it leads nowhere or in a circle."""
        wanted = nfc(name_or_id.strip())
        own = self._library.get(wanted)
        live = self.live(wanted)
        if own is not None and own.live and not _is_hidden_name(own, wanted):
            return Resolution(own)
        if live is not None:
            return Resolution(live)
        start = own.name if own is not None else wanted
        passed = follow(self._forwards, start, lambda name: self._reached(name) is not None)
        end = self._reached(passed[-1]) if passed else None
        if end is not None:
            return Resolution(end, (start, *passed[:-1]))
        archived = own if own is not None and own.state is State.ARCHIVED else self._last_archived(wanted)
        if archived is not None:
            return Resolution(archived)
        gone = self._last_archived(nfc(passed[-1])) if passed else None
        return Resolution(gone, (start, *passed[:-1])) if gone is not None else None

    def _reached(self, name_or_id: str) -> Skill | None:
        own = self._library.get(nfc(name_or_id))
        return own if own is not None and own.live else self.live(name_or_id)

    def _last_archived(self, name: str) -> Skill | None:
        rows = self._archived.get(name, ())
        return max(
            rows, key=lambda one: (one.usage.archived_at is not None, one.usage.archived_at, one.id), default=None
        )


def _is_hidden_name(own: Skill, wanted: str) -> bool:
    return own.shadowed_by is not None and not own.in_home and folded(own.name) == folded(wanted)


def live_by_name(library: Library, name: str) -> Skill | None:
    """The one un-shadowed live skill with this name."""
    return Names(library).live(name)


def resolve(library: Library, name_or_id: str) -> Resolution | None:
    """Follow one id or name to a skill; None when it leads nowhere or in a circle."""
    return Names(library).resolve(name_or_id)


def find(library: Library, name_or_id: str) -> Skill:
    """The row with this id (archived, broken and shadowed ones too), else the one row of this name.

    Raises AppError(NOT_FOUND), offering near names, and AppError(INVALID) when several archived skills have the name.
    """
    wanted = nfc(name_or_id.strip())
    found = library.get(wanted)
    if found is not None:
        return found
    same = [one for one in library.skills if folded(one.name) == folded(wanted)]
    rows = [one for one in same if one.state is not State.ARCHIVED]
    if rows:
        return min(rows, key=lambda one: (one.shadowed_by is not None, one.broken))
    archived = library.get(f".archive/{wanted}") or (same[0] if len(same) == 1 else None)
    if archived is not None:
        return archived
    if same:
        ids = ", ".join(one.id for one in same)
        raise AppError(Kind.INVALID, "Several skills have this name", f"'{wanted}' is archived more than once: {ids}.")
    raise _not_found(library, wanted)


def _not_found(library: Library, wanted: str) -> AppError:
    away = next((notice for notice in library.notices if notice.key == HOME_UNREADABLE), None)
    if away is not None:
        return AppError(Kind.NOT_FOUND, away.title, away.text)
    names = sorted({one.name for one in library.skills} | {one.id for one in library.skills})
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.6)
    offer = f" Did you mean {' or '.join(near)}?" if near else " The list shows every skill there is."
    return AppError(Kind.NOT_FOUND, "No such skill", f"There is no skill '{wanted}'.{offer}")
