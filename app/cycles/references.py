"""What leans on a skill besides other skills: conversations that used it, and settings or planned jobs that name it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.cycles.home import OpenHome
from app.files import read_plain_file
from app.sessions.values import SessionInfo
from app.skills.names import folded
from app.skills.values import Skill

#: Conversations looked at, newest first.
_SESSIONS = 500
_WORD = re.compile(r"\w[\w.-]*")


class References:
    """One look at the conversations and files of a home, to be asked about many skills."""

    def __init__(self, open_home: OpenHome) -> None:
        home = open_home.home
        self._by_skill: dict[str, list[SessionInfo]] = {}
        for info in open_home.sessions.list(_SESSIONS):
            for skill in info.skills:
                self._by_skill.setdefault(skill, []).append(info)
        files = (home.settings, home.hermes_config, home.root / "cron" / "jobs.json")
        self._words = {path.relative_to(home.root).as_posix(): _words(path) for path in files}

    def of(self, skill: Skill) -> tuple[str, ...]:
        """Sentences about what leans on this skill; none when nothing does."""
        return (*_sessions(self._by_skill.get(skill.id, ())), *self._files(skill))

    def _files(self, skill: Skill) -> Iterator[str]:
        names = {folded(skill.name), folded(skill.id.rpartition("/")[2])}
        yield from (f"named in {path}" for path, words in self._words.items() if names & words)


def _sessions(infos: Sequence[SessionInfo]) -> Iterator[str]:
    if infos:
        count = "1 conversation" if len(infos) == 1 else f"{len(infos)} conversations"
        yield f"used in {count}, last in “{infos[0].title}”"


def _words(path: Path) -> frozenset[str]:
    """The words of a file, none when it is missing: nothing leans on anything then."""
    try:
        text = read_plain_file(path).decode("utf-8", "replace")
    except OSError:
        return frozenset()
    return frozenset(folded(word.rstrip(".")) for word in _WORD.findall(text))
