"""Markdown cut into labelled sections, for merging and for quoting; joined again it is the same text."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_FENCE = re.compile(r"\A(\ufeff?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE)
_LONE_CR = re.compile(r"\r(?!\n)")


class Label(StrEnum):
    """What a section is for, told from its heading. TITLE is a first-level heading that opens the document."""

    TITLE = "title"
    WHEN = "when"
    SETUP = "setup"
    STEPS = "steps"
    REFERENCE = "reference"
    EXAMPLES = "examples"
    PITFALLS = "pitfalls"
    CHECKS = "checks"
    RELATED = "related"
    OTHER = "other"


#: Words in headings and what they tell; the first label with a hit wins.
_LABEL_WORDS: tuple[tuple[Label, frozenset[str]], ...] = (
    (Label.PITFALLS, frozenset({"pitfall", "pitfalls", "gotcha", "gotchas", "trap", "traps", "mistakes", "caveats"})),
    (Label.PITFALLS, frozenset({"troubleshooting", "avoid", "warnings", "limits"})),
    (Label.CHECKS, frozenset({"verify", "verification", "verifying", "check", "checks", "checklist", "validation"})),
    (Label.WHEN, frozenset({"when", "trigger", "triggers", "purpose", "overview", "scope"})),
    (Label.SETUP, frozenset({"prerequisites", "requirements", "setup", "install", "installation", "preparation"})),
    (Label.EXAMPLES, frozenset({"example", "examples", "sample", "samples"})),
    (Label.RELATED, frozenset({"related", "references", "resources", "links", "reading", "files"})),
    (Label.REFERENCE, frozenset({"reference", "commands", "options", "cheat", "cheatsheet", "rules", "notes"})),
    (Label.STEPS, frozenset({"steps", "procedure", "process", "workflow", "how", "instructions", "recipe", "usage"})),
)


@dataclass(frozen=True, slots=True)
class Section:
    """One heading with what follows it up to the next heading, of whatever level.

    `heading` is the words of the heading (empty for what stands before the first one), `level` 1 to 6 (0 for that),
    `text` the exact Markdown including the heading line, `body` without it, `line` the 1-based line it begins on.
    """

    heading: str
    level: int
    label: Label
    text: str
    body: str
    line: int


@dataclass(frozen=True, slots=True)
class Sections:
    """A whole document: its front matter block with both fences (or empty), then its sections in order."""

    front: str
    sections: tuple[Section, ...]


def split(markdown: str) -> Sections:
    """Cut a document at its headings; headings inside code, quotes and lists do not count."""
    front, body = cut_front(markdown)
    lines = _lines(body)
    first = front.count("\n") + 1
    starts = _headings(body)
    sections = []
    if not starts or starts[0][0] > 0:
        end = starts[0][0] if starts else len(lines)
        lead = "".join(lines[:end])
        if lead:
            sections.append(Section("", 0, Label.OTHER, lead, lead, first))
    for number, (start, content, level, heading) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(lines)
        text, rest = "".join(lines[start:end]), "".join(lines[content:end])
        label = Label.TITLE if number == 0 and level == 1 else label_of(heading)
        sections.append(Section(heading, level, label, text, rest, first + start))
    return Sections(front, tuple(sections))


def cut_front(markdown: str) -> tuple[str, str]:
    """Front matter block (fences included, empty if there is none) and the rest, exactly as they stand."""
    found = _FENCE.match(markdown)
    front = found.group(1) if found else ""
    return front, markdown[len(front) :]


def label_of(heading: str) -> Label:
    """What the words of a heading say its section is for."""
    words = set(re.findall(r"\w+", heading.casefold()))
    return next((label for label, hits in _LABEL_WORDS if words & hits), Label.OTHER)


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


@cache
def _blocks() -> "MarkdownIt":
    """Reads blocks only; leaving the inline rules out also leaves out their slow cases."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - sixty modules, not needed to open a window

    return MarkdownIt("commonmark").disable(["inline", "text_join"])


def _headings(body: str) -> list[tuple[int, int, int, str]]:
    """First line, line after the heading, level and words of every heading that is not inside another block."""
    # The parser counts a lone CR as a line end, we do not: a blank in its place keeps the line numbers equal.
    tokens = _blocks().parse(_LONE_CR.sub(" ", body))
    found = []
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            found.append((token.map[0], token.map[1], int(token.tag[1:]), tokens[number + 1].content.strip()))
    return found
