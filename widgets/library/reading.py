"""The Read tab: SKILL.md rendered, and other texts of the skill that its links lead to."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.skills.values import Skill
from widgets.common.markdown_pane import MarkdownPane
from widgets.common.markdown_view import Page
from widgets.common.parts import column
from widgets.common.theme import Theme


class ReadTab(QWidget):
    """Follows links inside the skill by itself, asking for each file; everything else goes to the owner."""

    #: A file of this skill is wanted (its path below the skill); answer with `set_file` or `say_missing`.
    file_requested = Signal(str)
    #: A link that leads elsewhere: kind and target (`web`, or `library`: a path below the library root).
    link_activated = Signal(str, str)
    external_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._skill: Skill | None = None
        self._asked: tuple[str, str] = ("", "")
        self._shown = "SKILL.md"
        self._pane = MarkdownPane(theme)
        self.setLayout(column(self._pane, spacing=0))
        self._pane.link_activated.connect(self._on_link)
        self._pane.location_requested.connect(self._on_location)
        self._pane.external_requested.connect(self.external_requested)

    @property
    def pane(self) -> MarkdownPane:
        """The pane inside."""
        return self._pane

    def set_skill(self, skill: Skill) -> None:
        """Which skill the next texts belong to."""
        if self._skill is None or self._skill.id != skill.id or self._skill.root != skill.root:
            self._pane.view.forget_trail()
            self._shown = "SKILL.md"
        self._skill = skill

    def set_text(self, text: str) -> None:
        """SKILL.md was read, or read again: an update keeps the scroll place and leaves other files alone."""
        if self._shown == "SKILL.md":
            self._show("SKILL.md", text)
        elif self._asked[0] == "SKILL.md":
            self._show("SKILL.md", text, self._asked[1])

    def set_file(self, path: str, text: str) -> None:
        """A file that was asked for."""
        if path == self._asked[0]:
            self._show(path, text, self._asked[1])

    def say_missing(self, path: str) -> None:
        """A file that was asked for is not there; the text stays."""
        self._asked = ("", "")
        self._pane.say(self.tr("{path} is missing in this skill.").format(path=path))

    def _show(self, path: str, text: str, anchor: str = "") -> None:
        if self._skill is None:
            return
        same = path == self._pane.view.page.location
        self._shown, self._asked = path, ("", "")
        base = f"{self._skill.id}/{path}"
        unreadable = self._skill.broken and path == "SKILL.md"  # what cannot be read as a skill is shown as it stands
        markdown = path.lower().endswith((".md", ".markdown")) and not unreadable
        shown = text if markdown else _as_code(text, path)
        page = Page(shown, path, base, self._skill.id, self._skill.folder)
        self._pane.set_page(page, anchor, keep_scroll=same, where=path)

    @Slot(str, str)
    def _on_link(self, kind: str, target: str) -> None:
        inside = f"{self._skill.id}/" if self._skill else ""
        if kind == "file" and inside and target.startswith(inside):
            path, _, anchor = target.removeprefix(inside).partition("#")
            self._asked = (path, anchor)
            self.file_requested.emit(path)
        else:
            self.link_activated.emit("library" if kind == "file" else kind, target)

    @Slot(str)
    def _on_location(self, location: str) -> None:
        self._asked = (location, "")
        self.file_requested.emit(location)


def _as_code(text: str, path: str) -> str:
    """A file that is no Markdown as one fenced block; the fence is longer than any inside."""
    fence = "````"
    while fence in text:
        fence += "`"
    return f"{fence}{path.rsplit('.', 1)[-1] if '.' in path else ''}\n{text}\n{fence}\n"
