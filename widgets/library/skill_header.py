"""The head of a skill's page: name, state, pin, where it comes from, where it lives, and what became of it."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from app.skills.values import Author, Skill, State
from widgets.common.chips import Chip
from widgets.common.flow import FlowLayout
from widgets.common.glyphs import TOKENS
from widgets.common.parts import ElidedLabel, button, column, label, row, tool_button
from widgets.common.theme import Theme
from widgets.library.skill_actions import can_pin, pin_words
from widgets.library.tree_rows import glyph_of, reason_of


class SkillHeader(QFrame):
    """Shows one Skill. Asks for actions by id."""

    action_requested = Signal(str)
    #: The name of the umbrella that an archived skill went into.
    umbrella_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._skill: Skill | None = None
        self._compact = False
        self._name = label(role="title")
        self._name.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._state = Chip(theme)
        self._pin = QToolButton()
        self._pin.setCheckable(True)
        self._pin.setFixedSize(26, 26)
        self._pin.clicked.connect(self._on_pin)
        self._facts = tuple(Chip(theme) for _ in range(6))
        self._path = ElidedLabel(theme, "muted", Qt.TextElideMode.ElideMiddle)
        self._path.set_small(True)
        self._copy = tool_button(theme, "copy", self.tr("Copy path"))
        self._folder = tool_button(theme, "folder-open", self.tr("Open folder"))
        self._menu = tool_button(theme, "more", self.tr("More actions"))
        self._note = label(wrap=True)
        self._go = button(theme, "", "link")
        self._restore = button(theme, self.tr("Restore"), "", "restore", self.tr("Put it back where it was"))
        self._copy.clicked.connect(self._on_copy)
        self._folder.clicked.connect(self._on_folder)
        self._go.clicked.connect(self._on_go)
        self._restore.clicked.connect(self._on_restore)
        self._build()
        theme.changed.connect(self._refresh)

    @property
    def menu_button(self) -> QToolButton:
        """The button that the page hangs its menu on."""
        return self._menu

    @Slot(object)
    def set_skill(self, skill: Skill) -> None:
        """Show this skill."""
        self._skill = skill
        self._refresh()

    def _build(self) -> None:
        facts = FlowLayout(spacing=6)
        for chip in (self._state, *self._facts):
            facts.addWidget(chip)
        self._banner = QFrame()
        self._banner.setProperty("card", "raised")
        self._banner.setLayout(row(self._note, self._go, None, self._restore, margins=(12, 6, 8, 6)))
        self.setProperty("ground", "surface")
        self._place = QWidget()
        self._place.setLayout(row(self._path, self._copy, self._folder, spacing=2))
        first = row(self._name, self._pin, None, self._menu, spacing=6)
        self._column = column(first, facts, self._place, self._banner, margins=(16, 12, 12, 8), spacing=6)
        self.setLayout(self._column)

    def set_compact(self, *, compact: bool) -> None:
        """In a low window the path's line gives its room to the page; menu and tooltip still have it."""
        if compact is not self._compact:
            self._compact = compact
            self._place.setVisible(not compact)
            self._column.setContentsMargins(16, 8 if compact else 12, 12, 4 if compact else 8)

    @property
    def pin_button(self) -> QToolButton:
        """The toggle that pins and unpins."""
        return self._pin

    @Slot()
    def _refresh(self) -> None:
        skill = self._skill
        if skill is None:
            return
        glyph = glyph_of(skill)
        self._name.setText(skill.name)
        self._state.show_fact(self.tr(glyph), TOKENS[glyph], glyph)
        self._pin.setVisible(skill.live)
        self._pin.setEnabled(can_pin(skill))
        self._pin.setChecked(skill.pinned)
        told = pin_words(skill)
        self._pin.setToolTip(told)
        self._pin.setAccessibleName(told)
        icon = "pin" if can_pin(skill) else "pin-off"
        self._theme.bind_icon(self._pin, icon, "pinned" if skill.pinned else "muted")
        for chip, fact in zip(self._facts, self._fact_list(skill), strict=True):
            chip.show_fact(*fact)
        self._path.set_text(str(skill.real or skill.folder))
        self._name.setToolTip(self._path.text)
        self._show_banner(skill)

    def _fact_list(self, skill: Skill) -> tuple[tuple[str, str, str, str], ...]:
        known = skill.author is not Author.UNKNOWN
        author = self.tr("by {who}").format(who=self.tr(skill.author.value)) if known else ""
        managed = self.tr("managed") if skill.managed else ""
        source = skill.source.value + (self.tr(", edited here") if skill.edited_here else "")
        return (
            (self.tr(source), "muted", "", self.tr("Where it comes from")),
            (author, "muted", "", self.tr("Who created it")),
            (managed, "info", "", self.tr("Automation may change it")),
            (skill.category, "muted", "", self.tr("Category")),
            (self.tr("linked") if skill.linked else "", "warn", "", self.tr("Its real place is elsewhere")),
            ("" if skill.enabled else self.tr("not offered"), "warn", "", self.tr("Not listed to the agent")),
        )

    def _show_banner(self, skill: Skill) -> None:
        note, target = "", ""
        if skill.state is State.ARCHIVED:
            target = skill.absorbed_into or ""
            note = self.tr("Archived. Its content went into") if target else self.tr("Archived.")
        elif skill.broken:
            note = self.tr("Cannot be used: {why}").format(why=reason_of(skill))
        elif skill.shadowed_by is not None:
            note, target = self.tr("Another skill of this name comes first:"), skill.shadowed_by
        self._note.setText(note)
        self._go.setText(target)
        self._go.setAccessibleName(target)
        self._go.setVisible(bool(target))
        self._restore.setVisible(skill.state is State.ARCHIVED)
        self._banner.setVisible(bool(note))

    @Slot()
    def _on_pin(self) -> None:
        if self._skill is not None:
            # The button shows what is, not what was asked for: the next Skill value moves it.
            self._pin.setChecked(self._skill.pinned)
            self.action_requested.emit("skill.unpin" if self._skill.pinned else "skill.pin")

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._path.text)

    @Slot()
    def _on_folder(self) -> None:
        self.action_requested.emit("skill.open_folder")

    @Slot()
    def _on_restore(self) -> None:
        self.action_requested.emit("skill.restore")

    @Slot()
    def _on_go(self) -> None:
        self.umbrella_requested.emit(self._go.text())
