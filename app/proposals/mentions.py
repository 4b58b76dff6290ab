"""Where other skills name one that is to be absorbed, so that the reviewer sees what will go through the forward.

A name that reads like a common word ("alpha") counts only where it is meant as a skill: quoted, in a link's path, in
a wiki link, after `@`, beside the word *skill*, or in `related_skills`. A name with a hyphen or a digit counts
wherever it stands alone. "alphabet" never names "alpha".
"""

import re
from collections.abc import Collection, Iterable, Iterator

from app.proposals.values import Mention

_LONGEST_LINE = 160


def name_pattern(names: Collection[str]) -> re.Pattern[str]:
    """A pattern whose group `name`, or one of its numbered copies, is the skill named at a match."""
    every = _either(names)
    distinct = _either([name for name in names if re.search(r"[-_\d]", name)])
    edge, end = r"(?<![\w-])", r"(?![\w-])"
    forms = [
        rf"[`\"'“‘](?:[@/]|skill:)?({every})[`\"'”’]",
        rf"\]\([^)\s]*?{edge}({every})(?:/[^)\s]*)?\)",
        rf"\[\[({every})[\]|#]",
        rf"(?<!\S)@(?:skill:)?({every}){end}",
        rf"{edge}({every})\s+skill\b",
        rf"\bskills?:?\s+({every}){end}",
    ]
    if distinct:
        forms.append(rf"{edge}({distinct}){end}")
    return re.compile("|".join(forms))


def mentions_in(skill: str, file: str, text: str, names: Collection[str]) -> dict[str, list[Mention]]:
    """The places in one file of `skill` that name one of `names`: one mention a line and name."""
    found: dict[str, list[Mention]] = {}
    if not names or not any(name in text for name in names):
        return found
    pattern = name_pattern(names)
    related = dict(_related_lines(text))
    for number, line in enumerate(text.splitlines(), 1):
        named = [next(part for part in match.groups() if part) for match in pattern.finditer(line)]
        named += [word for word in related.get(number, ()) if word in names]
        for name in dict.fromkeys(named):
            found.setdefault(name, []).append(Mention(skill, file, number, line.strip()[:_LONGEST_LINE]))
    return found


def mentions_of(names: Collection[str], texts: Iterable[tuple[str, str, str]]) -> dict[str, tuple[Mention, ...]]:
    """All mentions by name in many texts, given as (skill id, file, text)."""
    found: dict[str, list[Mention]] = {}
    for skill, file, text in texts:
        for name, places in mentions_in(skill, file, text, names).items():
            found.setdefault(name, []).extend(places)
    return {name: tuple(places) for name, places in found.items()}


def _either(names: Collection[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def _related_lines(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The words on the lines of the front matter's `related_skills`, by 1-based line number."""
    lines = text.splitlines()
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return
    inside, depth = False, 0
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() in {"---", "..."}:
            return
        indent = len(line) - len(line.lstrip())
        key = re.match(r"\s*related[-_]skills\s*:(.*)", line)
        if key:
            inside, depth = True, indent
            yield number, tuple(re.findall(r"[\w.-]+", key[1]))
        elif inside and line.strip() and (indent > depth or line.lstrip().startswith("-")):
            yield number, tuple(re.findall(r"[\w.-]*\w", line))
        elif line.strip():
            inside = False
