"""Which skills a consolidation may work on, and how they are told to the model: only what the run can really change."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from app.curator.ages import born_at, curated, too_young
from app.curator.values import Thresholds
from app.skills.values import Skill
from app.text.similarity import Similarity

#: Siblings share at least this much of their words (TF-IDF over name, description and headings).
SIBLING_THRESHOLD = 0.15


def candidates(skills: Iterable[Skill], now: datetime, thresholds: Thresholds) -> tuple[Skill, ...]:
    """Curated, enabled skills old enough to be merged. Pinned ones may receive content and are marked."""
    return tuple(
        skill
        for skill in skills
        if curated(skill) and skill.enabled and skill.shadowed_by is None and not too_young(skill, now, thresholds)
    )


def skipped(skills: Iterable[Skill], now: datetime, thresholds: Thresholds) -> tuple[str, ...]:
    """Sentences about the skills a run leaves alone although they are managed: pinned, or too young."""
    lines = []
    for skill in skills:
        if not curated(skill):
            continue
        if skill.pinned:
            lines.append(f"{skill.id}: pinned, never archived or merged away")
        elif too_young(skill, now, thresholds):
            lines.append(f"{skill.id}: younger than {thresholds.min_age_days:g} days")
    return tuple(lines)


def sibling_clusters(found: Sequence[Skill], texts: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Groups of two or more candidates whose name, description and headings are alike (ids, largest group first)."""
    similarity = Similarity({skill.id: texts.get(skill.id) or f"{skill.name} {skill.description}" for skill in found})
    groups = similarity.clusters(SIBLING_THRESHOLD)
    return tuple(sorted((tuple(group) for group in groups if len(group) > 1), key=lambda group: (-len(group), group)))


def candidate_message(
    found: Sequence[Skill],
    clusters: Sequence[Sequence[str]],
    users: Mapping[str, Sequence[str]],
    now: datetime,
    note: str = "",
    references: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> str:
    """The user message of a consolidation: a JSON block with the candidates, their siblings and who names them. A
    person's `note` (about an earlier proposal) stands in front and in the block; `references` are sentences by id about
    what else leans on a skill.
    """
    names = {skill.id: skill.name for skill in found}
    rows = [_row(skill, users.get(skill.id, ()), now) | _leaning(references.get(skill.id, ())) for skill in found]
    data = {"candidates": rows, "clusters": [[names[item] for item in group] for group in clusters]}
    if note:
        data["note"] = note
    return (f"The note: {note}\n\n" if note else "") + (
        "These are the skills you may change. A pinned one may be improved, never deleted. `clusters` are siblings by "
        "wording, a hint, not an order.\n\n```json\n" + json.dumps(data, ensure_ascii=False, indent=1) + "\n```\n"
    )


def _leaning(sentences: Sequence[str]) -> dict[str, object]:
    return {"referenced_by": list(sentences)} if sentences else {}


def _row(skill: Skill, users: Sequence[str], now: datetime) -> dict[str, object]:
    born = born_at(skill)
    last = skill.usage.last_activity_at
    return {
        "id": skill.id,
        "name": skill.name,
        "description": skill.description,
        "state": str(skill.state),
        "pinned": skill.pinned,
        "uses": skill.usage.uses,
        "views": skill.usage.views,
        "patches": skill.usage.patches,
        "age_days": (now - born).days if born else None,
        "last_activity_at": last.isoformat() if last else None,
        "mentioned_by": list(users),
    }
