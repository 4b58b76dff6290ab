"""The sheet one writes on: front matter form, editor with colours, and the rendered text beside or instead of it."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSplitter, QWidget

from widgets.common.code_editor import CodeEditor
from widgets.common.empty_state import StatePages
from widgets.common.highlighters import MarkdownHighlighter
from widgets.common.markdown_pane import MarkdownPane
from widgets.common.markdown_view import Page
from widgets.common.parts import column
from widgets.common.theme import Theme
from widgets.common.times import file_size
from widgets.library.front_form import FrontForm

#: Beyond these the editor would hold up the window: characters of the text, of one line, and of text with colours.
_LARGEST = 300_000
_LONGEST_LINE = 20_000
_COLOURED = 150_000
#: Narrower than this, the preview takes the editor's place.
_BOTH_FROM = 700


class Sheet(QWidget):
    """Holds one text at a time."""

    #: The text is too large for the editor: open it in another program.
    external_requested = Signal()
    #: A link of the preview: kind and target.
    link_activated = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.loading = False
        self._previewing = False
        self.form = FrontForm(theme)
        self.editor = CodeEditor(theme, self.tr("SKILL.md"))
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._colours = MarkdownHighlighter(self.editor.document(), theme)
        self.preview = MarkdownPane(theme)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.editor)
        self._split.addWidget(self.preview)
        self._split.setChildrenCollapsible(False)
        self._split.setSizes([500, 500])
        self.preview.hide()
        page = QWidget()
        inside = column(self.form, self._split, spacing=0)
        inside.setStretch(1, 1)
        page.setLayout(inside)
        self._sizes = StatePages(theme, page)
        self.setLayout(column(self._sizes, spacing=0))
        self._sizes.action_requested.connect(self._on_external)
        self.preview.link_activated.connect(self.link_activated)

    def put(self, text: str) -> None:
        """Another document: Undo does not lead back into the last skill's text."""
        fits = self.fits(text)
        self.loading = True
        self._colours.setDocument(self.editor.document() if len(text) <= _COLOURED else None)
        self.editor.setPlainText(text if fits else "")
        self.editor.setReadOnly(not fits)
        self.loading = False
        if fits:
            self._sizes.show_content()
            return
        told = self.tr("It has {size}. Change it in another program; the page follows.").format(
            size=file_size(len(text))
        )
        action = ("external", self.tr("Open in another program"))
        self._sizes.show_empty("file", self.tr("This file is too large to edit here"), told, action)

    @staticmethod
    def fits(text: str) -> bool:
        """Whether the editor can hold a text without holding up the window."""
        return len(text) <= _LARGEST and max(map(len, text.split("\n"))) <= _LONGEST_LINE

    def show_preview(self, *, on: bool) -> None:
        """Show the rendered text, or the editor alone."""
        self._previewing = on
        self._arrange()

    @property
    def previewing(self) -> bool:
        """Whether the rendered text is shown."""
        return self._previewing

    def show_rendered(self, skill_id: str, text: str) -> None:
        """Bring the preview up to date, keeping its place."""
        if self._previewing:
            page = Page(text, "SKILL.md", f"{skill_id}/SKILL.md", skill_id)
            self.preview.set_page(page, keep_scroll=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Both stand beside each other where there is room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        alone = self._previewing and self.width() < _BOTH_FROM
        self.editor.setVisible(not alone)
        self.form.setVisible(not alone)
        self.preview.setVisible(self._previewing)

    @Slot(str)
    def _on_external(self, _action: str) -> None:
        self.external_requested.emit()
