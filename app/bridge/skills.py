"""The skill service: opens, changes and undoes skills for the window."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot

from app.bridge.service import Service
from app.cycles import library as desk
from app.cycles.values import ActionReport, SkillDetail
from app.skills.resolve import find
from app.skills.values import Action, Request


class SkillService(Service):
    """Answers what the library and skill panes ask for.

    Signals: opened(SkillDetail); acted(ActionReport) after a bulk action; saved(Receipt); checked(id, findings);
    history_ready(id or "", entries); entry_ready(EntryDetail);
    undone(entry id, UndoResult); file_ready(id, path, bytes); changed() whenever something was written.
    """

    opened = Signal(object)
    acted = Signal(object)
    saved = Signal(object)
    checked = Signal(str, object)
    history_ready = Signal(str, object)
    entry_ready = Signal(object)
    undone = Signal(str, object)
    file_ready = Signal(str, str, object)
    changed = Signal()

    def open(self, name: str) -> None:
        """Open a skill by id or name; an absorbed name opens its umbrella."""
        self._ask("opening a skill", lambda home: desk.open_skill(home, name), self._on_opened)

    def act(self, action: Action, ids: Sequence[str], to: str | None = None) -> None:
        """Pin, archive, restore and the like, one or many."""
        wanted = tuple(ids)
        self._ask(f"{action} {len(wanted)}", lambda home: desk.act(home, action, wanted, to=to), self._on_acted)

    def change(self, request: Request) -> None:
        """One change in full (create, write a file, remove a file, move)."""
        self._ask(f"{request.action} {request.skill}", lambda home: desk.change(home, request), self._on_saved)

    def save(self, skill_id: str, text: str, base_hash: str) -> None:
        """Save an edited SKILL.md; a file that changed meanwhile is a failure with the action `editor.conflict`."""
        self._ask("saving", lambda home: desk.save_text(home, skill_id, text, base_hash), self._on_saved)

    def check(self, skill_id: str, text: str) -> None:
        """Find what is wrong with a text that is being edited."""

        def question(home: object) -> object:
            skill = find(home.library(), skill_id)  # type: ignore[attr-defined]
            return skill_id, desk.check_text(skill, text)

        self._ask("checking", question, self._on_checked)

    def read_file(self, skill_id: str, path: str) -> None:
        """Read one file of a skill."""
        self._ask("reading a file", lambda home: desk.read_one(home, skill_id, path), self._on_file)

    def history(self, skill_id: str = "") -> None:
        """The ledger of one skill, or of everything."""
        self._ask(
            "reading the history",
            lambda home: (skill_id, tuple(desk.entries(home, skill_id or None))),
            self._on_history,
        )

    def entry(self, entry_id: str) -> None:
        """One step with its differences."""
        self._ask("reading one step", lambda home: desk.entry_detail(home, entry_id), self._on_entry)

    def undo(self, entry_id: str) -> None:
        """Take one step back."""
        self._ask("undoing", lambda home: (entry_id, desk.undo_entry(home, entry_id)), self._on_undone)

    @Slot(object)
    def _on_opened(self, detail: SkillDetail) -> None:
        self.opened.emit(detail)

    @Slot(object)
    def _on_acted(self, report: ActionReport) -> None:
        self.acted.emit(report)
        self.changed.emit()

    @Slot(object)
    def _on_saved(self, receipt: object) -> None:
        self.saved.emit(receipt)
        self.changed.emit()

    @Slot(object)
    def _on_checked(self, result: tuple[str, object]) -> None:
        self.checked.emit(*result)

    @Slot(object)
    def _on_file(self, result: tuple[str, str, object]) -> None:
        self.file_ready.emit(*result)

    @Slot(object)
    def _on_history(self, result: tuple[str, object]) -> None:
        self.history_ready.emit(*result)

    @Slot(object)
    def _on_entry(self, detail: object) -> None:
        self.entry_ready.emit(detail)

    @Slot(object)
    def _on_undone(self, result: tuple[str, object]) -> None:
        self.undone.emit(*result)
        self.changed.emit()
