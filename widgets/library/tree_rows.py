"""The library as groups of rows: categories in order, then each further folder, archived skills last."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from app.skills.values import Skill, State
from widgets.common.matching import folded
from widgets.library.filter_language import Filter

ARCHIVED = "\uffffarchived"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)

#: What tells two rows apart: the root and the id below it.
Key = tuple[str, str]


class Order(StrEnum):
    """How skills are sorted inside a group."""

    NAME = "name"
    RECENT = "recent"
    USES = "uses"


@dataclass(frozen=True, slots=True)
class Entry:
    """One skill's row. `waiting` counts the changes that wait for a decision."""

    skill: Skill
    waiting: int = 0

    @property
    def key(self) -> Key:
        """The row's identity."""
        return str(self.skill.root), self.skill.id


@dataclass(frozen=True, slots=True)
class Group:
    """A category with its rows. `key` sorts it and stays the same; `title` is empty for skills without a category."""

    key: str
    title: str
    entries: tuple[Entry, ...]


def group_rows(
    skills: Sequence[Skill], shown: Filter, waiting: Mapping[str, int], order: Order = Order.NAME
) -> tuple[Group, ...]:
    """The groups that have a row under this filter."""
    groups: dict[str, list[Entry]] = {}
    titles: dict[str, str] = {}
    for skill in skills:
        count = waiting.get(skill.id, 0)
        if shown.fits(skill, count):
            key, title = _place(skill)
            titles[key] = title
            groups.setdefault(key, []).append(Entry(skill, count))
    by = _ORDERS[order]
    return tuple(Group(key, titles[key], tuple(sorted(groups[key], key=by))) for key in sorted(groups))


def glyph_of(skill: Skill) -> str:
    """The name of the state glyph in front of a row."""
    if skill.broken:
        return "broken"
    if skill.shadowed_by is not None:
        return "shadowed"
    return skill.state.value


def reason_of(skill: Skill) -> str:
    """Why a skill cannot be used, with the line, in one sentence; empty when it can."""
    if skill.broken and skill.findings:
        first = skill.findings[0]
        return f"line {first.line}: {first.message}" if first.line else first.message
    return ""


def _place(skill: Skill) -> tuple[str, str]:
    if skill.state is State.ARCHIVED:
        return ARCHIVED, ""
    if skill.in_home:
        return f"0{folded(skill.category)}", skill.category
    title = f"{skill.root.name} / {skill.category}" if skill.category else skill.root.name
    return f"1{skill.root}/{folded(skill.category)}", title


def _by_name(entry: Entry) -> tuple[str, ...]:
    return folded(entry.skill.name), entry.skill.id, str(entry.skill.root)


def _by_recent(entry: Entry) -> tuple[float | str, ...]:
    last = entry.skill.usage.last_activity_at or _LONG_AGO
    return (-(last - _LONG_AGO).total_seconds(), *_by_name(entry))


def _by_uses(entry: Entry) -> tuple[float | str, ...]:
    return (-entry.skill.usage.uses, *_by_name(entry))


_ORDERS: Mapping[Order, Callable[[Entry], tuple[float | str, ...]]] = {
    Order.NAME: _by_name,
    Order.RECENT: _by_recent,
    Order.USES: _by_uses,
}
