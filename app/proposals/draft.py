"""A draft: a private copy of the library, written out from the history, in which a fork may write.

It is a home in small: `skills/` as the base commit holds it, each folder written out when it is first used, and copies
of the sidecars, so that pins, ages, usage and archives count there as they do in the live library. The same door works
in it; instead of a ledger it remembers what was done. Nothing of it ever reaches the live folders by itself.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from app.clock import Clock
from app.errors import AppError, Kind
from app.files import link_below, write_atomic
from app.history.store import History
from app.history.values import Snapshot
from app.history.walk import read_folder, write_folder
from app.paths import Home
from app.proposals.draft_place import DraftPlace, Touched
from app.proposals.grouping import Drafted
from app.proposals.values import Step
from app.settings import LibrarySettings
from app.skills.content import changes_script, skill_file
from app.skills.parse import parse_skill
from app.skills.resolve import Names
from app.skills.roots import folder_path
from app.skills.values import Action, Library

_SKILLS = "skills/"


@dataclass(frozen=True, slots=True)
class DraftRules:
    """What the door asks a place for: the age below which nothing is archived, and the size nothing is kept above."""

    min_age_days: float
    file_limit: int


class Draft:
    """What a fork made of its draft; `place` is what its door writes to."""

    def __init__(self, place: DraftPlace, history: History, base: str) -> None:
        self.place = place
        self.base = base
        self._history = history

    def drafted(self) -> tuple[Drafted, ...]:
        """What the fork changed, skill by skill, net of what it took back itself, in the order of its first touch."""
        names = Names(self.place.library())
        found = (self._net(skill_id, touched) for skill_id, touched in self.place.touched.items())
        return tuple(_led_on(item, names) for item in found if item is not None)

    def sides(self, skill_id: str) -> tuple[Snapshot, Snapshot]:
        """A skill's folder in the base and in the draft; an absent side is empty."""
        base = self._history.tree_id(_SKILLS + skill_id, self.base)
        before = self._history.load(base) if base else {}
        folder = self.place.home.skills / skill_id
        if not folder.is_dir():
            return before, {} if skill_id in self.place.touched else before
        return before, read_folder(folder, limit=self.place.file_limit).files

    def _net(self, skill_id: str, touched: Touched) -> Drafted | None:
        base = self._history.tree_id(_SKILLS + skill_id, self.base)
        folder = self.place.home.skills / skill_id
        reasons = dict.fromkeys(step.reason for step in touched.steps if step.reason)
        item = Drafted(
            skill=skill_id,
            name=skill_id.rpartition("/")[2],
            action=Action.ARCHIVE,
            base=base,
            result=None,
            reason=" ".join(reasons),
            steps=tuple(touched.steps),
        )
        if not folder.is_dir():
            if base is None:
                return None
            before = self._history.load(base)
            return replace(
                item, name=_name(skill_id, before), absorbed_into=touched.absorbed_into or "", into=touched.into
            )
        after = read_folder(folder, limit=self.place.file_limit).files
        before = self._history.load(base) if base else {}
        if after == before:
            return None
        return replace(
            item,
            name=_name(skill_id, after),
            action=_net_action(base, touched.steps),
            result=after,
            has_script=changes_script(before, after),
        )


@contextlib.contextmanager
def open_draft(
    history: History,
    live: Library,
    home: Home,
    base: str | None,
    settings: LibrarySettings,
    rules: DraftRules,
    clock: Clock,
) -> Iterator[Draft]:
    """A draft of the library as the commit `base` holds it, gone when the block ends.

    `live` and `home` give what no commit holds: the sidecars, which skills are switched off, and the linked skills.
    Raises AppError(STORAGE) when the temporary folder cannot be written.
    """
    root = _temporary()
    try:
        small = Home(root)
        small.skills.mkdir()
        trees = _trees(history, base)
        _copy_sidecars(home, small)
        _link_linked(live, small)
        place = DraftPlace(
            small,
            _settings(settings, live, home),
            rules.min_age_days,
            rules.file_limit,
            clock,
            live,
            trees,
            lambda skill_id: write_folder(small.skills / skill_id, history.load(trees[skill_id]), durable=False),
        )
        yield Draft(place, history, base or "")
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _temporary() -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix="melete-draft-"))
    except OSError as error:
        text = f"A draft of the library cannot be written in {tempfile.gettempdir()}: {error.strerror}. Make room."
        raise AppError(Kind.STORAGE, "No place for a draft", text) from error


def _trees(history: History, base: str | None) -> dict[str, str]:
    """The tree of each skill's folder in the base, by id."""
    if base is None:
        return {}
    contents = history.contents(base)
    return {prefix.removeprefix(_SKILLS): tree for prefix, tree in contents.items() if prefix.startswith(_SKILLS)}


def _copy_sidecars(home: Home, small: Home) -> None:
    pairs = (
        (home.usage, small.usage),
        (home.forwards, small.forwards),
        (home.bundled_manifest, small.bundled_manifest),
        (home.hub_lock, small.hub_lock),
    )
    for source, target in pairs:
        with contextlib.suppress(FileNotFoundError):
            write_atomic(target, source.read_bytes())


def _link_linked(live: Library, small: Home) -> None:
    """Linked skills are readable in a draft too; no automation writes them."""
    for skill in live.skills:
        if skill.in_home and skill.linked and skill.folder.is_symlink() and not (small.skills / skill.id).exists():
            link_below(small.skills, skill.id, bytes(skill.folder.resolve()))


def _settings(settings: LibrarySettings, live: Library, home: Home) -> LibrarySettings:
    """The library settings as they read from inside the draft: absolute folders, and every switched-off id."""
    folders = tuple(str(folder_path(home, text)) for text in settings.folders)
    disabled = {*settings.disabled, *(skill.id for skill in live.skills if not skill.enabled)}
    return replace(settings, folders=folders, disabled=tuple(sorted(disabled)))


def _led_on(item: Drafted, names: Names) -> Drafted:
    """An absorbed skill leads to where its umbrella is in the end; where that is gone itself, nothing takes it in."""
    if not item.into or item.result is not None:
        return item
    found = names.resolve(item.into) or names.resolve(item.absorbed_into or "")
    if found is not None and found.skill.live and found.skill.in_home and found.skill.id != item.skill:
        return replace(item, absorbed_into=found.skill.name, into=found.skill.id)
    why = f"{item.absorbed_into}, which should take it in, is gone itself."
    return replace(item, absorbed_into="", into=None, reason=f"{item.reason} {why}".strip())


def _net_action(base: str | None, steps: list[Step]) -> Action:
    """One name for several actions: create for a new skill, the action itself where it was always the same."""
    if base is None:
        return Action.CREATE
    actions = {step.action for step in steps}
    return actions.pop() if len(actions) == 1 else Action.EDIT


def _name(skill_id: str, files: Snapshot) -> str:
    """The name the skill's own file gives it, else its folder's."""
    blob = files.get(skill_file(files))
    return parse_skill(blob.data if blob else b"", skill_id.rpartition("/")[2]).name
