"""Old names in a skill's texts, rewritten to where their content went: in backticks, calls, sentences, links and
`related_skills`. Everything else of a text stays as it is.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.skills.fences import block_span
from app.skills.mentions import QUOTED, SPOKEN, TICKED
from app.skills.names import folded

_LINK = re.compile(r"(\]\(\s*<?)((?:\.\./)+)([^)\s>#]+)")
_RELATED = re.compile(r"^([ \t]*)related(?:[-_]skills)?[ \t]*:")
_WORD = re.compile(r"[\w][\w.\-]*")


@dataclass(frozen=True, slots=True)
class Successor:
    """Where an old name leads: the live skill's name and id."""

    name: str
    id: str


#: Folded old name to its successor.
Successors = Mapping[str, Successor]


def healed(text: str, successors: Successors, folder: str) -> str:
    """A text with its old names rewritten. `folder` is where the file lies: the skill's id, and folders below it."""
    for pattern in (TICKED, QUOTED, SPOKEN):
        text = pattern.sub(lambda found: _word(found, successors), text)
    text = _LINK.sub(lambda found: _link(found, successors, folder), text)
    span = block_span(text.removeprefix("\ufeff"))
    if span is None:
        return text
    mark = len(text) - len(text.removeprefix("\ufeff"))
    start, end = span[0] + mark, span[1] + mark
    return text[:start] + _related(text[start:end], successors) + text[end:]


def _word(found: re.Match[str], successors: Successors) -> str:
    word, file = found.group(1), ""
    if word.lower().endswith("/skill.md"):
        word, file = word[: -len("/SKILL.md")], word[-len("/SKILL.md") :]
    path, _, name = word.rpartition("/")
    new = successors.get(folded(name))
    if new is None:
        return found.group()
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    return found.group()[:start] + (new.id if path or file else new.name) + file + found.group()[end:]


def _link(found: re.Match[str], successors: Successors, folder: str) -> str:
    """A link to the old skill's SKILL.md; links to its other files stay, because nobody knows where those went."""
    target = posixpath.normpath(posixpath.join(folder, found.group(2) + found.group(3)))
    place, _, file = target.rpartition("/")
    new = successors.get(folded(place.rpartition("/")[2]))
    if new is None or file.lower() != "skill.md":
        return found.group()
    return found.group(1) + posixpath.relpath(f"{new.id}/{file}", folder)


def _related(block: str, successors: Successors) -> str:
    """The front matter with old names in its list of related skills rewritten."""
    lines = block.splitlines(keepends=True)
    depth: int | None = None
    for number, line in enumerate(lines):
        key = _RELATED.match(line)
        indent = len(line) - len(line.lstrip())
        if key:
            depth = len(key.group(1))
            lines[number] = key.group() + _WORD.sub(_by(successors), line[key.end() :])
        elif depth is not None and line.strip() and indent <= depth and not line.lstrip().startswith("-"):
            depth = None
        elif depth is not None:
            lines[number] = _WORD.sub(_by(successors), line)
    return "".join(lines)


def _by(successors: Successors) -> Callable[[re.Match[str]], str]:
    def new(found: re.Match[str]) -> str:
        successor = successors.get(folded(found.group()))
        return successor.name if successor is not None else found.group()

    return new
