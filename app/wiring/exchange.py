"""Joins the import, update and link sheets, drops and the exchange's menu actions with the exchange service."""

from collections import deque
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from app.bridge.services import Services
from app.exchange.values import ExportReport, ImportReport, Keep, LinkMode, LinkReport, Look, Pick, UpdateReport
from app.settings import Settings
from app.skills.values import Skill
from app.wiring.panes import Panes
from app.wiring.steering import Steering
from widgets.exchange.import_sheet import ImportSheet
from widgets.exchange.link_sheet import LinkSheet
from widgets.exchange.update_sheet import UpdateSheet

_NAMED = 3
#: How the button of a message begins that offers to import a folder.
_IMPORT = "import:"


class ExchangeWires(QObject):
    """Import, update, export and link, wherever they were picked; sources that were dropped together come in turn."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self._waiting: deque[tuple[str, tuple[str, ...]]] = deque()
        self._only: tuple[str, ...] = ()
        self._folders = services.preferences.settings.library.folders
        self.importing = ImportSheet(panes.theme, panes.frame)
        self.updating = UpdateSheet(panes.theme, panes.frame)
        self.linking = LinkSheet(panes.theme, panes.frame)
        self._join()

    def _join(self) -> None:
        exchange = self._services.exchange
        self.importing.look_requested.connect(self._on_look)
        self.importing.cancel_requested.connect(exchange.cancel)
        self.importing.take_requested.connect(self._on_take)
        self.importing.finished.connect(self._next)
        self.updating.retry_requested.connect(exchange.survey)
        self.updating.cancel_requested.connect(exchange.cancel)
        self.updating.update_requested.connect(self._on_update)
        self.linking.link_requested.connect(self._on_link)
        self.linking.unlink_requested.connect(exchange.unlink)
        exchange.progressed.connect(self.importing.show_progress)
        exchange.progressed.connect(self.updating.show_progress)
        exchange.looked.connect(self.importing.show_look)
        exchange.look_failed.connect(self.importing.show_failure)
        exchange.survey_failed.connect(self.updating.show_failure)
        exchange.stopped.connect(self.importing.show_stopped)
        exchange.surveyed.connect(self.updating.show_renewals)
        exchange.imported.connect(self._on_imported)
        exchange.imported.connect(self.importing.show_imported)
        exchange.take_failed.connect(self.importing.show_take_failure)
        exchange.take_failed.connect(self._steering.tell_stopped_plan)
        exchange.updated.connect(self._on_updated)
        exchange.exported.connect(self._on_exported)
        exchange.agents_ready.connect(self.linking.set_views)
        exchange.linked.connect(self._on_linked)
        exchange.unlinked.connect(self._on_unlinked)
        exchange.failed.connect(self._steering.tell_failure)
        exchange.changed.connect(self._services.skills.changed)
        self._panes.library.drops.dropped.connect(self._on_dropped)
        self._panes.notices.action_requested.connect(self._on_notice)
        self._services.preferences.changed.connect(self._on_settings)

    def carry_out(self, action: str) -> None:
        """An action of the window's menu: `import` or `update`."""
        self._services.idle.touch()
        if action == "import":
            self._begin("", ())
        else:
            self.updating.show_looking()
            self.updating.open()
            self._services.exchange.survey()

    @Slot(str, object)
    def act(self, action: str, ids: tuple[str, ...]) -> None:
        """An action of the skill list: `skill.import`, `skill.export` or `skill.link`."""
        library = self._services.library.library
        chosen = [skill for skill in (library.get(skill_id) for skill_id in ids) if skill is not None]
        if not chosen:
            return
        if action == "skill.export":
            self._export(chosen)
        elif action == "skill.link":
            self.linking.begin(chosen[0].id, chosen[0].name)
            self.linking.open()
            self._services.exchange.agents(chosen[0].id)
        else:
            self._import_rows(chosen)

    def _import_rows(self, chosen: list[Skill]) -> None:
        """Skills of further folders, folder by folder."""
        roots: dict[str, list[str]] = {}
        for skill in chosen:
            if skill.real is not None:
                self._waiting.append((str(skill.real), ()))
            elif not skill.in_home:
                whole = skill.folder == skill.root
                roots.setdefault(str(skill.root), []).append("" if whole else skill.id)
        for root, ids in roots.items():
            self._waiting.append((root, tuple(ids)))
        self._next()

    @Slot(object)
    def _on_dropped(self, sources: tuple[str, ...]) -> None:
        self._services.idle.touch()
        self._waiting.extend((source, ()) for source in sources)
        self._next()

    @Slot(object, str)
    def _on_settings(self, settings: Settings, _section: str) -> None:
        """A folder that was just added is only read: say so, and offer to import its skills."""
        new = [folder for folder in settings.library.folders if folder not in self._folders]
        self._folders = settings.library.folders
        if new:
            words = self.tr("{} is listed and only read.").format(new[-1])
            self._steering.offer(words, f"{_IMPORT}{new[-1]}", self.tr("Import…"))

    @Slot(str)
    def _on_notice(self, action: str) -> None:
        if action.startswith(_IMPORT):
            self._waiting.append((action.removeprefix(_IMPORT), ()))
            self._next()

    @Slot()
    def _next(self) -> None:
        """Go on with what waits, once the sheet is free."""
        if self._waiting and not self.importing.isVisible():
            self._begin(*self._waiting.popleft())

    def _begin(self, source: str, only: tuple[str, ...]) -> None:
        self._only = only
        self.importing.open()
        self.importing.begin(source)

    @Slot(str, bool)
    def _on_look(self, source: str, insecure: bool) -> None:
        self._services.exchange.look(source, insecure=insecure, only=self._only)
        self._only = ()

    @Slot(object, object)
    def _on_take(self, seen: Look, picks: tuple[Pick, ...]) -> None:
        self._services.idle.touch()
        self._services.exchange.take(seen, picks)

    @Slot(object, object, bool)
    def _on_update(self, ids: tuple[str, ...], keep: Keep, accept: bool) -> None:
        self._services.exchange.update(ids, keep, accept=accept)

    @Slot(str, str, object)
    def _on_link(self, skill_id: str, agent: str, mode: LinkMode) -> None:
        self._services.exchange.link(skill_id, agent, mode)

    def _export(self, chosen: list[Skill]) -> None:
        name = chosen[0].name if len(chosen) == 1 else "skills"
        ending = "skill" if len(chosen) == 1 else "zip"
        forms = (self.tr("Skill file (*.skill)"), self.tr("Zip archive (*.zip)"), self.tr("Folder (*)"))
        path, form = QFileDialog.getSaveFileName(
            self._panes.frame,
            self.tr("Export"),
            str(Path.home() / f"{name}.{ending}"),
            ";;".join(forms),
            forms[0] if len(chosen) == 1 else forms[1],
        )
        if path:
            dest = Path(path)
            if form == forms[2]:
                dest = dest.with_suffix("")
            is_archive = dest.suffix.lower() in {".skill", ".zip"}
            # The dialog has asked before an archive is replaced; of a folder it knows nothing.
            self._services.exchange.export([skill.id for skill in chosen], str(dest), replace=is_archive)

    @Slot(object)
    def _on_imported(self, report: ImportReport) -> None:
        self._tell_refused(report.refused)
        if report.done:
            names = self._names([taken.name for taken in report.done])
            self._steering.tell_undoable(self.tr("Imported {}").format(names), (report.entry or "",))

    @Slot(object)
    def _on_updated(self, report: UpdateReport) -> None:
        self._tell_refused(report.refused)
        if report.done:
            names = self._names([name for name, _ in report.done])
            self._steering.tell_undoable(self.tr("Updated {}").format(names), (report.entry or "",))

    @Slot(object)
    def _on_exported(self, report: ExportReport) -> None:
        names = self._names([name for name, _, _ in report.done])
        self._steering.inform(self.tr("Exported {} to {}.").format(names, report.done[0][1]))
        if report.left_out:
            paths = self._names([path for _, path, _ in report.left_out])
            self._steering.inform(self.tr("Left out (links are never exported): {}").format(paths))

    @Slot(object)
    def _on_linked(self, report: LinkReport) -> None:
        self._tell_refused(report.refused)
        for one in report.done:
            words = self.tr("{} is linked at {}.") if one.mode is LinkMode.LINK else self.tr("{} was copied to {}.")
            self._steering.inform(words.format(report.skill, one.path))
        self._services.exchange.agents(self.linking.skill)

    @Slot(object)
    def _on_unlinked(self, report: LinkReport) -> None:
        self._tell_refused(report.refused)
        for one in report.done:
            self._steering.inform(self.tr("Nothing of it is left at {}.").format(one.path))
        self._services.exchange.agents(self.linking.skill)

    def _tell_refused(self, refused: tuple[tuple[str, str], ...]) -> None:
        for name, why in refused[:_NAMED]:
            self._steering.warn(f"{name}: {why}")
        if len(refused) > _NAMED:
            self._steering.warn(self.tr("{} more were not taken.").format(len(refused) - _NAMED))

    def _names(self, names: list[str]) -> str:
        more = self.tr(" and {} more").format(len(names) - _NAMED) if len(names) > _NAMED else ""
        return ", ".join(names[:_NAMED]) + more
