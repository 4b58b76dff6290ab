"""The library as groups of rows: categories in order, then each further folder, archived skills last."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from app.skills.filter.values import Filter
from app.skills.values import Skill, State
from widgets.common.matching import folded

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
    #: The row's identity.
    key: Key = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", (str(self.skill.root), self.skill.id))


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
    return Shelf().groups(skills, shown, waiting, order)


@dataclass(frozen=True, slots=True)
class _Card:
    """What a row needs that depends on one skill alone: its entry, its group's key and title, its rank in the group."""

    entry: Entry
    group: str
    title: str
    rank: tuple[float | str, ...]


class Shelf:
    """Groups the same skills again and again: a skill that did not change keeps its entry and its rank."""

    def __init__(self) -> None:
        self._cards: dict[int, _Card] = {}
        self._order = Order.NAME

    def groups(
        self, skills: Sequence[Skill], shown: Filter, waiting: Mapping[str, int], order: Order
    ) -> tuple[Group, ...]:
        """The groups that have a row under this filter."""
        known = self._cards if order is self._order else {}
        cards: dict[int, _Card] = {}
        found: dict[str, list[_Card]] = {}
        for skill in skills:
            count = waiting.get(skill.id, 0) if waiting else 0
            card = known.get(id(skill))
            # The card holds its skill, so an equal number is the same object.
            if card is None or card.entry.skill is not skill or card.entry.waiting != count:
                card = _card(skill, count, order)
            cards[id(skill)] = card
            if shown.fits(skill, count):
                found.setdefault(card.group, []).append(card)
        self._cards, self._order = cards, order
        return tuple(_group(found[key]) for key in sorted(found))


def _card(skill: Skill, waiting: int, order: Order) -> _Card:
    entry = Entry(skill, waiting)
    return _Card(entry, *_place(skill), _ORDERS[order](entry))


def _group(cards: list[_Card]) -> Group:
    entries = tuple(card.entry for card in sorted(cards, key=lambda card: card.rank))
    return Group(cards[-1].group, cards[-1].title, entries)


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
