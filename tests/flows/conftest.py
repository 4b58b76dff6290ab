"""The whole window in a temporary home: real lanes, real files, the real watcher, the built-in engine."""

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bridge.chat import ProviderMaker
from app.clock import Clock, system_clock
from app.cycles.home import home_key
from app.log import RecentLines
from app.paths import resources_dir
from app.window import Window
from widgets.common.theme import Theme

SKILL = "---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\n1. Read the request twice.\n"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What the offscreen platform cannot do is no fault of ours."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    """One theme for the whole run: applying a style sheet is the slow part."""
    made = Theme(resources_dir(), "light")
    made.apply()
    return made


@dataclass
class Shop:
    """A home on disk, and the windows opened on it."""

    root: Path
    qtbot: QtBot
    theme: Theme
    windows: list[Window]

    @property
    def skills(self) -> Path:
        """The library's folder."""
        return self.root / "skills"

    def put(self, skill_id: str, description: str = "Sample. Use in tests.", text: str | None = None) -> Path:
        """Write a skill as another program would, in place."""
        folder = self.skills / skill_id
        folder.mkdir(parents=True, exist_ok=True)
        name = skill_id.rpartition("/")[2]
        content = text if text is not None else SKILL.format(name=name, description=description)
        (folder / "SKILL.md").write_text(content, encoding="utf-8")
        return folder

    def open(self, make_provider: ProviderMaker | None = None, clock: Clock = system_clock) -> Window:
        """Open the window and wait until the library is shown and watched."""
        window = Window(home_key(self.root, clock), self.theme, RecentLines(), make_provider)
        self.windows.append(window)
        modes: list[str] = []
        window.services.library.watching_changed.connect(lambda mode, text: modes.append(mode))
        window.open(first_start=False)
        self.qtbot.waitUntil(lambda: bool(modes) and not window.services.library.scanning, timeout=20_000)
        return window

    def wait(self, condition: Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait for something, 10 seconds at most."""
        self.qtbot.waitUntil(condition, timeout=int(seconds * 1000))

    def close(self, window: Window) -> None:
        """Close a window and make sure that every lane ended in time."""
        if window in self.windows:
            self.windows.remove(window)
            with self.qtbot.waitSignal(window.ended, timeout=10_000) as ended:
                window.panes.frame.close()
            assert ended.args == [True]
            window.panes.frame.deleteLater()
            window.deleteLater()


@pytest.fixture
def shop(tmp_path: Path, qtbot: QtBot, theme: Theme) -> Iterator[Shop]:
    """An empty home; every window opened on it is closed at the end, and nothing is left behind."""
    root = tmp_path / "home"
    (root / "skills").mkdir(parents=True)
    (root / "skills" / ".keep").touch()  # a library that is not new: no bundled skills are put into it
    made = Shop(root, qtbot, theme, [])
    before = {id(timer) for timer in _objects(QTimer) if timer.isActive()}
    yield made
    for window in list(made.windows):
        made.close(window)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    threads = [item for item in _objects(QThread) if item.isRunning() and item is not QThread.currentThread()]
    timers = [item for item in _objects(QTimer) if item.isActive() and id(item) not in before]
    windows = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    assert not threads, f"still running: {threads}"
    assert not timers, f"timers still active: {[(timer.parent(), timer.interval()) for timer in timers]}"
    assert not windows, f"windows still open: {windows}"


def _objects(kind: type) -> list:
    return [found for found in gc.get_objects() if issubclass(type(found), kind) and shiboken6.isValid(found)]
