"""The library pane: search field, chips with counts, the tree, and a bar for many at once."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.errors import Failure
from app.skills.filter.values import Filter, count_facets, has_term
from app.skills.values import Library, Skill, State
from widgets.common.actions import ActionSet
from widgets.common.empty_state import StatePages
from widgets.common.parts import ElidedLabel, bar, column, row, set_ground
from widgets.common.theme import Theme
from widgets.common.times import number
from widgets.library.bulk_bar import BulkBar
from widgets.library.drops import SourceDrops
from widgets.library.library_head import LibraryHead
from widgets.library.skill_actions import SKILL_ACTIONS, fitting, targets
from widgets.library.skill_model import SkillModel
from widgets.library.skill_table import SkillTable
from widgets.library.skill_tree import SkillTree
from widgets.library.table_model import SkillTableModel, cost
from widgets.library.tree_rows import Order, Shelf

#: From so many rows on the groups of the tree begin closed.
_CROWDED = 800


class LibraryPane(QWidget):
    """Shows a Library value. Says what is selected and what is asked for; changes nothing itself."""

    #: The id of the skill that became current.
    skill_selected = Signal(str)
    #: Enter or double click: show the skill's page.
    skill_opened = Signal(str)
    #: An action's id and the ids of the skills it is for (a tuple).
    action_requested = Signal(str, object)
    #: A button of an empty or failed state: `new`, `open_folder`, `sample`, `retry`.
    state_action_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._library: Library | None = None
        self._waiting: Mapping[str, int] = {}
        self._filter = Filter()
        self._order = Order.NAME
        self._shelf = Shelf()
        self._wanted = ""
        self.actions_set = ActionSet(theme, SKILL_ACTIONS, self)
        self.head = LibraryHead(theme)
        self.search = self.head.search
        self._model = SkillModel(self)
        self.tree = SkillTree(theme, self._model)
        self._table_model = SkillTableModel(theme, self)
        self.table = SkillTable(theme, self._table_model)
        self._views = QStackedWidget()
        self._views.addWidget(self.tree)
        self._views.addWidget(self.table)
        self._pages = StatePages(theme, self._views)
        self._bulk = BulkBar(self.actions_set, theme)
        #: Folders and archives that were dropped here: `drops.dropped(sources)`.
        self.drops = SourceDrops(self)
        self._cost = ElidedLabel(theme, "muted")
        self._build()
        self._connect()
        self.show_loading()

    @Slot(object)
    def set_library(self, library: Library) -> None:
        """Show this picture of the library; what the user selected, opened and typed stays."""
        self._library = library
        self._count()
        self._fill()

    @Slot(object)
    def set_waiting(self, waiting: Mapping[str, int]) -> None:
        """How many changes wait for each skill, by id."""
        if dict(waiting) == self._waiting:
            return
        self._waiting = dict(waiting)
        self._count()
        self._fill()

    @Slot(str)
    def select_skill(self, skill_id: str) -> None:
        """Follow a selection made elsewhere; a skill that the filter hides or that is yet to come is selected later."""
        self._wanted = "" if self._view.select_id(skill_id) else skill_id

    @Slot()
    def show_loading(self, count: int = 0) -> None:
        """The skills are being read; `count` is how many so far."""
        told = self.tr("{count} so far").format(count=count) if count else ""
        self._pages.show_loading(self.tr("Reading skills…"), told)

    @Slot(object)
    def show_failure(self, failure: Failure) -> None:
        """The library cannot be read."""
        self._pages.show_failure(failure)

    @Slot(str)
    def set_filter(self, text: str) -> None:
        """Put a filter into the search field, such as `is:broken`."""
        self.search.set_text_now(text)

    @Slot(str)
    def set_order(self, order: str) -> None:
        """Sort by `name`, `recent` or `uses`."""
        self._order = Order(order)
        self._fill()

    @Slot(object)
    def select_skills(self, ids: Collection[str]) -> None:
        """Select these rows, as far as they are shown."""
        self._view.select_ids(frozenset(ids))

    @Slot()
    def focus_search(self, *, at_end: bool = False) -> None:
        """Put the cursor into the search field; `at_end` leaves what stands there to be gone on with."""
        self.search.setFocus()
        if at_end:
            self.search.end(False)
        else:
            self.search.selectAll()

    @property
    def state_kind(self) -> str:
        """`content`, `loading`, `empty`, `filtered` or `error`."""
        return self._pages.kind

    @property
    def shown_ids(self) -> tuple[str, ...]:
        """The ids of all rows, from top to bottom."""
        return tuple(entry.skill.id for entry in self._model.entries())

    @property
    def selected(self) -> tuple[Skill, ...]:
        """The selected skills, from top to bottom."""
        return self._view.selected_skills()

    @property
    def columns_shown(self) -> bool:
        """Whether the columns view is in front."""
        return self._views.currentWidget() is self.table

    @property
    def _view(self) -> SkillTree | SkillTable:
        return self.table if self.columns_shown else self.tree

    def _build(self) -> None:
        self._bulk.hide()
        self._cost.set_small(True)
        set_ground(self, "surface")
        self._foot = bar(row(self._cost, margins=(12, 2, 8, 2)), "surface", "top")
        self.setLayout(column(self.head, self._pages, self._bulk, self._foot, spacing=0))
        self.setMinimumWidth(200)
        self.setFocusProxy(self._views)
        self._views.setFocusProxy(self.tree)

    def _connect(self) -> None:
        self.head.filter_changed.connect(self._on_filter)
        self.head.order_changed.connect(self.set_order)
        self.head.columns_toggled.connect(self._on_columns)
        self.head.facets_requested.connect(self._show_facets)
        self.search.left_down.connect(self._to_rows)
        for view in (self.tree, self.table):
            view.current_changed.connect(self.skill_selected)
            view.opened.connect(self.skill_opened)
            view.menu_requested.connect(self.popup_menu)
            view.selection_count_changed.connect(self._on_selection)
            self._bulk.closed.connect(view.clearSelection)
        self.actions_set.triggered.connect(self._on_action)
        self._pages.action_requested.connect(self._on_state_action)

    def _fill(self) -> None:
        if self._library is None:
            return
        groups = self._shelf.groups(self._library.skills, self._filter, self._waiting, self._order)
        self.tree.set_crowded(sum(len(group.entries) for group in groups) > _CROWDED)
        self._model.set_groups(groups)
        if self.columns_shown:
            self._table_model.set_entries(self._model.entries())
        self._on_selection(0)
        self._tell_cost(sum(len(group.entries) for group in groups))
        if groups:
            self._pages.show_content()
        elif self._library.skills:
            count = len(self._library.skills)
            told = self.tr("{count} skills are hidden by the filter.").format(count=count)
            told = self.tr("The only skill is hidden by the filter.") if count == 1 else told
            self._pages.show_filtered(self.tr("Nothing fits"), told, ("clear", self.tr("Clear the filter")))
        else:
            self._pages.show_empty(
                "skill",
                self.tr("No skills yet"),
                self.tr("Skills appear here as the agent learns them, or write one yourself."),
                ("new", self.tr("New skill")),
                ("open_folder", self.tr("Open a folder")),
            )
        if self._wanted and self._view.select_id(self._wanted):
            self._wanted = ""

    def _tell_cost(self, shown: int) -> None:
        """Say how many rows there are, and what the catalogue costs an agent."""
        skills = self._library.skills if self._library is not None else ()
        total = sum(map(cost, skills))
        count = number(len(skills))
        if shown != len(skills):
            count = self.tr("{shown} of {all}").format(shown=number(shown), all=number(len(skills)))
        self._cost.set_text(self.tr("{count} · catalogue ≈ {tokens} tokens").format(count=count, tokens=number(total)))
        tip = self.tr(
            "What the list of offered skills costs an agent in every conversation: {tokens} tokens, estimated."
        )
        self._foot.setToolTip(tip.format(tokens=number(total)))

    @property
    def told_cost(self) -> str:
        """The line under the list."""
        return self._cost.text

    @Slot()
    def _show_facets(self) -> None:
        if self._library is not None:
            self.head.facets.set_facets(count_facets(self._library.skills, self._filter, self._waiting))

    def _count(self) -> None:
        if self._library is None:
            return
        counts = self._library.counts
        waiting = sum(self._waiting.get(skill.id, 0) > 0 for skill in self._library.skills)
        numbers = {
            "active": counts.active,
            "stale": counts.stale,
            "archived": counts.archived,
            "pinned": counts.pinned,
            "waiting": waiting,
            "broken": counts.broken,
        }
        self.head.set_counts(numbers)

    @Slot(object)
    def _on_filter(self, shown: Filter) -> None:
        self._filter = shown
        if has_term(shown, "state", State.ARCHIVED.value):
            self.tree.set_closed_groups(frozenset())
        self._fill()
        if self.head.facets.isVisible():
            self._show_facets()

    @Slot(bool)
    def _on_columns(self, on: bool) -> None:
        chosen = self.selected
        self._views.setCurrentWidget(self.table if on else self.tree)
        self._views.setFocusProxy(self._view)
        self._fill()
        if chosen:
            self.select_skill(chosen[0].id)

    @Slot()
    def _to_rows(self) -> None:
        view = self._view
        view.setFocus()
        entries = self._model.entries()
        if not view.selected_skills() and entries:
            view.select_id(entries[0].skill.id)

    @Slot(QPoint)
    def popup_menu(self, place: QPoint) -> None:
        """Show the actions that fit the selection at a place of the screen; it closes by itself."""
        fits = fitting(self.selected)
        names = [spec.id for spec in SKILL_ACTIONS if spec.id in fits]
        menu = self.actions_set.menu(names, self.tr("Skill"), self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    @Slot(int)
    def _on_selection(self, _count: int) -> None:
        skills = self.selected
        fits = fitting(skills)
        for action in self.actions_set.all():
            action.setEnabled(action.spec.id in fits)
        self._bulk.show_for(len(skills), fits)

    @Slot(str)
    def _on_action(self, action: str) -> None:
        ids = targets(action, self.selected)
        if ids:
            self.action_requested.emit(action, ids)

    @Slot(str)
    def _on_state_action(self, action: str) -> None:
        if action == "clear":
            self.search.clear_now()
            self.search.setFocus()
        else:
            self.state_action_requested.emit(action)
