"""The skill service: opens, changes and undoes skills for the window."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot

from app.bridge.service import Service
from app.cycles import care, editing, folder, uses, versions
from app.cycles import library as shelf
from app.cycles.values import ActionReport, SkillDetail
from app.errors import AppError, Failure, Kind
from app.skills.values import Action, Finding

#: Steps of the ledger that the window lists; older ones are on the command line.
_MOST_ENTRIES = 20_000


class SkillService(Service):
    """Answers what the library and skill panes ask for.

    Signals: opened(SkillDetail); acted(ActionReport) after a bulk action; saved(Receipt, hash of the text) and
    save_failed(Failure); checked(id, (text, fields, findings)); field_set(old, new); difference_ready(files);
    history_ready(id or "", entries); entry_ready(EntryDetail); undone(entry id, Undone); file_ready(id, path, bytes)
    and file_missing(id, path); files_ready(id, paths); file_changed(id, Receipt) when one was added, renamed or
    removed; use_ready(UseDetail); created(Receipt) and create_failed(Failure); fixed(Receipt) when a finding was mended
    or a shipped skill reset; merged(id, text, places) with both texts of a conflict; version_compared(id, entry, files)
    and version_restored(Receipt); plan_put_aside(folder) when an interrupted action was given up; changed() whenever
    something was written.
    """

    opened = Signal(object)
    acted = Signal(object)
    saved = Signal(object, str)
    save_failed = Signal(object)
    checked = Signal(str, object)
    field_set = Signal(str, str)
    difference_ready = Signal(object)
    history_ready = Signal(str, object)
    entry_ready = Signal(object)
    undone = Signal(str, object)
    file_ready = Signal(str, str, object)
    file_missing = Signal(str, str)
    files_ready = Signal(str, object)
    use_ready = Signal(object)
    created = Signal(object)
    create_failed = Signal(object)
    fixed = Signal(object)
    file_changed = Signal(str, object)
    merged = Signal(str, str, int)
    version_compared = Signal(str, str, object)
    version_restored = Signal(object)
    plan_put_aside = Signal(str)
    changed = Signal()

    def open(self, name: str) -> None:
        """Open a skill by id or name; an absorbed name opens its umbrella."""
        self._ask("opening a skill", lambda home: shelf.open_skill(home, name), self._on_opened)

    def act(self, action: Action, ids: Sequence[str], to: str | None = None) -> None:
        """Pin, archive, restore and the like, one or many."""
        wanted = tuple(ids)
        self._ask(f"{action} {len(wanted)}", lambda home: shelf.act(home, action, wanted, to=to), self._on_acted)

    def create(self, name: str, description: str, category: str) -> None:
        """Make a new skill with a first text to go on from."""
        job = self._lane.ask("creating", lambda home: editing.create(home, name, description, category))
        job.finished.connect(self._on_created)
        job.failed.connect(self._on_create_failed)

    def save(self, skill_id: str, text: str, base_hash: str) -> None:
        """Save an edited SKILL.md; a file that changed meanwhile is a failure with the action `editor.conflict`."""
        job = self._lane.ask("saving", lambda home: editing.save_text(home, skill_id, text, base_hash))
        job.finished.connect(self._on_saved)
        job.failed.connect(self._on_save_failed)

    def check(self, skill_id: str, text: str) -> None:
        """Find what is wrong with a text that is being edited."""
        self._ask("checking", lambda home: (skill_id, editing.check_text(home, skill_id, text)), self._on_checked)

    def set_field(self, _skill_id: str, text: str, key: str, value: str) -> None:
        """Write one field of a text's front matter, leaving every other line as it is."""
        self._ask("setting a field", lambda _: (text, editing.set_text_field(text, key, value)), self._on_field)

    def difference(self, old: str, new: str) -> None:
        """The difference between two texts of SKILL.md."""
        self._ask("comparing", lambda _: editing.difference(old, new), self._on_difference)

    def fix(self, skill_id: str, finding: Finding) -> None:
        """Apply the safe fix a finding offers."""
        self._ask("fixing", lambda home: editing.fix(home, skill_id, finding), self._on_fixed)

    def fix_all(self, skill_id: str) -> None:
        """Apply every safe fix of a skill's findings as one step."""
        self._ask("fixing", lambda home: editing.fix_all(home, skill_id)[1], self._on_fixed)

    def reset(self, skill_id: str) -> None:
        """Bring a bundled skill back to what is shipped."""
        self._ask("resetting", lambda home: care.reset_to_shipped(home, skill_id), self._on_fixed)

    def copy_as(self, skill_id: str, name: str) -> None:
        """Make a skill of one's own out of another one."""
        job = self._lane.ask("copying a skill", lambda home: care.copy_as(home, skill_id, name))
        job.finished.connect(self._on_created)
        job.failed.connect(self._on_create_failed)

    def merge(self, skill_id: str, base: str, mine: str, theirs: str) -> None:
        """Merge a typed text with the one on disk; both came from `base`."""

        def question(home: Any) -> object:  # noqa: ANN401 - the lane's home
            return skill_id, *editing.merge_text(home, base, mine, theirs)

        self._ask("merging two texts", question, self._on_merged)

    def add_file(self, skill_id: str, path: str) -> None:
        """Add an empty file to a skill."""
        self._change_files(skill_id, "adding a file", lambda home: folder.add_file(home, skill_id, path))

    def copy_in(self, skill_id: str, sources: Sequence[str], below: str) -> None:
        """Copy files and folders from outside into a skill."""
        places = [Path(source) for source in sources]
        self._change_files(skill_id, "copying files", lambda home: folder.copy_in(home, skill_id, places, below))

    def rename_file(self, skill_id: str, old: str, new: str) -> None:
        """Give a file of a skill another place."""
        self._change_files(skill_id, "renaming a file", lambda home: folder.rename_file(home, skill_id, old, new))

    def remove_file(self, skill_id: str, path: str) -> None:
        """Remove a file, or all files of a folder, from a skill."""
        self._change_files(skill_id, "removing a file", lambda home: folder.remove_files(home, skill_id, path))

    def _change_files(self, skill_id: str, name: str, question: Callable[[Any], object]) -> None:
        self._ask(name, lambda home: (skill_id, question(home)), self._on_file_changed)

    def compare_version(self, skill_id: str, entry: str) -> None:
        """What bringing a version back would change."""

        def question(home: Any) -> object:  # noqa: ANN401 - the lane's home
            return skill_id, entry, versions.compare_version(home, skill_id, entry)

        self._ask("comparing versions", question, self._on_version_compared)

    def restore_version(self, skill_id: str, entry: str) -> None:
        """Bring a version of a skill back as a new step."""
        self._ask(
            "restoring a version",
            lambda home: versions.restore_version(home, skill_id, entry),
            self._on_version_restored,
        )

    def read_file(self, skill_id: str, path: str) -> None:
        """Read one file of a skill."""

        def question(home: Any) -> object:  # noqa: ANN401 - the lane's home
            try:
                return shelf.read_one(home, skill_id, path)
            except AppError as error:
                if error.kind is Kind.NOT_FOUND:
                    return skill_id, path, None
                raise

        self._ask("reading a file", question, self._on_file)

    def files(self, skill_id: str) -> None:
        """The paths below a skill."""
        self._ask("listing files", lambda home: (skill_id, shelf.open_skill(home, skill_id).files), self._on_files)

    def use(self, skill_id: str) -> None:
        """How a skill is used."""
        self._ask("counting uses", lambda home: uses.use_of(home, skill_id), self._on_use)

    def history(self, skill_id: str = "") -> None:
        """The ledger of one skill, or of everything."""

        def question(home: Any) -> object:  # noqa: ANN401 - the lane's home
            return skill_id, tuple(shelf.entries(home, skill_id or None, _MOST_ENTRIES))

        self._ask("reading the history", question, self._on_history)

    def entry(self, entry_id: str, wanted: str = "") -> None:
        """One step with its differences, those of the skill `wanted` first."""
        self._ask("reading one step", lambda home: shelf.entry_detail(home, entry_id, wanted), self._on_entry)

    @Slot(str)
    def undo(self, entry_id: str) -> None:
        """Take one step back."""
        self._ask("undoing", lambda home: (entry_id, shelf.undo_entry(home, entry_id)), self._on_undone)

    def put_aside(self) -> None:
        """Give up an interrupted action: what is on disk stays, the rest of its plan is kept aside."""
        self._ask("putting an interrupted action aside", lambda home: home.live.journal.drop(), self._on_put_aside)

    @Slot(object)
    def _on_put_aside(self, kept: object) -> None:
        self.plan_put_aside.emit(str(kept or ""))
        self.changed.emit()

    @Slot(object)
    def _on_opened(self, detail: SkillDetail) -> None:
        self.opened.emit(detail)

    @Slot(object)
    def _on_acted(self, report: ActionReport) -> None:
        self.acted.emit(report)
        self.changed.emit()

    @Slot(object)
    def _on_created(self, receipt: object) -> None:
        self.created.emit(receipt)
        self.changed.emit()

    @Slot(object)
    def _on_create_failed(self, failure: Failure) -> None:
        self.create_failed.emit(failure)

    @Slot(object)
    def _on_fixed(self, receipt: object) -> None:
        self.fixed.emit(receipt)
        self.changed.emit()

    @Slot(object)
    def _on_merged(self, answer: tuple[str, str, int]) -> None:
        self.merged.emit(*answer)

    @Slot(object)
    def _on_file_changed(self, answer: tuple[str, object]) -> None:
        self.file_changed.emit(*answer)
        self.changed.emit()

    @Slot(object)
    def _on_version_compared(self, answer: tuple[str, str, object]) -> None:
        self.version_compared.emit(*answer)

    @Slot(object)
    def _on_version_restored(self, receipt: object) -> None:
        self.version_restored.emit(receipt)
        self.changed.emit()

    @Slot(object)
    def _on_saved(self, answer: tuple[object, str]) -> None:
        self.saved.emit(*answer)
        self.changed.emit()

    @Slot(object)
    def _on_save_failed(self, failure: Failure) -> None:
        self.save_failed.emit(failure)

    @Slot(object)
    def _on_checked(self, answer: tuple[str, object]) -> None:
        self.checked.emit(*answer)

    @Slot(object)
    def _on_field(self, answer: tuple[str, str]) -> None:
        self.field_set.emit(*answer)

    @Slot(object)
    def _on_difference(self, files: object) -> None:
        self.difference_ready.emit(files)

    @Slot(object)
    def _on_file(self, answer: tuple[str, str, bytes | None]) -> None:
        skill_id, path, data = answer
        if data is None:
            self.file_missing.emit(skill_id, path)
        else:
            self.file_ready.emit(skill_id, path, data)

    @Slot(object)
    def _on_files(self, answer: tuple[str, object]) -> None:
        self.files_ready.emit(*answer)

    @Slot(object)
    def _on_use(self, detail: object) -> None:
        self.use_ready.emit(detail)

    @Slot(object)
    def _on_history(self, answer: tuple[str, object]) -> None:
        self.history_ready.emit(*answer)

    @Slot(object)
    def _on_entry(self, detail: object) -> None:
        self.entry_ready.emit(detail)

    @Slot(object)
    def _on_undone(self, answer: tuple[str, object]) -> None:
        self.undone.emit(*answer)
        self.changed.emit()
