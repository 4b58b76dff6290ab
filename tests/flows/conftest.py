"""The whole window in a temporary home: real lanes, real files, the real watcher, the built-in engine."""

import contextlib
import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, QTimer, Slot
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bridge.chat import ProviderMaker
from app.clock import Clock, system_clock
from app.cycles.home import home_key
from app.cycles.values import TurnResult
from app.history.store import History
from app.history.values import Entry, Origin
from app.log import RecentLines
from app.paths import resources_dir
from app.sessions.values import StoredMessage
from app.window import Window
from tests.fakes.messages_server import MessagesServer
from widgets.common.theme import Theme


def rest(qtbot: QtBot, milliseconds: int) -> None:
    """Let the event loop run until a timer of this length has ended: for tests about doing nothing."""
    timer = QTimer()
    timer.setSingleShot(True)
    with qtbot.waitSignal(timer.timeout, timeout=milliseconds + 10_000):
        timer.start(milliseconds)


SKILL = "---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\n1. Read the request twice.\n"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What the offscreen platform cannot do is no fault of ours."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    """One theme for the whole run, not applied: a style sheet over a whole window costs more than most flows.

    What was imported by now stays for ever; the collector and the search for leaks need not look at it again.
    """
    gc.collect()
    gc.freeze()
    return Theme(resources_dir(), "light")


@pytest.fixture
def styled(theme: Theme, qapp: QApplication) -> Iterator[None]:
    """The window as it looks to a user, for flows that measure time or sizes."""
    theme.apply()
    yield
    qapp.setStyleSheet("")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict], MessagesServer]]:
    """Start a Messages service that plays a scenario; the environment then points to it, with a key."""
    with contextlib.ExitStack() as stack:

        def start(scenario: dict) -> MessagesServer:
            server = stack.enter_context(MessagesServer(scenario))
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
            return server

        yield start


_METRONOME = """
import select, sys, time
largest, last = 0.0, time.perf_counter()
while not select.select([sys.stdin], [], [], 0.02)[0]:
    now = time.perf_counter()
    largest, last = max(largest, now - last - 0.02), now
print(largest)
"""


class Heartbeat(QObject):
    """Beats every 20 ms in the window's thread while its block runs.

    Afterwards `largest` is the longest gap between two beats in seconds, and `machine` how late a process that does
    nothing but wait was woken in the same time: that much is not the window's fault.
    """

    def __init__(self) -> None:
        super().__init__()
        self.largest = self.machine = 0.0
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)

    def __enter__(self) -> "Heartbeat":
        command = [sys.executable, "-c", _METRONOME]
        self._beside = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._last = time.perf_counter()
        self._timer.start(20)
        return self

    def __exit__(self, *_: object) -> None:
        self._beat()
        self._timer.stop()
        said, _ = self._beside.communicate("end")
        self.machine = float(said)

    @Slot()
    def _beat(self) -> None:
        now = time.perf_counter()
        self.largest = max(self.largest, now - self._last)
        self._last = now


@dataclass
class Shop:
    """A home on disk, and the windows opened on it."""

    root: Path
    qtbot: QtBot
    theme: Theme
    windows: list[Window]
    _read: tuple[str, list[Entry]] = field(default_factory=lambda: ("", []))

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

    def open(
        self, make_provider: ProviderMaker | None = None, clock: Clock = system_clock, seconds: float = 20.0
    ) -> Window:
        """Open the window and wait until the library is shown and watched."""
        window = Window(home_key(self.root, clock), self.theme, RecentLines(), make_provider)
        self.windows.append(window)
        modes: list[str] = []
        window.services.library.watching_changed.connect(lambda mode, text: modes.append(mode))
        window.open(first_start=False)
        self.qtbot.waitUntil(lambda: bool(modes) and not window.services.library.scanning, timeout=int(seconds * 1000))
        return window

    def wait(self, condition: Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait for something, 10 seconds at most."""
        self.qtbot.waitUntil(condition, timeout=int(seconds * 1000))

    def settings(self, text: str) -> None:
        """Write melete.toml."""
        (self.root / "melete.toml").write_text(text, encoding="utf-8")

    def description(self, window: Window, skill_id: str) -> str:
        """What the list knows of a skill; empty when it is not there."""
        skill = window.services.library.library.get(skill_id)
        return skill.description if skill is not None else ""

    def rows(self, window: Window) -> set[str]:
        """The ids in the list."""
        return {skill.id for skill in window.services.library.library.skills}

    def ledger(self) -> list[Entry]:
        """The ledger as it stands on disk, newest first; read again only when its end moved."""
        head = self.root / "history.git" / "refs" / "heads" / "main"
        end = head.read_text(encoding="ascii") if head.exists() else ""
        if end and self._read[0] == end:
            return self._read[1]
        history = History(self.root / "history.git", system_clock)
        try:
            self._read = (end, history.entries())
        finally:
            history.close()
        return self._read[1]

    def outside(self, skill_id: str) -> list[Entry]:
        """Entries that say that another program changed this skill."""
        return [one for one in self.ledger() if one.record.origin is Origin.OUTSIDE and skill_id in one.record.ids]

    def say(self, window: Window, text: str) -> TurnResult:
        """Send a message and wait for the end of its turn."""
        ended: list[TurnResult] = []
        window.services.chat.turn_ended.connect(ended.append)
        window.panes.chat.send_requested.emit(text)
        self.wait(lambda: bool(ended), 40)
        window.services.chat.turn_ended.disconnect(ended.append)
        return ended[0]

    def messages(self, window: Window) -> tuple[StoredMessage, ...]:
        """The open conversation as it is stored."""
        loaded: list[tuple[StoredMessage, ...]] = []
        keep = lambda _, messages: loaded.append(messages)  # noqa: E731 - connected and disconnected below
        window.services.chat.session_loaded.connect(keep)
        window.services.chat.open_session(window.services.chat.session or "")
        self.wait(lambda: bool(loaded))
        window.services.chat.session_loaded.disconnect(keep)
        return loaded[0]

    def rest(self, milliseconds: int) -> None:
        """Do nothing for a while, the event loop running."""
        rest(self.qtbot, milliseconds)

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
    yield made
    for window in list(made.windows):
        made.close(window)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    left = _objects(QThread, QTimer)
    gc.freeze()  # what is still alive was looked at; the next flow looks at its own
    threads = [item for item in left if isinstance(item, QThread) and item.isRunning()]
    threads = [item for item in threads if item is not QThread.currentThread()]
    timers = [item for item in left if isinstance(item, QTimer) and item.isActive()]
    windows = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    assert not threads, f"still running: {threads}"
    assert not timers, f"timers still active: {[(timer.parent(), timer.interval()) for timer in timers]}"
    assert not windows, f"windows still open: {windows}"


def _objects(*kinds: type) -> list:
    found = gc.get_objects()
    wanted = {kind for kind in set(map(type, found)) if issubclass(kind, kinds)}
    return [one for one in found if type(one) in wanted and shiboken6.isValid(one)]
