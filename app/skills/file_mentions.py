"""Names of other skills in the further Markdown files of skills, beside what a look at the library knows of SKILL.md.

A look reads SKILL.md files only, because there can be very many others. Who needs all mentions (the graph, a heal) asks
here; what was read stays in the reader, so that the next question costs one stat a file.
"""

import os
from dataclasses import dataclass, field, replace

from app.cancel import CancelToken
from app.skills.checks_body import link_targets
from app.skills.digest import outward
from app.skills.mentions import named_by_links, words_of
from app.skills.names import folded
from app.skills.places import single_place
from app.skills.plain import read_plain
from app.skills.values import Library, Skill

#: Of one skill at most so many further Markdown files are read, and of each at most so many bytes.
_MOST_FILES = 60
_MOST_BYTES = 400_000
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
#: Modification time (ns), size and inode of a file.
_Mark = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Words:
    mark: _Mark
    words: frozenset[str]
    links: tuple[str, ...]


@dataclass(slots=True)
class FileMentions:
    """Reads the further Markdown files of skills and remembers them. One object per thread."""

    _read: dict[str, _Words] = field(default_factory=dict)
    _rows: dict[str, tuple[Skill, list[_Words]]] = field(default_factory=dict)

    def completed(self, library: Library, token: CancelToken | None = None, *, quick: bool = False) -> Library:
        """The library with the mentions of all Markdown files; the same object when there are no more than before.

        With `quick` the files of a skill whose row is the very same as at the last question are not looked at again.
        Raises Cancelled.
        """
        names = _Names(library)
        rows: list[Skill] = []
        for skill in library.skills:
            if token is not None:
                token.check()
            more = self._mentions(skill, names, quick=quick) if skill.live and skill.file_count > 1 else set()
            rows.append(skill if more <= {*skill.mentions} else replace(skill, mentions=_joined(skill, more)))
        same = all(one is other for one, other in zip(rows, library.skills, strict=True))
        return library if same else replace(library, skills=tuple(rows))

    def _mentions(self, skill: Skill, names: "_Names", *, quick: bool) -> set[str]:
        known = self._rows.get(str(skill.folder))
        if not quick or known is None or known[0] is not skill:
            words = (self._words(f"{skill.folder}/{file}", file.count("/")) for file in markdown_files(skill))
            known = self._rows[str(skill.folder)] = (skill, [one for one in words if one is not None])
        return {name for read in known[1] for name in names.meant(skill, read)}

    def _words(self, path: str, depth: int) -> _Words | None:
        try:
            status = os.stat(path, follow_symlinks=False)  # noqa: PTH116 - one call per file
            mark = (status.st_mtime_ns, status.st_size, status.st_ino)
            known = self._read.get(path)
            if known is not None and known.mark == mark:
                return known
            text = markdown_text(path)
        except OSError:
            return None  # gone, a link, or not to be read: it names nothing
        # Links are written from the file's own folder; those that leave the skill are taken from the skill's.
        links = {path for _, target in link_targets(text) if (path := outward(_from_skill(target, depth)))}
        self._read[path] = found = _Words(mark, words_of(text), tuple(sorted(links)))
        return found


def markdown_files(skill: Skill) -> tuple[str, ...]:
    """The skill's further Markdown files, sorted; SKILL.md is not among them, and at most sixty are."""
    place = single_place(skill.folder)
    files = place.files if place is not None else ()
    return tuple(sorted(file for file in files if file.lower().endswith(".md") and file != skill.file))[:_MOST_FILES]


def markdown_text(path: str) -> str:
    """The text of one further Markdown file, empty when it is too long to be looked at.

    Raises OSError when it is gone, a link, or not to be read.
    """
    data = read_plain(os.open(path, _OPEN), _MOST_BYTES)
    return (data or b"").decode("utf-8", "replace")


class _Names:
    """What a word or a link can mean in one library."""

    def __init__(self, library: Library) -> None:
        live = [skill for skill in library.skills if skill.live]
        self.ids = {skill.id for skill in live}
        self._words: dict[str, str] = {folded(skill.id): skill.id for skill in live}
        self._words.update({folded(name): name for name in library.forwards})
        self._words.update({folded(skill.name): skill.name for skill in library.skills})

    def meant(self, skill: Skill, read: _Words) -> set[str]:
        """The names and ids that a file of a skill mentions, the skill itself left out."""
        own = {folded(skill.name), folded(skill.id)}
        found = {self._words[word] for word in (read.words & self._words.keys()) - own}
        found |= named_by_links(skill.id, read.links, self.ids, self._words.keys())
        return {name for name in found if folded(name) not in own}


def _joined(skill: Skill, more: set[str]) -> tuple[str, ...]:
    return tuple(sorted({*skill.mentions, *more}))


def _from_skill(target: str, depth: int) -> str:
    """A link of a file `depth` folders below the skill as SKILL.md would write it; empty when it stays in the skill."""
    steps = 0
    while target.startswith("../", 3 * steps):
        steps += 1
    return target[3 * depth :] if steps > depth else ""
