"""Folders and archives dropped onto the library: said on the pane while they hover, handed on when they are let go."""

from PySide6.QtCore import QEvent, QFileInfo, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QWidget

from widgets.common.parts import label

_ARCHIVES = (".zip", ".skill")


class SourceDrops(QObject):
    """Watches one pane. Signals: dropped(sources) with paths or addresses, in the order they were dropped."""

    dropped = Signal(object)

    def __init__(self, pane: QWidget) -> None:
        super().__init__(pane)
        self._pane = pane
        self._words = label(role="heading", parent=pane, wrap=True)
        self._words.setText(self.tr("Drop to look at it and import"))
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setProperty("drop", True)
        self._words.hide()
        pane.setAcceptDrops(True)
        pane.installEventFilter(self)

    @property
    def hint(self) -> QLabel:
        """What is shown while something hovers."""
        return self._words

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what can be imported, leave everything else to the pane."""
        kind = event.type()
        if kind is QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            if sources_in(event.mimeData()):
                event.acceptProposedAction()
                self._words.setGeometry(self._pane.rect())
                self._words.show()
                self._words.raise_()
                return True
        elif kind is QEvent.Type.DragLeave:
            self._words.hide()
        elif kind is QEvent.Type.Drop and isinstance(event, QDropEvent):
            self._words.hide()
            sources = sources_in(event.mimeData())
            if sources:
                event.acceptProposedAction()
                self.dropped.emit(sources)
                return True
        return super().eventFilter(watched, event)


def sources_in(mime: QMimeData) -> tuple[str, ...]:
    """The folders, archives, SKILL.md files and https addresses among what is dragged."""
    if not mime.hasUrls():
        return ()
    found = []
    for url in mime.urls():
        path = url.toLocalFile()
        name = path.rpartition("/")[2].lower()
        if url.scheme() == "https":
            found.append(url.toString())
        elif path and (name.endswith(_ARCHIVES) or name == "skill.md" or QFileInfo(path).isDir()):
            found.append(path)
    return tuple(found)
