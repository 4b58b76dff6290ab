"""The dialogs about skills: new, rename, move, delete for good, near-duplicates, and what a bulk action did not do."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog

from app.bridge.services import Services
from app.cycles.values import ActionReport, Lookalike, PurgeItem
from app.errors import Failure
from app.skills.values import Action, Receipt, Skill
from app.wiring.panes import Panes
from app.wiring.steering import Steering
from widgets.library.doubles_dialog import DoublesDialog
from widgets.library.name_dialog import NameDialog
from widgets.library.new_skill import NewSkillDialog
from widgets.library.purge_dialog import PurgeDialog
from widgets.library.report_dialog import ReportDialog

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CATEGORY = re.compile(r"[a-z0-9][a-z0-9._-]*")


class SkillDialogs(QObject):
    """Asks before, and reports after. Every dialog lives until it is closed."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self._asked: tuple[str, ...] = ()
        self._doubles: DoublesDialog | None = None
        self._new: NewSkillDialog | None = None
        shelf, skills = services.shelf, services.skills
        shelf.purge_listed.connect(self._on_purge_listed)
        shelf.doubles_ready.connect(self._on_doubles)
        shelf.pair_compared.connect(self._on_pair)
        shelf.progress.connect(self._on_progress)
        shelf.failed.connect(steering.tell_failure)
        skills.created.connect(self._on_created)
        skills.create_failed.connect(self._on_create_failed)

    def new_skill(self) -> None:
        """Ask for what a skill cannot be without."""
        dialog = NewSkillDialog(self._panes.theme, self._panes.frame)
        dialog.set_categories(self._categories())
        dialog.create_requested.connect(self._services.skills.create)
        dialog.restore_requested.connect(self._on_restore)
        self._new = dialog
        dialog.finished.connect(self._forget_new)
        self._open(dialog)

    def rename(self, skill: Skill) -> None:
        """Ask for a new name."""
        words = self.tr("The folder and the field “name” change; the old name keeps leading to it.")
        dialog = NameDialog(
            self._panes.theme, self.tr("Rename"), words, skill.name, self._panes.frame, problem=self._name_problem
        )
        self._asked = (skill.id,)
        dialog.chosen.connect(self._on_name)
        self._open(dialog)

    def copy(self, skill: Skill) -> None:
        """Ask for the name of a copy."""
        words = self.tr("A skill of your own, with all files of {}. Automation leaves it alone until you adopt it.")
        dialog = NameDialog(
            self._panes.theme,
            self.tr("Copy"),
            words.format(skill.name),
            skill.name,
            self._panes.frame,
            problem=self._name_problem,
        )
        self._asked = (skill.id,)
        dialog.chosen.connect(self._on_copy)
        self._open(dialog)

    def move(self, skills: Sequence[Skill]) -> None:
        """Ask for a category."""
        here = {skill.category for skill in skills}
        words = self.tr("The category to put it into; empty for none. A new one can be typed.")
        dialog = NameDialog(
            self._panes.theme,
            self.tr("Move"),
            words,
            here.pop() if len(here) == 1 else "",
            self._panes.frame,
            offers=["", *self._categories()],
            problem=self._category_problem,
        )
        self._asked = tuple(skill.id for skill in skills)
        dialog.chosen.connect(self._on_category)
        self._open(dialog)

    def find_doubles(self) -> None:
        """Look for skills that say much the same."""
        dialog = DoublesDialog(self._panes.theme, self._panes.frame)
        shelf = self._services.shelf
        dialog.compare_requested.connect(shelf.compare_pair)
        dialog.open_requested.connect(self._steering.open_skill)
        dialog.cancelled.connect(shelf.cancel)
        dialog.finished.connect(self._forget_doubles)
        self._doubles = dialog
        self._open(dialog)
        shelf.doubles()

    def report(self, report: ActionReport) -> None:
        """Show what was not done, when more than one was asked for."""
        dialog = ReportDialog(self._panes.theme, report, self._panes.frame)
        dialog.undo_requested.connect(self._on_undo)
        dialog.select_requested.connect(self._panes.library.select_skills)
        self._open(dialog)

    def _open(self, dialog: QDialog) -> None:
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _categories(self) -> list[str]:
        library = self._services.library.library
        return sorted({skill.category for skill in library.skills if skill.category and skill.in_home})

    def _name_problem(self, text: str) -> str:
        if not _NAME.fullmatch(text) or len(text) > 64:
            return self.tr("A name has lower-case letters, digits and single hyphens, 64 characters at most.")
        return ""

    def _category_problem(self, text: str) -> str:
        if text and text not in self._categories() and not _CATEGORY.fullmatch(text):
            return self.tr("A category is one word of lower-case letters, digits, dots and hyphens.")
        return ""

    @Slot(str)
    def _on_name(self, name: str) -> None:
        self._services.skills.act(Action.RENAME, self._asked, to=name)

    @Slot(str)
    def _on_copy(self, name: str) -> None:
        self._services.skills.copy_as(self._asked[0], name)

    @Slot(str)
    def _on_category(self, category: str) -> None:
        self._services.skills.act(Action.MOVE, self._asked, to=category)

    @Slot(object)
    def _on_purge_listed(self, items: tuple[PurgeItem, ...]) -> None:
        if not items:
            self._steering.inform(self.tr("Only archived skills can be deleted for good."))
            return
        dialog = PurgeDialog(self._panes.theme, items, self._panes.frame)
        dialog.confirmed.connect(self._on_purge)
        self._open(dialog)

    @Slot(object, bool)
    def _on_purge(self, ids: tuple[str, ...], past_trash: bool) -> None:
        self._services.skills.act(Action.PURGE, ids, to="delete" if past_trash else None)

    @Slot(object)
    def _on_doubles(self, pairs: tuple[Lookalike, ...]) -> None:
        if self._doubles is not None:
            names = {skill.id: skill.name for skill in self._services.library.library.skills}
            self._doubles.set_pairs(pairs, names)

    @Slot(str, str, object)
    def _on_pair(self, one: str, other: str, files: object) -> None:
        if self._doubles is not None and isinstance(files, tuple):
            self._doubles.set_difference(one, other, files)

    @Slot(int)
    def _on_progress(self, count: int) -> None:
        if self._doubles is not None:
            self._doubles.show_progress(count)

    @Slot()
    def _forget_doubles(self) -> None:
        self._doubles = None

    @Slot()
    def _forget_new(self) -> None:
        self._new = None

    @Slot(object)
    def _on_created(self, receipt: Receipt) -> None:
        self._steering.tell_undoable(self.tr("Created {}.").format(receipt.name), (receipt.entry or "",))
        if self._new is not None:
            self._new.set_created(receipt)

    @Slot(object)
    def _on_create_failed(self, failure: Failure) -> None:
        if self._new is not None:
            self._new.set_refused(failure)
        else:
            self._steering.tell_failure(failure)

    @Slot(str)
    def _on_restore(self, skill_id: str) -> None:
        self._services.skills.act(Action.RESTORE, (skill_id,))

    @Slot(object)
    def _on_undo(self, entries: tuple[str, ...]) -> None:
        for entry in reversed(entries):
            self._services.skills.undo(entry)
