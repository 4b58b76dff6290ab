"""The panes of the window, built once."""

from dataclasses import dataclass

from widgets.chat.pane import ChatPane
from widgets.chat.reader import ChatReader
from widgets.common.frame import Frame
from widgets.common.notices import Notices
from widgets.common.palette import Palette
from widgets.common.theme import Theme
from widgets.curator.pane import CuratorPane
from widgets.graph.pane import GraphPane
from widgets.library.history_pane import HistoryPane
from widgets.library.pane import LibraryPane
from widgets.library.skill_page import SkillPage
from widgets.memory.pane import MemoryPane
from widgets.review.pane import ReviewPane
from widgets.sessions.pane import SessionsPane
from widgets.settings.dialog import SettingsDialog


@dataclass(frozen=True, slots=True)
class Panes:
    """Everything that is looked at."""

    theme: Theme
    frame: Frame
    library: LibraryPane
    skill: SkillPage
    graph: GraphPane
    review: ReviewPane
    curator: CuratorPane
    sessions: SessionsPane
    reader: ChatReader
    memory: MemoryPane
    history: HistoryPane
    chat: ChatPane
    settings: SettingsDialog
    palette: Palette
    notices: Notices


def build_panes(theme: Theme) -> Panes:
    """Make the frame and every pane."""
    frame = Frame(theme)
    reader = ChatReader(theme)
    return Panes(
        theme=theme,
        frame=frame,
        library=LibraryPane(theme),
        skill=SkillPage(theme),
        graph=GraphPane(theme),
        review=ReviewPane(theme),
        curator=CuratorPane(theme),
        sessions=SessionsPane(theme, reader),
        reader=reader,
        memory=MemoryPane(theme),
        history=HistoryPane(theme),
        chat=ChatPane(theme),
        settings=SettingsDialog(theme, frame),
        palette=Palette(theme, frame),
        notices=Notices(theme, frame.tabs),
    )
