"""Carries out the actions of the skill list, wherever they were picked, and says what came of them."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app.bridge.services import Services
from app.cycles.values import ActionReport
from app.skills.values import Action, Skill
from app.wiring.panes import Panes
from app.wiring.skill_dialogs import SkillDialogs
from app.wiring.steering import Steering

_ACTIONS = {
    "skill.pin": Action.PIN,
    "skill.unpin": Action.UNPIN,
    "skill.archive": Action.ARCHIVE,
    "skill.restore": Action.RESTORE,
    "skill.adopt": Action.ADOPT,
    "skill.unadopt": Action.UNADOPT,
}
_EXCHANGED = frozenset({"skill.import", "skill.export", "skill.link"})


class SkillActs(QObject):
    """One action, many skills.

    Signals: exchange_requested(action, ids) for what leads out of the library or into it.
    """

    exchange_requested = Signal(str, object)

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self.dialogs = SkillDialogs(services, panes, steering)
        services.skills.acted.connect(self._on_acted)

    @Slot(str, object)
    def act(self, action: str, ids: tuple[str, ...]) -> None:
        """Carry out an action of the skill list for these ids."""
        self._services.idle.touch()
        library = self._services.library.library
        chosen = [skill for skill in (library.get(skill_id) for skill_id in ids) if skill is not None]
        if action in _EXCHANGED:
            self.exchange_requested.emit(action, ids)
        elif action in _ACTIONS:
            self._services.skills.act(_ACTIONS[action], ids)
        elif chosen:
            self._plain()[action](chosen)

    def _plain(self) -> Mapping[str, Callable[[list[Skill]], None]]:
        skills, shelf = self._services.skills, self._services.shelf
        return {
            "skill.open": lambda chosen: self._show(chosen, "read"),
            "skill.edit": lambda chosen: self._show(chosen, "edit"),
            "skill.history": lambda chosen: self._show(chosen, "history"),
            "skill.rename": lambda chosen: self.dialogs.rename(chosen[0]),
            "skill.move": self.dialogs.move,
            "skill.copy": lambda chosen: self.dialogs.copy(chosen[0]),
            "skill.reset": lambda chosen: skills.reset(chosen[0].id),
            "skill.purge": lambda chosen: shelf.list_purge([skill.id for skill in chosen]),
            "skill.enable": lambda chosen: self._enable(chosen, on=True),
            "skill.disable": lambda chosen: self._enable(chosen, on=False),
            "skill.copy_name": lambda chosen: self._copy([skill.name for skill in chosen]),
            "skill.copy_path": lambda chosen: self._copy([str(skill.folder) for skill in chosen]),
            "skill.open_editor": self._open_file,
            "skill.open_folder": self._open_folder,
        }

    def _show(self, chosen: list[Skill], tab: str) -> None:
        self._steering.open_skill(chosen[0].id)
        if tab != "read":
            self._panes.skill.show_tab(tab)

    def _enable(self, chosen: list[Skill], *, on: bool) -> None:
        ids = {skill.id for skill in chosen}
        disabled = set(self._services.preferences.settings.library.disabled)
        disabled = disabled - ids if on else disabled | ids
        self._services.preferences.set_value("library", "disabled", tuple(sorted(disabled)))

    @staticmethod
    def _copy(lines: list[str]) -> None:
        QGuiApplication.clipboard().setText("\n".join(lines))

    @staticmethod
    def _open_file(chosen: list[Skill]) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(chosen[0].folder / (chosen[0].file or "SKILL.md"))))

    @staticmethod
    def _open_folder(chosen: list[Skill]) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(chosen[0].folder)))

    @Slot(object)
    def _on_acted(self, report: ActionReport) -> None:
        if len(report.refused) + len(report.done) > 1 and report.refused:
            self.dialogs.report(report)
            return
        for name, why in report.refused:
            self._steering.warn(f"{name.rpartition('/')[2]}: {why}")
        if report.done:
            names = ", ".join(name for name, _ in report.done[:3])
            more = self.tr(" and {} more").format(len(report.done) - 3) if len(report.done) > 3 else ""
            text = self.tr("{}: {}").format(self._said(report.action), names + more)
            self._steering.tell_undoable(text, report.entries)

    def _said(self, action: str) -> str:
        words = {
            "pin": self.tr("Pinned; nobody archives, merges, renames or moves it"),
            "unpin": self.tr("Unpinned"),
            "archive": self.tr("Archived"),
            "restore": self.tr("Restored"),
            "adopt": self.tr("Adopted; reviews and the curator may change it"),
            "unadopt": self.tr("Only you change it now"),
            "rename": self.tr("Renamed"),
            "move": self.tr("Moved"),
            "purge": self.tr("Deleted"),
            "import": self.tr("Imported"),
        }
        return words.get(action, action.capitalize())
