"""Puts the rows of the library together from places, digests and sidecars."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.skills.digest import Digest
from app.skills.mentions import named_by_links
from app.skills.names import folded
from app.skills.order import Row, shadows, usage_keys
from app.skills.places import Place
from app.skills.shipped import is_changed
from app.skills.sidecars import Sidecars
from app.skills.usage import UsageRecord, author_of, is_edited_here, is_managed, is_pinned, state_of, usage_of
from app.skills.values import Forward, Load, Skill, Source, State

#: A skill as found and read, with the further links that lead to it.
Found = tuple[Place, Digest, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything a row is made of. Equal facts give equal rows, so an old row can stay."""

    place: Place
    digest: Digest
    others: tuple[str, ...]
    shadow: str | None
    record: UsageRecord | None
    source: Source
    edited: bool
    enabled: bool
    forward: Forward | None
    mentions: tuple[str, ...]

    def same_as(self, old: "Facts") -> bool:
        """Whether a row made from `old` still holds."""
        mine, theirs = self.place, old.place
        return (
            self.digest is old.digest
            and self.shadow == old.shadow
            and self.record == old.record
            and self.source is old.source
            and self.edited == old.edited
            and self.enabled is old.enabled
            and self.forward == old.forward
            and self.mentions == old.mentions
            and self.others == old.others
            and len(mine.files) == len(theirs.files)
            and mine.real == theirs.real
            and mine.root == theirs.root
        )


#: The last rows by folder, with what they were made of.
RowCache = dict[str, tuple[Facts, Skill]]


def build_rows(
    found: Sequence[Found], sidecars: Sidecars, before: RowCache, *, same_sidecars: bool = False
) -> tuple[tuple[Skill, ...], RowCache]:
    """The rows of the library in the given order, and what to hand in the next time.

    `same_sidecars` says that nothing outside the folders differs from the time of `before`. While names and order are
    the same as well, a row depends on its own skill alone.
    """
    rows = [_order_row(place, digest) for place, digest, _ in found]
    alone = same_sidecars and rows == [_order_row(facts.place, facts.digest) for facts, _ in before.values()]
    hidden = shadows(rows)
    keys = usage_keys(rows)
    known = _Known(found, sidecars)
    cache: RowCache = {}
    for one, shadow, key in zip(found, hidden, keys, strict=True):
        old = before.get(one[0].folder)
        if alone and old is not None and _untouched(one, old[0]):
            cache[one[0].folder] = old
            continue
        facts = _facts(one, shadow, key, sidecars, known)
        cache[one[0].folder] = old if old is not None and facts.same_as(old[0]) else (facts, _row(facts))
    return tuple(skill for _, skill in cache.values()), cache


def _order_row(place: Place, digest: Digest) -> Row:
    return digest.name, digest.key, place.id, place.archived, digest.load is Load.SKIP


def _untouched(one: Found, old: Facts) -> bool:
    """Whether a skill was found just as before; whether a shipped one was edited shows only on the disk."""
    place, digest, others = one
    same = digest is old.digest and place is old.place and others == old.others
    return same and old.source is not Source.BUNDLED


def shipped_still(cache: RowCache, sidecars: Sidecars) -> bool:
    """Whether every shipped skill's folder still is, or still is not, what was shipped (its files are not watched)."""
    shipped = [facts for facts, _ in cache.values() if facts.source is Source.BUNDLED]
    return all(facts.edited == _is_edited(facts.place, facts.digest, facts.record, sidecars) for facts in shipped)


def _is_edited(place: Place, digest: Digest, record: UsageRecord | None, sidecars: Sidecars) -> bool:
    shipped = sidecars.shipped_hash(place.id, digest.name)
    return is_edited_here(record) or is_changed(Path(place.folder), shipped)


class _Known:
    """The ids and folded names that a text can mention."""

    def __init__(self, found: Sequence[Found], sidecars: Sidecars) -> None:
        self.ids = {place.id for place, _, _ in found if not place.archived}
        self.names = {digest.key: digest.name for _, digest, _ in found}
        self.names.update({folded(name): name for name in sidecars.forwards if folded(name) not in self.names})
        self._folded_ids = {place.key: place.id for place, _, _ in found if not place.archived}
        self._words = self.names.keys() | self._folded_ids.keys()

    def mentions(self, place: Place, digest: Digest) -> tuple[str, ...]:
        """The names and ids a skill's text mentions, itself left out, sorted."""
        words = (digest.words & self._words) - {digest.key, place.key} if digest.words else ()
        found = {self.names.get(word) or self._folded_ids[word] for word in words}
        if digest.links:
            found |= named_by_links(place.id, digest.links, self.ids, self.names)
            found.discard(digest.name)
        return tuple(sorted(found)) if found else ()


def _facts(one: Found, shadow: str | None, key: str, sidecars: Sidecars, known: _Known) -> Facts:
    place, digest, others = one
    own = place.root.in_home and not place.linked
    enabled = sidecars.enabled(place.id, digest.name)
    forward = sidecars.forwards.get(digest.name) if place.archived else None
    record = _record(sidecars, place, digest, key, shadow, known)
    source = sidecars.source(place.id, digest.name, record) if own else Source.LOCAL
    if source is Source.BUNDLED:
        edited = _is_edited(place, digest, record, sidecars)
    else:
        edited = source is Source.HUB and is_edited_here(record)
    mentions = known.mentions(place, digest)
    return Facts(place, digest, others, shadow, record, source, edited, enabled, forward, mentions)


def _record(
    sidecars: Sidecars, place: Place, digest: Digest, key: str, shadow: str | None, known: _Known
) -> UsageRecord | None:
    """The usage record of a row, also while its key changes because others of its name came or went.

    A record kept under a name that others have by now stays with the winner, unless the name is the id, and so the own
    key, of one of them. A path is nobody else's key.
    """
    record = sidecars.records.get(key)
    if record is None and not place.archived:
        by_name = shadow is None and (digest.name == place.id or digest.name not in known.ids)
        other = place.id if key != place.id and "/" in place.id else digest.name if by_name else key
        record = sidecars.records.get(other)
    return record if isinstance(record, dict) else None


def _row(facts: Facts) -> Skill:
    place, digest, record = facts.place, facts.digest, facts.record
    in_home, local = place.root.in_home, facts.source is Source.LOCAL
    return Skill(
        id=place.id,
        name=digest.name,
        category="" if place.archived else place.id.rpartition("/")[0],
        description=digest.description,
        folder=Path(place.folder),
        root=place.root.path,
        in_home=in_home,
        real=_real(place),
        state=State.ARCHIVED if place.archived else state_of(record),
        pinned=is_pinned(record),
        enabled=facts.enabled,
        source=facts.source,
        author=author_of(record),
        managed=local and in_home and not place.linked and is_managed(record),
        edited_here=facts.edited,
        usage=usage_of(record),
        load=digest.load,
        findings=digest.findings,
        shadowed_by=facts.shadow,
        absorbed_into=facts.forward.into if facts.forward else None,
        related=digest.related,
        mentions=facts.mentions,
        tags=digest.tags,
        allowed_tools=digest.tools,
        size=digest.size,
        file_count=len(place.files),
        modified_at=digest.modified_at,
        body_hash=digest.body_hash,
        catalogue_tokens=digest.catalogue_tokens,
        body_tokens=digest.body_tokens,
        file=place.file or "SKILL.md",
        also_at=tuple(Path(other) for other in facts.others),
    )


def _real(place: Place) -> Path | None:
    if place.file_linked and place.file is not None:
        return Path(os.path.realpath(f"{place.folder}/{place.file}"))
    return Path(place.real) if place.linked else None
