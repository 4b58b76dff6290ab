"""Puts the rows of the library together from places, digests and sidecars."""

from collections.abc import Sequence
from pathlib import Path

from app.skills.digest import Digest
from app.skills.mentions import named_by_links
from app.skills.names import folded
from app.skills.order import Row, shadows, usage_keys
from app.skills.places import Place
from app.skills.sidecars import Sidecars
from app.skills.usage import UsageRecord, author_of, is_edited_here, is_managed, is_pinned, state_of, usage_of
from app.skills.values import Load, Skill, Source, State

#: A skill as found and read, with the further links that lead to it.
Found = tuple[Place, Digest, tuple[str, ...]]


def build_rows(found: Sequence[Found], sidecars: Sidecars) -> tuple[Skill, ...]:
    """The rows of the library in the given order."""
    rows: list[Row] = [(digest.name, place.id, place.archived, digest.load is Load.SKIP) for place, digest, _ in found]
    hidden = shadows(rows)
    keys = usage_keys(rows)
    names = _Known(found, sidecars)
    return tuple(
        _row(one, shadow, _record(sidecars, one[0], one[1], key, shadow), sidecars, names)
        for one, shadow, key in zip(found, hidden, keys, strict=True)
    )


class _Known:
    """The ids and folded names that a text can mention."""

    def __init__(self, found: Sequence[Found], sidecars: Sidecars) -> None:
        self.ids = {place.id for place, _, _ in found if not place.archived}
        self.names = {folded(digest.name): digest.name for _, digest, _ in found}
        self.names.update({folded(name): name for name in sidecars.forwards if folded(name) not in self.names})
        self._folded_ids = {folded(skill_id): skill_id for skill_id in self.ids}
        self._words = self.names.keys() | self._folded_ids.keys()

    def mentions(self, place: Place, digest: Digest) -> tuple[str, ...]:
        """The names and ids a skill's text mentions, itself left out, sorted."""
        words = (digest.words & self._words) - {folded(digest.name), folded(place.id)} if digest.words else ()
        found = {self.names.get(word) or self._folded_ids[word] for word in words}
        if digest.links:
            found |= named_by_links(place.id, digest.links, self.ids, self.names)
            found.discard(digest.name)
        return tuple(sorted(found)) if found else ()


def _record(sidecars: Sidecars, place: Place, digest: Digest, key: str, shadow: str | None) -> UsageRecord | None:
    """The usage record of a row. A record kept under a name that others have by now stays with the winner."""
    record = sidecars.records.get(key)
    if record is None and shadow is None and not place.archived:
        record = sidecars.records.get(digest.name)
    return record if isinstance(record, dict) else None


def _row(one: Found, shadow: str | None, record: UsageRecord | None, sidecars: Sidecars, known: _Known) -> Skill:
    place, digest, others = one
    in_home = place.root.in_home
    source = sidecars.source(place.id, digest.name) if in_home and not place.linked else Source.LOCAL
    forward = sidecars.forwards.get(digest.name) if place.archived else None
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
        enabled=sidecars.enabled(place.id, digest.name),
        source=source,
        author=author_of(record),
        managed=source is Source.LOCAL and in_home and not place.linked and is_managed(record),
        edited_here=source is not Source.LOCAL and is_edited_here(record),
        usage=usage_of(record),
        load=digest.load,
        findings=digest.findings,
        shadowed_by=shadow,
        absorbed_into=forward.into if forward else None,
        related=digest.related,
        mentions=known.mentions(place, digest),
        tags=digest.tags,
        allowed_tools=digest.tools,
        size=digest.size,
        file_count=len(place.files),
        modified_at=digest.modified_at,
        body_hash=digest.body_hash,
        catalogue_tokens=digest.catalogue_tokens,
        body_tokens=digest.body_tokens,
        file=place.file or "SKILL.md",
        also_at=tuple(Path(other) for other in others),
    )


def _real(place: Place) -> Path | None:
    if place.file_linked and place.file is not None:
        return Path(place.folder, place.file).resolve()
    return Path(place.real) if place.linked else None
