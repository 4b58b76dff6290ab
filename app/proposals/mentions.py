"""Where other skills name one that is to be absorbed, so that the reviewer sees what will go through the forward."""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress

from app.errors import AppError
from app.proposals.values import Mention
from app.skills.file_mentions import markdown_files, markdown_text
from app.skills.mentions import lines_naming
from app.skills.names import folded
from app.skills.read import read_skill_text
from app.skills.values import Library, Skill

_LONGEST_LINE = 160
_WORD = re.compile(r"[\w.-]*\w")


def mentions_of(
    absorbed: Collection[Skill], apart: Collection[str], library: Library
) -> dict[str, tuple[Mention, ...]]:
    """The places in live skills of the home that name an absorbed one, by the absorbed skill's id.

    All Markdown files count. Skills whose id is in `apart` (the absorbed ones themselves and their umbrellas)
    are left out. Only skills that name one are read line by line; `library` has to know the mentions of all files.
    """
    found: dict[str, list[Mention]] = {skill.id: [] for skill in absorbed}
    keys = {skill.id: {folded(skill.id), folded(skill.name)} for skill in absorbed}
    for user in library.skills:
        if not user.in_home or not user.live or user.id in apart:
            continue
        named = {folded(name) for name in (*user.related, *user.mentions)}
        meant = [skill for skill in absorbed if named & keys[skill.id]]
        texts = _texts(user) if meant else {}
        for skill in meant:
            for file, text in texts.items():
                found[skill.id].extend(_places(user, file, text, skill))
    return {skill_id: tuple(places) for skill_id, places in found.items()}


def _places(user: Skill, file: str, text: str, absorbed: Skill) -> Iterator[Mention]:
    lines = dict(_related(text, absorbed.name)) if file == user.file else {}
    lines.update(lines_naming(text, absorbed.name))
    for number in sorted(lines):
        yield Mention(user.id, file, number, lines[number].strip()[:_LONGEST_LINE])


def _texts(skill: Skill) -> dict[str, str]:
    """The skill's Markdown files, SKILL.md first; what is gone or unreadable by now names nothing."""
    texts: dict[str, str] = {}
    with suppress(AppError):
        texts[skill.file] = read_skill_text(skill)
    for file in markdown_files(skill) if skill.file_count > 1 else ():
        with suppress(OSError):
            texts[file] = markdown_text(f"{skill.folder}/{file}")
    return texts


def _related(text: str, name: str) -> Iterator[tuple[int, str]]:
    """The lines below the front matter's `related_skills` that hold the name, with their 1-based numbers."""
    lines = text.splitlines()
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return
    inside, depth = False, 0
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() in {"---", "..."}:
            return
        indent = len(line) - len(line.lstrip())
        key = re.match(r"\s*related[-_]skills\s*:", line)
        if key:
            inside, depth = True, indent
        elif line.strip() and indent <= depth and not line.lstrip().startswith("-"):
            inside = False
        words = _WORD.findall(line[key.end() :] if key else line)
        if inside and folded(name) in {folded(word) for word in words}:
            yield number, line
