"""The small language that narrows a list of skills, as values: `state:stale pinned:yes used:<3 -author:agent words`.

The search field of the window and `list --query` of the command line read it with the same functions.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.skills.names import folded
from app.skills.values import Skill

_TERM = re.compile(r"""(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))""")
_BARE = re.compile(r"[^\s:-][^\s:]*")
_COUNT = re.compile(r"^(<=|>=|<|>|=)?(\d+)$")
_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Term:
    """One term: `key` is empty for a plain word; `negated` turns it round."""

    key: str
    value: str
    negated: bool = False

    def __str__(self) -> str:
        """As it is typed."""
        bare = '"' in self.value or _BARE.fullmatch(self.value)
        value = self.value if bare else f'"{self.value}"'
        return f"{'-' if self.negated else ''}{self.key + ':' if self.key else ''}{value}"


@dataclass(frozen=True, slots=True)
class Filter:
    """A parsed filter. Terms with the same key are alternatives, different keys must all fit, words must all occur."""

    terms: tuple[Term, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether everything fits."""
        return not self.terms

    def fits(self, skill: Skill, waiting: int = 0, now: datetime | None = None) -> bool:
        """Whether a skill is shown; `waiting` is how many changes wait for it, `now` the time (else the machine's)."""
        wanted: dict[str, bool] = {}
        for term in self.terms:
            found = _found(term, skill, waiting, now)
            if term.negated or not term.key:
                if found is term.negated:
                    return False
            else:
                wanted[term.key] = wanted.get(term.key, False) or found
        return all(wanted.values())

    def __str__(self) -> str:
        """As it is typed."""
        return " ".join(map(str, self.terms))


def idle_days(skill: Skill, now: datetime) -> int | None:
    """Whole days since the skill's last activity, or since it was made; None without data: that is never "unused"."""
    last = skill.usage.last_activity_at or skill.usage.created_at
    return max(0, (now - last).days) if skill.usage.known and last is not None else None


def parse_filter(text: str) -> Filter:
    """Read any text; what cannot be understood is looked for as a word and told in `problems`."""
    terms: list[Term] = []
    problems: list[str] = []
    for minus, key, quoted, bare in _TERM.findall(text):
        term = Term(key.lower(), folded(quoted or bare), bool(minus))
        problem = _problem(term)
        if problem:
            problems.append(problem)
            term = Term("", folded(f"{key}:{quoted or bare}"), bool(minus))
        if term.value or term.key:
            terms.append(term)
    return Filter(tuple(terms), tuple(problems))


def with_term(text: str, key: str, value: str, *, on: bool) -> str:
    """The same filter text with one term put in or taken out; the rest stays as typed."""
    terms = [term for term in parse_filter(text).terms if (term.key, term.value, term.negated) != (key, value, False)]
    if on:
        terms.append(Term(key, value))
    return " ".join(map(str, terms))


def has_term(parsed: Filter, key: str, value: str) -> bool:
    """Whether exactly this term is in the filter."""
    return Term(key, value) in parsed.terms


@dataclass(frozen=True, slots=True)
class Facet:
    """One key of the language with its values: (value, skills that have it, whether the filter asks for it)."""

    key: str
    values: tuple[tuple[str, int, bool], ...]


def count_facets(skills: Sequence[Skill], shown: Filter, waiting: Mapping[str, int]) -> tuple[Facet, ...]:
    """Facets over the skills that the rest of the filter lets through, so that a second value of a key can be added."""
    found = []
    for key, read in _READERS.items():
        rest = Filter(tuple(term for term in shown.terms if term.key != key or term.negated))
        counts = Counter(
            value for skill in skills if rest.fits(skill, waiting.get(skill.id, 0)) for value in read(skill)
        )
        asked = {term.value for term in shown.terms if term.key == key and not term.negated}
        best = sorted(counts, key=lambda value: (value.casefold() not in asked, -counts[value], value))[:_MOST_VALUES]
        values = tuple((value, counts[value], has_term(shown, key, value.casefold())) for value in best)
        if len(values) > 1 or any(chosen for *_, chosen in values) or (values and key == "is"):
            found.append(Facet(key, values))
    return tuple(found)


def _found(term: Term, skill: Skill, waiting: int, now: datetime | None) -> bool:
    if term.key == "idle":
        days = idle_days(skill, now or datetime.now(UTC))
        return days is not None and _count(days, term.value)
    if not term.key:
        return term.value in _haystack(skill)
    if term.key == "is":
        return _IS[term.value](skill, waiting)
    return _KEYS[term.key](skill, term.value)


def _haystack(skill: Skill) -> str:
    return folded(f"{skill.name}\n{skill.id}\n{skill.description}\n{' '.join(skill.tags)}")


def _count(number: int, value: str) -> bool:
    match = _COUNT.match(value)
    if match is None:
        return False
    sign, limit = match[1] or "=", int(match[2])
    return {
        "<": number < limit,
        ">": number > limit,
        "<=": number <= limit,
        ">=": number >= limit,
        "=": number == limit,
    }[sign]


_KEYS: dict[str, Callable[[Skill, str], bool]] = {
    "state": lambda skill, value: skill.state.value == value and not skill.broken,
    "pinned": lambda skill, value: skill.pinned is _YES[value],
    "managed": lambda skill, value: skill.managed is _YES[value],
    "enabled": lambda skill, value: skill.enabled is _YES[value],
    "source": lambda skill, value: skill.source.value == value,
    "author": lambda skill, value: skill.author.value == value,
    "used": lambda skill, value: skill.usage.known and _count(skill.usage.uses, value),
    "tokens": lambda skill, value: _count(skill.body_tokens, value),
    "category": lambda skill, value: folded(skill.category).startswith(value),
    "tag": lambda skill, value: value in {folded(tag) for tag in skill.tags},
    "name": lambda skill, value: value in folded(skill.name),
}
_IS: dict[str, Callable[[Skill, int], bool]] = {
    "broken": lambda skill, _waiting: skill.broken,
    "linked": lambda skill, _waiting: skill.linked,
    "shadowed": lambda skill, _waiting: skill.shadowed_by is not None,
    "waiting": lambda _skill, waiting: waiting > 0,
    "edited": lambda skill, _waiting: skill.edited_here,
    "unrecorded": lambda skill, _waiting: not skill.usage.known,
    "remarked": lambda skill, _waiting: bool(skill.findings) and not skill.broken,
}
#: So many values of one facet are offered; the rest can be typed.
_MOST_VALUES = 14
_KINDS = ("linked", "shadowed", "edited", "remarked", "unrecorded")
_READERS: Mapping[str, Callable[[Skill], Iterable[str]]] = {
    "source": lambda skill: (skill.source.value,),
    "author": lambda skill: (skill.author.value,),
    "managed": lambda skill: ("yes" if skill.managed else "no",),
    "enabled": lambda skill: ("yes" if skill.enabled else "no",),
    "category": lambda skill: (skill.category,) if skill.category else (),
    "tag": lambda skill: skill.tags,
    "is": lambda skill: [kind for kind in _KINDS if _IS[kind](skill, 0)],
}
_VALUES: dict[str, Collection[str]] = {
    "state": ("active", "stale", "archived"),
    "pinned": _YES,
    "managed": _YES,
    "enabled": _YES,
    "source": ("bundled", "hub", "local"),
    "author": ("agent", "user", "unknown"),
    "is": _IS,
}
#: Every key with an example, for the help of the search field.
EXAMPLES = (
    ("state:", "state:stale"),
    ("pinned:", "pinned:yes"),
    ("source:", "source:hub"),
    ("author:", "author:agent"),
    ("managed:", "managed:no"),
    ("used:", "used:<3"),
    ("idle:", "idle:>30 (days without use; skills without data never fit)"),
    ("tokens:", "tokens:>2000"),
    ("category:", "category:python"),
    ("tag:", "tag:git"),
    ("is:", "is:broken, is:waiting, is:linked, is:shadowed, is:edited, is:remarked, is:unrecorded"),
    ("-", "-source:bundled"),
)


def _problem(term: Term) -> str:
    if not term.key:
        return ""
    if term.key not in _KEYS and term.key not in {"is", "idle"}:
        return f"“{term.key}:” is not known here; it is looked for as a word."
    if term.key in _VALUES and term.value not in _VALUES[term.key]:
        return f"“{term.key}:” takes {', '.join(_VALUES[term.key])}."
    if term.key in {"used", "tokens", "idle"} and not _COUNT.match(term.value):
        return f"“{term.key}:” takes a number, such as <3 or >=10."
    return ""
