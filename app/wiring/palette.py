"""Fills the palette with actions, skills and what a search finds, and goes where its reader points."""

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.services import Services
from app.sessions.values import Hit, HitKind
from app.skills.values import Library, Skill, State
from app.wiring.page_menus import PageMenus
from app.wiring.panes import Panes
from app.wiring.steering import Steering
from app.wiring.window_actions import WINDOW_ACTIONS
from widgets.common.palette import PaletteItem
from widgets.library.files_tab import FILE_ACTIONS
from widgets.library.skill_actions import SKILL_ACTIONS, fitting

_ICONS = {HitKind.SKILL: "skill", HitKind.ARCHIVE: "archive", HitKind.MEMORY: "memory", HitKind.SESSION: "chat"}


class PaletteWires(QObject):
    """Signals: action_chosen(id) when an action of the window was picked."""

    action_chosen = Signal(str)

    def __init__(self, services: Services, panes: Panes, steering: Steering, pages: PageMenus) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        self._steering = steering
        self._pages = pages
        self._found: dict[str, tuple[int, tuple[str, ...]]] = {}
        panes.palette.chosen.connect(self._on_chosen)
        panes.palette.query_changed.connect(services.sessions.search_everywhere)
        services.sessions.found_everywhere.connect(self._on_found)
        services.library.library_changed.connect(self._on_library)

    def open(self) -> None:
        """Show the palette with what there is now."""
        self._fill()
        self._panes.palette.open_panel()

    def _fill(self) -> None:
        library = self._services.library.library
        actions = (
            PaletteItem("action", spec.id, spec.text.rstrip("…"), spec.tip, spec.icon, spec.keys)
            for spec in WINDOW_ACTIONS
        )
        skills = (_skill_item(skill) for skill in library.skills if skill.shadowed_by is None)
        self._panes.palette.set_items(
            [*actions, *self._skill_actions(), *self._file_actions(), *self._pages.items(), *skills]
        )

    def _file_actions(self) -> list[PaletteItem]:
        """What can be done to the file that is shown."""
        files = self._panes.skill.files
        if not files.isVisible():
            return []
        about = files.current.rpartition("/")[2]
        return [
            PaletteItem("file-action", spec.id, f"{spec.text.rstrip('…')}: {about}", spec.tip, spec.icon, spec.keys)
            for spec in FILE_ACTIONS
            if files.actions_set.action(spec.id).isEnabled()
        ]

    def _skill_actions(self) -> list[PaletteItem]:
        """What can be done to the selected skills."""
        selected = self._panes.library.selected
        fits = fitting(selected)
        about = selected[0].name if len(selected) == 1 else self.tr("{} skills").format(len(selected))
        return [
            PaletteItem("skill-action", spec.id, f"{spec.text.rstrip('…')}: {about}", spec.tip, spec.icon, spec.keys)
            for spec in SKILL_ACTIONS
            if spec.id in fits
        ]

    @Slot(object)
    def _on_library(self, _library: Library) -> None:
        if self._panes.palette.isVisible():
            self._fill()

    @Slot(str, object)
    def _on_found(self, query: str, hits: tuple[Hit, ...]) -> None:
        found = [PaletteItem(str(hit.kind), hit.id, hit.title, hit.snippet, _ICONS[hit.kind]) for hit in hits]
        talks = [hit for hit in hits if hit.kind is HitKind.SESSION]
        self._found = {hit.id: (-1 if hit.message is None else hit.message, hit.words) for hit in talks}
        self._panes.palette.set_found(query, found)

    @Slot(str, str)
    def _on_chosen(self, kind: str, item: str) -> None:
        if kind == "action":
            self.action_chosen.emit(item)
        elif kind == "skill-action":
            self._panes.library.actions_set.action(item).trigger()
        elif kind == "page-action":
            self._pages.trigger(item)
        elif kind == "file-action":
            self._panes.skill.files.actions_set.action(item).trigger()
        elif kind in {"skill", "archive"}:
            self._steering.open_skill(item)
        elif kind == "memory":
            self._panes.frame.show_page("memory")
        elif kind == "session":
            self._services.sessions.read(item, *self._found.get(item, (-1, ())))


def _skill_item(skill: Skill) -> PaletteItem:
    """A skill of the palette; kind and id are those of the search's own hits, so that both are one row."""
    kind = "archive" if skill.state is State.ARCHIVED else "skill"
    return PaletteItem(kind, skill.id, skill.name, skill.description, kind)
