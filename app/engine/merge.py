"""A lossless merge of sibling skills: every part keeps its own procedure; only exact repetitions are collapsed.

Each absorbed skill becomes one section of the umbrella with its headings one level lower. A section, or an item of a
plain list, that stands word for word in several parts is written once and names the parts it belongs to.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.skilltext import titled
from app.text.sections import Label, Section, split

_ITEM = re.compile(r"^[-*+][ \t]+", re.MULTILINE)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Part:
    """One skill as a part of an umbrella: its title, its description, what stands before its first heading."""

    title: str
    description: str
    lead: str
    sections: tuple[Section, ...]


def part_of(name: str, description: str, content: str) -> Part:
    """A skill cut into what a merge moves."""
    sections = split(content.replace("\r\n", "\n")).sections
    lead = "".join(section.body for section in sections if section.level == 0)
    titles = [section for section in sections if section.label is Label.TITLE]
    title = titles[0].heading if titles else titled(name)
    own = "".join(section.body for section in titles[:1])
    rest = tuple(section for section in sections if section.level > 0 and section not in titles[:1])
    return Part(title, " ".join(description.split()), f"{lead.strip()}\n\n{own.strip()}".strip(), rest)


def merged_body(title: str, parts: Sequence[Part]) -> str:
    """The body of a new umbrella over these parts."""
    choose = "\n".join(f"- **{part.title}**: {part.description}" for part in parts)
    head = f"# {title}\n\nChoose the part that fits the task:\n\n{choose}"
    return "\n\n".join([head, *_blocks(parts, {}, {})]) + "\n"


def appended_body(content: str, name: str, parts: Sequence[Part]) -> str:
    """An existing skill with these parts behind its own text, less what it says word for word already."""
    own = part_of(name, "", content)
    sections = {_key(section): own.title for section in own.sections if section.body.strip()}
    items = {(section.label, _plain(item)): own.title for section in own.sections for item in list_items(section.body)}
    blocks = _blocks(parts, sections, items)
    return "\n\n".join([content.rstrip("\n"), *blocks]) + "\n"


def list_items(body: str) -> tuple[str, ...]:
    """The items of a body that is one plain bullet list and nothing else, with their continuation lines; else none."""
    text = body.strip("\n")
    if not _ITEM.match(text):
        return ()
    items = [text[a:b].rstrip("\n") for a, b in _spans(text)]
    plain = all(not line.strip() or line[0] in " \t" for item in items for line in item.split("\n")[1:])
    return tuple(items) if plain and "```" not in text else ()


def _spans(text: str) -> list[tuple[int, int]]:
    starts = [found.start() for found in _ITEM.finditer(text)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _blocks(
    parts: Sequence[Part], known_sections: dict[tuple[Label, str, str], str], known_items: dict[tuple[Label, str], str]
) -> list[str]:
    """Each part's Markdown, then what several parts share; what the target knows already is left out."""
    repeated = _repeated_sections(parts)
    shared_items = _repeated_items(parts, repeated)
    leads = _repeated_leads(parts)
    blocks = []
    for part in parts:
        lines = [f"## {part.title}"]
        lines += [part.description if part.lead in leads else part.lead] if part.lead else []
        for section in part.sections:
            key = _key(section)
            if section.body.strip() and (key in repeated or key in known_sections):
                continue
            text = _lowered(section, shared_items.keys() | known_items.keys())
            if text:
                lines.append(text)
        blocks.append("\n\n".join(lines))
    blocks += [f"## Common to {_names(titles, parts)}\n\n{lead}" for lead, titles in leads.items()]
    blocks += [_shared_section(key, repeated[key], parts) for key in repeated if key not in known_sections]
    blocks += _shared_lists({key: where for key, where in shared_items.items() if key not in known_items}, parts)
    return blocks


def _repeated_leads(parts: Sequence[Part]) -> dict[str, list[str]]:
    """Opening texts that several parts share word for word, and the titles of those parts."""
    where: dict[str, list[str]] = {}
    for part in parts:
        where.setdefault(part.lead, []).append(part.title)
    return {lead: titles for lead, titles in where.items() if lead and len(titles) > 1}


def _repeated_sections(parts: Sequence[Part]) -> dict[tuple[Label, str, str], list[str]]:
    where: dict[tuple[Label, str, str], list[str]] = {}
    for part in parts:
        for key in dict.fromkeys(_key(section) for section in part.sections if section.body.strip()):
            where.setdefault(key, []).append(part.title)
    return {key: titles for key, titles in where.items() if len(titles) > 1}


def _repeated_items(
    parts: Sequence[Part], repeated: dict[tuple[Label, str, str], list[str]]
) -> dict[tuple[Label, str], list[str]]:
    where: dict[tuple[Label, str], list[str]] = {}
    for part in parts:
        left = [section for section in part.sections if _key(section) not in repeated]
        found = ((section.label, _plain(item)) for section in left for item in list_items(section.body))
        for key in dict.fromkeys(found):
            where.setdefault(key, []).append(part.title)
    return {key: titles for key, titles in where.items() if len(titles) > 1}


def _lowered(section: Section, leave_out: set[tuple[Label, str]]) -> str:
    """A section one level lower; empty when all its items stand elsewhere."""
    heading = f"{'#' * min(6, max(3, section.level + 1))} {section.heading}"
    items = list_items(section.body)
    kept = [item for item in items if (section.label, _plain(item)) not in leave_out]
    if items and not kept:
        return ""
    body = "\n".join(kept) if len(kept) < len(items) else section.body.strip("\n")
    return f"{heading}\n\n{body}".rstrip()


def _shared_section(key: tuple[Label, str, str], titles: Sequence[str], parts: Sequence[Part]) -> str:
    section = next(section for part in parts for section in part.sections if _key(section) == key)
    body = section.body.strip("\n")
    return f"## {section.heading} ({_names(titles, parts)})\n\n{body}"


def _shared_lists(shared: dict[tuple[Label, str], list[str]], parts: Sequence[Part]) -> list[str]:
    """One list for each heading and set of parts that share items."""
    lists: dict[tuple[str, str], list[str]] = {}
    for key, titles in shared.items():
        section, item = next(
            (section, item)
            for part in parts
            for section in part.sections
            for item in list_items(section.body)
            if (section.label, _plain(item)) == key
        )
        lists.setdefault((section.heading, _names(titles, parts)), []).append(item)
    return [f"## {heading} ({names})\n\n" + "\n".join(items) for (heading, names), items in lists.items()]


def _names(titles: Sequence[str], parts: Sequence[Part]) -> str:
    return "all parts" if len(titles) == len(parts) else ", ".join(titles)


def _key(section: Section) -> tuple[Label, str, str]:
    return section.label, _plain(section.heading), section.body.strip()


def _plain(text: str) -> str:
    return " ".join(text.split())
