"""Where a skill's text names other skills: in backticks, in quotes inside code, as "the x skill", and by links."""

import re
from collections.abc import Collection, Iterable

from app.skills.names import folded, nfc

_NAME = r"[\w][\w.\-]{0,63}"
#: How a text names a skill, the name being group 1: in backticks, as the argument of a call, in a sentence.
TICKED = re.compile(rf"`[/$@]?({_NAME}(?:/{_NAME})*)`")
QUOTED = re.compile(rf"\(\s*[\"']({_NAME}(?:/{_NAME})*)[\"']")
SPOKEN = re.compile(rf"\b[Tt]he ({_NAME}) skill\b")
_READ_CHARS = 200_000
_MOST_WORDS = 2_000


def words_of(body: str) -> frozenset[str]:
    """The folded words of a body that may be names of skills (see names)."""
    text = body[:_READ_CHARS]
    found: set[str] = set()
    for pattern, sign in ((TICKED, "`"), (QUOTED, "("), (SPOKEN, "skill")):
        if sign in text:
            found.update(folded(word).removesuffix("/skill.md") for word in pattern.findall(text))
    return frozenset(sorted(found)[:_MOST_WORDS]) if len(found) > _MOST_WORDS else frozenset(found)


def named_by_links(skill_id: str, links: Iterable[str], ids: Collection[str], names: Collection[str]) -> set[str]:
    """The ids (or known folded names) of the skills that relative links of `skill_id` lead to.

    A link to a skill that is no longer at its place counts by the name of its folder, so that a forward can heal it.
    """
    found: set[str] = set()
    for link in links:
        parts = _joined(skill_id, link)
        exact = next((path for end in range(len(parts), 0, -1) if (path := "/".join(parts[:end])) in ids), None)
        if exact is not None:
            found.add(exact)
        else:
            found.update(part for part in parts[:-1] if folded(part) in names)
    found.discard(skill_id)
    return found


def lines_naming(text: str, name: str) -> tuple[tuple[int, str], ...]:
    """The lines of a text that name a skill, each with its 1-based number: for showing where a mention stands."""
    key = folded(name)
    link = re.compile(rf"\]\([^)]*(?:^|/|\()({re.escape(nfc(name))})/", re.I)
    found = []
    for number, line in enumerate(nfc(text).splitlines(), start=1):
        if key in words_of(line) or link.search(line):
            found.append((number, line.strip()))
    return tuple(found)


def _joined(skill_id: str, link: str) -> list[str]:
    parts = skill_id.split("/")
    for step in link.split("/"):
        if step != "..":
            parts.append(step)
        elif parts:
            parts.pop()
    return [nfc(part) for part in parts]
