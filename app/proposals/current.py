"""The live library as a proposal sees it: what stands in a skill's folder right now, and where a name leads."""

from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Snapshot
from app.history.walk import read_folder
from app.memory.provider import MemoryReader
from app.memory.values import Target
from app.paths import Home
from app.skills.file_mentions import FileMentions
from app.skills.resolve import resolve
from app.skills.values import Library, Skill, State


class Current:
    """One look at the live library. Folders are read when asked for, once each.

    `limit` is the size in bytes above which a file is not kept by the history, and so is not compared either.
    `mentions` remembers what was read of further Markdown files from one look to the next.
    """

    def __init__(
        self, home: Home, library: Library, history: History, limit: int, mentions: FileMentions | None = None
    ) -> None:
        self._home = home
        self._library = library
        self._history = history
        self._limit = limit
        self._mentions = mentions or FileMentions()
        self._files: dict[str, Snapshot | None] = {}
        self._rows = {skill.id: skill for skill in reversed(library.skills) if skill.in_home}

    @property
    def library(self) -> Library:
        """The rows this look was taken with."""
        return self._library

    def naming(self) -> Library:
        """The rows with what all their Markdown files name, not SKILL.md alone."""
        return self._mentions.completed(self._library, quick=True)

    def skill(self, skill_id: str) -> Skill | None:
        """The home's own skill with this id while it is not archived, broken ones included."""
        row = self._rows.get(skill_id)
        return row if row is not None and row.state is not State.ARCHIVED else None

    def named(self, name: str) -> Skill | None:
        """The live skill of the home that a name leads to, over forwards too."""
        found = resolve(self._library, name)
        if found is None or not found.skill.in_home or found.skill.state is State.ARCHIVED:
            return None
        return found.skill

    def files(self, skill_id: str) -> Snapshot | None:
        """What the folder holds now, None when it is not there."""
        if skill_id not in self._files:
            self._files[skill_id] = self._read(skill_id)
        return self._files[skill_id]

    def tree(self, skill_id: str) -> str | None:
        """The git tree id of what the folder holds now, None when it is not there."""
        files = self.files(skill_id)
        return None if files is None else self._history.hash_files(files)

    def entries(self, target: Target) -> tuple[str, ...]:
        """The texts of a memory store's entries."""
        return tuple(entry.text for entry in MemoryReader(self._home).view(target).entries)

    def _read(self, skill_id: str) -> Snapshot | None:
        try:
            return read_folder(self._home.skills / skill_id, limit=self._limit).files
        except AppError as error:
            if error.kind is Kind.NOT_FOUND:
                return None
            raise
