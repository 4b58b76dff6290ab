"""The Edit tab: front matter form, editor with findings at their lines, difference before save, conflicts."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPlainTextEdit, QStackedWidget, QWidget

from app.errors import Failure
from app.skills.values import Finding
from app.text.values import FileDiff
from widgets.common.code_editor import CodeEditor, Remark
from widgets.common.diff_panel import DiffPanel
from widgets.common.highlighters import MarkdownHighlighter
from widgets.common.parts import bar, button, column, label, row
from widgets.common.theme import Theme
from widgets.library.conflict_bar import ConflictBar
from widgets.library.drafts import Drafts
from widgets.library.front_form import FrontForm
from widgets.library.page_values import Checked

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
    #: The set of skills with unsaved text changed.
    unsaved_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._id = ""
        self._theirs: tuple[str, str] = ("", "")
        self._loading = False
        self._reviewing = False
        self._drafts = Drafts()
        self.form = FrontForm(theme)
        self.editor = CodeEditor(theme, self.tr("SKILL.md"))
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._colours = MarkdownHighlighter(self.editor.document(), theme)
        self.conflict = ConflictBar(theme)
        self.difference = DiffPanel(theme)
        self._found = label(role="caption")
        self._discard = button(theme, self.tr("Discard"), "quiet", tip=self.tr("Back to the text on disk"))
        self._review = button(theme, self.tr("Review and save"), "primary", tip=self.tr("Review and save (Ctrl+S)"))
        self._back = button(theme, self.tr("Back to editing"), "quiet", "arrow-left")
        self._save = button(theme, self.tr("Save"), "primary", tip=self.tr("Save (Ctrl+S)"))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_QUIET_MS)
        self._build()
        self._connect()

    def set_text(self, skill_id: str, text: str, text_hash: str) -> None:
        """SKILL.md of this skill as it is on disk, whenever it was read."""
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
            self._put(draft.text)
        elif self.editor.toPlainText() != draft.text:
            self._replace(draft.text)
        self._refresh()
        self.text_changed.emit(skill_id, draft.text)

    def set_gone(self, skill_id: str) -> None:
        """The skill was deleted on disk; a typed text stays and can be saved."""
        if self._drafts.lose(skill_id) and skill_id == self._id:
            self.conflict.say_gone()
        self._refresh()

    @Slot(object)
    def set_checked(self, checked: Checked) -> None:
        """What reading the text said; ignored when the text has changed since."""
        if checked.text != self.editor.toPlainText():
            return
        self.form.set_fields(checked.fields)
        self.set_findings(checked.findings)

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Show findings at their lines; those without a line stand at the first."""
        remarks: dict[int, list[Remark]] = {}
        for finding in findings:
            remarks.setdefault(finding.line or 1, []).append(Remark(finding.severity, finding.message))
        self.editor.set_remarks(remarks)
        if not findings:
            self._found.setText(self.tr("No findings"))
        else:
            first = findings[0]
            at = self.tr("line {line}: ").format(line=first.line) if first.line else ""
            more = self.tr("  (+{count} more)").format(count=len(findings) - 1) if len(findings) > 1 else ""
            self._found.setText(f"{at}{first.message}{more}")

    def set_edited(self, old: str, new: str) -> None:
        """The text with one field rewritten; ignored when the text has changed since."""
        if old == self.editor.toPlainText():
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

    @Slot(object)
    def set_save_failed(self, failure: Failure) -> None:
        """The save was refused; the text stays and the sentence is shown."""
        self._show_editor()
        self._found.setText(f"{failure.title}. {failure.text}")
        self._refresh()

    @property
    def unsaved(self) -> tuple[str, ...]:
        """Ids of skills with text that is not saved."""
        return self._drafts.unsaved()

    @property
    def message(self) -> str:
        """The line under the editor."""
        return self._found.text()

    @Slot()
    def save_step(self) -> None:
        """Ctrl+S: first the difference, then the save."""
        draft = self._drafts.get(self._id)
        if draft is None or not draft.changed or self.conflict.asking:
            return
        if not self._reviewing:
            self._reviewing = True
            self._stack.setCurrentWidget(self.difference)
            self.difference_requested.emit("" if draft.gone else draft.base, draft.text)
            self._refresh()
        else:
            self.save_requested.emit(self._id, draft.text, draft.base_hash)

    def _build(self) -> None:
        page = QWidget()
        page.setLayout(column(self.form, self.editor, spacing=0))
        self._stack = QStackedWidget()
        self._stack.addWidget(page)
        self._stack.addWidget(self.difference)
        self._found.setWordWrap(True)
        buttons = row(self._found, self._back, self._discard, self._review, self._save, margins=(16, 8, 12, 8))
        buttons.setStretch(0, 1)
        self.setLayout(column(self.conflict, self._stack, bar(buttons, "bg", "top"), spacing=0))
        self._refresh()

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._on_text)
        self._timer.timeout.connect(self._check)
        self.form.field_edited.connect(self._on_field)
        self._review.clicked.connect(self.save_step)
        self._save.clicked.connect(self.save_step)
        self._back.clicked.connect(self._show_editor)
        self._discard.clicked.connect(self._on_discard)
        self.conflict.mine_chosen.connect(self._keep_mine)
        self.conflict.theirs_chosen.connect(self._take_theirs)
        self.conflict.compare_requested.connect(self._compare)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Save), self).activated.connect(self.save_step)

    @Slot()
    def _on_text(self) -> None:
        if self._loading:
            return
        self._drafts.type(self._id, self.editor.toPlainText())
        self._timer.start()
        self._refresh()
        self.unsaved_changed.emit()

    @Slot()
    def _check(self) -> None:
        self.text_changed.emit(self._id, self.editor.toPlainText())

    @Slot(str, str)
    def _on_field(self, key: str, value: str) -> None:
        self.field_edited.emit(self._id, self.editor.toPlainText(), key, value)

    @Slot()
    def _on_discard(self) -> None:
        draft = self._drafts.discard(self._id)
        if draft is not None:
            self._replace(draft.text)

    @Slot()
    def _keep_mine(self) -> None:
        text, text_hash = self._theirs
        self._drafts.rebase(self._id, text, text_hash, self.editor.toPlainText())
        self.conflict.keep_other(text, self.tr("Your text goes on. The version from disk can still be copied."))
        self._show_editor()

    @Slot()
    def _take_theirs(self) -> None:
        mine = self.editor.toPlainText()
        text, text_hash = self._theirs
        self._drafts.rebase(self._id, text, text_hash, text)
        self._replace(text)
        self.conflict.keep_other(mine, self.tr("The version from disk is shown. Yours can still be copied, or Undo."))
        self._show_editor()

    @Slot()
    def _compare(self) -> None:
        self._reviewing = False
        self._stack.setCurrentWidget(self.difference)
        self.difference_requested.emit(self._theirs[0], self.editor.toPlainText())
        self._refresh()

    @Slot()
    def _show_editor(self) -> None:
        self._reviewing = False
        self._stack.setCurrentIndex(0)
        self._refresh()

    def _put(self, text: str) -> None:
        """Another document: Undo does not lead back into the last skill's text."""
        self._loading = True
        self.editor.setPlainText(text)
        self._loading = False

    def _replace(self, text: str) -> None:
        """The same document, changed in one step that Undo takes back."""
        self.editor.replace_text(text)

    def _refresh(self) -> None:
        draft = self._drafts.get(self._id)
        changed = draft is not None and draft.changed
        editing = self._stack.currentIndex() == 0
        self._review.setVisible(editing)
        self._review.setEnabled(changed and not self.conflict.asking)
        self._discard.setVisible(editing and changed and draft is not None and not draft.gone)
        self._back.setVisible(not editing)
        self._save.setVisible(not editing and self._reviewing)
        self._save.setEnabled(changed)
