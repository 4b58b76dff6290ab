"""The Edit tab: front matter form, editor with findings at their lines, difference before save, conflicts."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.errors import Failure
from app.skills.values import Finding
from app.text.values import FileDiff
from widgets.common.code_editor import Remark
from widgets.common.diff_panel import DiffPanel
from widgets.common.line_ends import restored
from widgets.common.parts import column
from widgets.common.theme import Theme
from widgets.library.conflict_bar import ConflictBar
from widgets.library.drafts import MARK, Drafts
from widgets.library.page_values import Checked
from widgets.library.save_bar import SaveBar
from widgets.library.sheet import Sheet

_QUIET_MS = 250


class EditTab(QWidget):
    """Edits SKILL.md of one skill at a time; drafts of others are kept."""

    #: skill id, text: check it and answer with `set_checked`.
    text_changed = Signal(str, str)
    #: skill id, text, key, value: write the field losslessly and answer with `set_edited`.
    field_edited = Signal(str, str, str, str)
    #: old text, new text: answer with `set_difference`.
    difference_requested = Signal(str, str)
    #: skill id, text, hash of the text it replaces ("" when the skill is gone or new).
    save_requested = Signal(str, str, str)
    #: This text is too large for the editor: open SKILL.md of this skill in another program.
    external_requested = Signal(str)
    #: skill id, base, mine, theirs: merge both and answer with `set_merged`.
    merge_requested = Signal(str, str, str, str)
    #: A link of the preview: kind and target.
    link_activated = Signal(str, str)
    #: The set of skills with unsaved text changed.
    unsaved_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._id = ""
        self._theirs: tuple[str, str] = ("", "")
        self._waiting: tuple[str, str, str] | None = None
        self._reviewing = False
        self._drafts = Drafts()
        self._sheet = Sheet(theme)
        self.form, self.editor = self._sheet.form, self._sheet.editor
        self.conflict = ConflictBar(theme)
        self.difference = DiffPanel(theme)
        self.bar = SaveBar(theme)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_QUIET_MS)
        self._build()
        self._connect()

    def set_text(self, skill_id: str, text: str, text_hash: str) -> None:
        """SKILL.md of this skill as it is on disk, whenever it was read. It is put in once the tab is seen."""
        self._waiting = (skill_id, text, text_hash)
        if self.isVisible():
            self._take_waiting()

    def showEvent(self, event: QShowEvent) -> None:
        """Put in what was read meanwhile."""
        super().showEvent(event)
        self._take_waiting()

    def set_gone(self, skill_id: str) -> None:
        """The skill was deleted on disk; a typed text stays and can be saved."""
        if self._drafts.lose(skill_id) and skill_id == self._id:
            self.conflict.say_gone()
        self._refresh()

    def carry(self, old: str, new: str) -> None:
        """A skill was renamed or moved: what was typed for it goes along."""
        self._drafts.carry(old, new)
        if self._id == old:
            self._id = ""

    @Slot(object)
    def set_checked(self, checked: Checked) -> None:
        """What reading the text said; ignored when the text has changed since."""
        if checked.text != self._typed():
            return
        self.form.set_fields(checked.fields)
        self.set_findings(checked.findings)

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Show findings at their lines; those without a line stand at the first."""
        remarks: dict[int, list[Remark]] = {}
        for finding in findings:
            remarks.setdefault(finding.line or 1, []).append(Remark(finding.severity, finding.message))
        self.editor.set_remarks(remarks)
        self.bar.say_findings(findings)

    def set_edited(self, old: str, new: str) -> None:
        """The text with one field rewritten; ignored when the text has changed since."""
        if old == self._typed():
            self._replace(new)

    @Slot(object)
    def set_difference(self, files: Sequence[FileDiff]) -> None:
        """The difference that was asked for."""
        self.difference.set_files(files)

    def set_saved(self, skill_id: str, text: str, text_hash: str) -> None:
        """The save was written and read again."""
        self._drafts.saved(skill_id, text, text_hash)
        if skill_id == self._id:
            self.conflict.clear()
            self._show_editor()
        self._refresh()
        self.unsaved_changed.emit()

    @Slot(object)
    def set_save_failed(self, failure: Failure) -> None:
        """The save was refused; the text stays and the sentence is shown."""
        self._show_editor()
        self.bar.say(f"{failure.title}. {failure.text}")
        self._refresh()

    @property
    def unsaved(self) -> tuple[str, ...]:
        """Ids of skills with text that is not saved."""
        return self._drafts.unsaved()

    @property
    def message(self) -> str:
        """The line under the editor."""
        return self.bar.message

    @Slot()
    def save_step(self) -> None:
        """Ctrl+S: first the difference, then the save."""
        draft = self._drafts.get(self._id)
        if draft is None or not draft.changed or self.conflict.asking:
            return
        if draft.unmerged:
            self.bar.say(self.tr("Both texts still stand in a marked place. Choose there first."))
            self._go_to_mark()
            return
        if not self._reviewing:
            self._reviewing = True
            self._stack.setCurrentWidget(self.difference)
            self.difference_requested.emit("" if draft.gone else draft.base, draft.text)
            self._refresh()
        else:
            self.save_requested.emit(self._id, draft.text, draft.base_hash)

    def _build(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self._sheet)
        self._stack.addWidget(self.difference)
        self.setLayout(column(self.conflict, self._stack, self.bar, spacing=0))
        self._refresh()

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._on_text)
        self._timer.timeout.connect(self._check)
        self.form.field_edited.connect(self._on_field)
        self.bar.step_requested.connect(self.save_step)
        self.bar.back_requested.connect(self._show_editor)
        self.bar.discard_requested.connect(self._on_discard)
        self.conflict.mine_chosen.connect(self._keep_mine)
        self.conflict.theirs_chosen.connect(self._take_theirs)
        self.conflict.compare_requested.connect(self._compare)
        self.conflict.merge_requested.connect(self._merge)
        self.bar.preview_toggled.connect(self._on_preview)
        self._sheet.external_requested.connect(self._on_external)
        self._sheet.link_activated.connect(self.link_activated)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Save), self).activated.connect(self.save_step)

    def _take_waiting(self) -> None:
        if self._waiting is None:
            return
        skill_id, text, text_hash = self._waiting
        self._waiting = None
        draft, conflict = self._drafts.read(skill_id, text, text_hash)
        other = skill_id != self._id
        self._id = skill_id
        if conflict:
            self._theirs = (text, text_hash)
            self.conflict.ask(text)
        elif other or not draft.changed:
            self.conflict.clear()
        if other:
            self._show_editor()
            self._sheet.put(draft.text)
        elif self.editor.isReadOnly() or not self._sheet.fits(draft.text):
            self._sheet.put(draft.text)
        elif self._typed() != draft.text:
            self._replace(draft.text)
        self._refresh()
        self.text_changed.emit(skill_id, draft.text)
        self._sheet.show_rendered(skill_id, draft.text)

    @Slot()
    def _on_text(self) -> None:
        if self._sheet.loading:
            return
        self._drafts.type(self._id, self._typed())
        self._timer.start()
        self._refresh()
        self.unsaved_changed.emit()

    @Slot()
    def _check(self) -> None:
        self.text_changed.emit(self._id, self._typed())
        self._sheet.show_rendered(self._id, self._typed())

    @Slot(str, str)
    def _on_field(self, key: str, value: str) -> None:
        self.field_edited.emit(self._id, self._typed(), key, value)

    @Slot()
    def _on_discard(self) -> None:
        draft = self._drafts.discard(self._id)
        if draft is not None:
            self._replace(draft.text)

    @Slot()
    def _keep_mine(self) -> None:
        text, text_hash = self._theirs
        self._drafts.rebase(self._id, text, text_hash, self._typed())
        self.conflict.keep_other(text, self.tr("Your text goes on. The version from disk can still be copied."))
        self._show_editor()

    @Slot()
    def _take_theirs(self) -> None:
        mine = self._typed()
        text, text_hash = self._theirs
        self._drafts.rebase(self._id, text, text_hash, text)
        self._replace(text)
        self.conflict.keep_other(mine, self.tr("The version from disk is shown. Yours can still be copied, or Undo."))
        self._show_editor()

    @Slot()
    def _merge(self) -> None:
        draft = self._drafts.get(self._id)
        if draft is not None:
            self.merge_requested.emit(self._id, draft.base, self._typed(), self._theirs[0])

    def set_merged(self, skill_id: str, text: str, places: int) -> None:
        """Both texts in one; `places` were changed in both and stand there one after the other, marked."""
        if skill_id != self._id or not self.conflict.asking:
            return
        mine = self._typed()
        self._drafts.rebase(self._id, *self._theirs, text)
        self._replace(text)
        told = self.tr("Both texts are in one now. Yours alone can still be copied, or Undo.")
        if places:
            where = self.tr("one place") if places == 1 else self.tr("{} places").format(places)
            told = self.tr("Both changed {}: choose there, and delete the marked lines.").format(where)
        self.conflict.keep_other(mine, told)
        self._show_editor()
        self._go_to_mark()

    def _go_to_mark(self) -> None:
        lines = self.editor.text.split("\n")
        place = next((number for number, line in enumerate(lines, 1) if line.startswith(MARK)), 0)
        if place:
            self.editor.go_to_line(place)

    @Slot(bool)
    def _on_preview(self, on: bool) -> None:
        self._sheet.show_preview(on=on)
        self._sheet.show_rendered(self._id, self._typed())

    @Slot()
    def _compare(self) -> None:
        self._reviewing = False
        self._stack.setCurrentWidget(self.difference)
        self.difference_requested.emit(self._theirs[0], self._typed())
        self._refresh()

    @Slot()
    def _on_external(self) -> None:
        self.external_requested.emit(self._id)

    @Slot()
    def _show_editor(self) -> None:
        self._reviewing = False
        self._stack.setCurrentIndex(0)
        self._refresh()

    def _typed(self) -> str:
        """The editor's text with the line ends of the file."""
        draft = self._drafts.get(self._id)
        return restored(self.editor.text, draft.base) if draft is not None else self.editor.text

    def _replace(self, text: str) -> None:
        """The same document, changed in one step that Undo takes back."""
        self.editor.replace_text(text)

    def _refresh(self) -> None:
        draft = self._drafts.get(self._id)
        changed = draft is not None and draft.changed
        editing = self._stack.currentIndex() == 0
        self.bar.show_step(
            editing=editing,
            reviewing=self._reviewing,
            can_save=changed and not self.conflict.asking,
            can_discard=changed and draft is not None and not draft.gone,
        )
