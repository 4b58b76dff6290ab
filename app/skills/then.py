"""The library as it was right after any entry: rows made from the history alone, nothing is read from the library."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from app.clock import format_time
from app.history.store import History
from app.history.values import Blob, Entry
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.digest import Digest, digest_from
from app.skills.findings import Remarks
from app.skills.heal import forwards_from
from app.skills.heal_usage import replayed
from app.skills.order import Row, usage_keys
from app.skills.places import Place
from app.skills.roots import Root
from app.skills.rows import Found, RowCache, build_rows
from app.skills.sidecars import read_sidecars
from app.skills.usage import REBUILT
from app.skills.values import Library, Load

_SKILLS = "skills/"
_Read = dict[tuple[str, str], tuple[Place, Digest]]


@dataclass(slots=True)
class Past:
    """Gives libraries of the past. What two moments share is read once, so a slider can ask for one after the other.

    One object per thread, like its history.
    """

    home: Home
    settings: LibrarySettings
    history: History
    _read: _Read = field(default_factory=dict)
    _rows: RowCache = field(default_factory=dict)

    def library(self, entry_id: str) -> Library:
        """All skills of the home right after an entry, with labels, pins, permissions and forwards of that moment.

        Where a skill came from (source) is as known today; how often it was used is not known. Raises
        AppError(NOT_FOUND) for an unknown entry, AppError(CORRUPT) when the history has a hole.
        """
        entry = self.history.entry(entry_id)
        past = _until(self.history, entry)
        found = self._found(entry)
        rows: list[Row] = [
            (digest.name, digest.key, place.id, place.archived, digest.load is Load.SKIP) for place, digest, _ in found
        ]
        known, mark = replayed(past), {REBUILT: format_time(entry.at)}
        keys = zip(found, usage_keys(rows), strict=True)
        today = read_sidecars(self.home, self.settings)
        sidecars = replace(
            today,
            records={key: known[place.id] | mark for (place, _, _), key in keys if place.id in known},
            forwards=forwards_from(past),
            bundled=dict.fromkeys(today.bundled, ""),  # nothing is compared with what stands on disk today
            notices=(),
        )
        skills, self._rows = build_rows(found, sidecars, self._rows)
        return Library(skills, sidecars.forwards)

    def _found(self, entry: Entry) -> list[Found]:
        root = Root(self.home.skills, True, str(self.home.skills))
        contents = self.history.contents(entry.id)
        found = []
        for prefix, tree in contents.items():
            if prefix.startswith(_SKILLS):
                skill_id = prefix.removeprefix(_SKILLS)
                key = (skill_id, tree)
                if key not in self._read:
                    self._read[key] = self._look(root, skill_id, tree, entry.at)
                found.append((*self._read[key], ()))
        return sorted(found, key=lambda one: (one[0].archived, one[0].steps))

    def _look(self, root: Root, skill_id: str, tree: str, at: datetime) -> tuple[Place, Digest]:
        files = self.history.paths(tree)
        file = next((path for path in files if path == "SKILL.md"), None)
        file = file or next((path for path in files if path.lower() == "skill.md"), "SKILL.md")
        data = (self.history.file_of(tree, file) or Blob(b"")).data
        folder = str(Path(root.path) / skill_id)
        archived = skill_id.startswith(".archive/")
        stamp = (int(at.timestamp() * 1e9), 0, len(data), 0, 0)
        place = Place(root, skill_id, folder, folder, False, archived, file, False, stamp, files, (), ())
        return place, digest_from(place, data, Remarks(), at)


def _until(history: History, last: Entry) -> list[Entry]:
    """The entries up to and with one, newest first."""
    entries = history.entries()
    place = next(number for number, entry in enumerate(entries) if entry.id == last.id)
    return entries[place:]
