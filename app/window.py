"""The window's door: builds theme, services and panes, joins them, and ends them in order."""

import gc
import linecache
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from app import __version__
from app.bridge.chat import ProviderMaker
from app.bridge.crash import CrashHook
from app.bridge.interrupts import Interrupts
from app.bridge.services import Services
from app.bridge.single import SingleWindow
from app.clock import Clock, system_clock
from app.cycles.discovery import agent_folders
from app.cycles.home import HomeKey, home_key, read_settings
from app.cycles.provider import provider_for
from app.errors import AppError
from app.log import RecentLines, start_log, stop_log
from app.paths import default_home, resources_dir
from app.providers.keys import KeyStore
from app.wiring.chat import ChatWires
from app.wiring.graph import GraphWires
from app.wiring.library import LibraryWires
from app.wiring.menus import MenuWires
from app.wiring.pages import CuratorWires, MemoryWires, ReviewWires, SettingsWires
from app.wiring.panes import build_panes
from app.wiring.sessions import SessionWires
from app.wiring.steering import Steering
from app.wiring.way_back import WayBackWires
from app.wiring.window_actions import PAGES
from widgets.common.theme import Theme
from widgets.library.first_start import FirstStart

_log = logging.getLogger(__name__)
#: New objects before the collector looks at them. A look at everything stops every thread, with thousands of skills for
#: a fifth of a second, so it must be rare; nearly all our values die without it.
_NEW_OBJECTS = 50_000
#: Seconds a busy thread keeps the interpreter when another one waits for it (Python's own value is ten times this). A
#: repaint asks for the interpreter for each row it draws, so with long turns a busy lane would hold it up.
_TURN_S = 0.0005


class Window(QObject):
    """One home's window with everything behind it.

    Signals: ended(True when every lane ended in time) after the window has gone.
    """

    ended = Signal(bool)

    def __init__(
        self, key: HomeKey, theme: Theme, log: RecentLines, make_provider: ProviderMaker | None = None
    ) -> None:
        super().__init__()
        self._key = key
        self._closing = False
        self._leaves_text = False
        self.theme = theme
        self.services = Services(key, KeyStore(os.environ), log, provider_for, self, make_provider)
        with theme.undressed():
            self.panes = build_panes(theme)
            self._lay_out()
        self.steering = Steering(self.services, self.panes, self)
        self._place = key.home.root / "melete.window.ini"
        library = LibraryWires(self.services, self.panes, self.steering)
        self.menus = MenuWires(self.services, self.panes, self.steering, library)
        self._wires = (
            library,
            ChatWires(self.services, self.panes, self.steering),
            ReviewWires(self.services, self.panes, self.steering),
            CuratorWires(self.services, self.panes, self.steering),
            GraphWires(self.services, self.panes, self.steering),
            WayBackWires(self.services, self.panes, self.steering),
            SessionWires(self.services, self.panes, self.steering),
            MemoryWires(self.services, self.panes, self.steering),
            SettingsWires(self.services, self.panes, self.steering),
        )
        self.panes.frame.closing.connect(self.close)

    def _lay_out(self) -> None:
        frame, panes = self.panes.frame, self.panes
        pages = {
            "graph": panes.graph,
            "skill": panes.skill,
            "review": panes.review,
            "curator": panes.curator,
            "sessions": panes.sessions,
            "memory": panes.memory,
            "history": panes.history,
        }
        for page, title, _ in PAGES:
            frame.add_page(page, title, pages[page])
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        frame.add_side("library", self.tr("Library"), panes.library, left, (200, 250))
        frame.add_side("chat", self.tr("Chat"), panes.chat, right, (285, 330))

    def open(self, *, first_start: bool = True) -> None:
        """Show the window at its last place and start the services."""
        new = first_start and not self._key.home.skills.is_dir()
        draft = self.panes.frame.restore_place(self._place)
        if draft:
            self.panes.chat.set_draft(draft)
        self.panes.frame.show()
        self._notice_use()
        self.services.library.library_changed.connect(self._fill_other_pages)
        self.services.library.failed.connect(self._fill_other_pages)
        self.services.library.start()
        if new:
            self._ask_how_to_begin()

    @Slot()
    def _fill_other_pages(self) -> None:
        """The list of skills is there: now the rest. Before, it would only have held the list up."""
        self.services.library.library_changed.disconnect(self._fill_other_pages)
        self.services.library.failed.disconnect(self._fill_other_pages)
        self.services.curator.start()
        self.services.review.start()
        for service in (self.services.proposals, self.services.sessions, self.services.memory):
            service.refresh()

    def _notice_use(self) -> None:
        """Keys and clicks arrive at the system's window first: one filter there sees them, and nothing else."""
        handle, app = self.panes.frame.windowHandle(), QGuiApplication.instance()
        if handle is not None:
            handle.installEventFilter(self.services.idle)
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self.services.idle.touch)

    @Slot()
    def close(self) -> None:
        """Save, cancel and join everything, then let the window go. Asked twice, it does it once.

        Text that was typed and not saved is asked about first.
        """
        if self._closing:
            return
        unsaved = self.panes.skill.edit.unsaved
        if unsaved and not self._leaves_text:
            self._ask_about_text(unsaved)
            return
        self._closing = True
        self.services.chat.stop()  # what was typed meanwhile goes back into the composer, and is kept with it
        self.panes.frame.save_place(self._place, self.panes.chat.draft)
        in_time = self.services.shut_down()
        self.panes.frame.leave()
        self.ended.emit(in_time)

    def _ask_about_text(self, unsaved: tuple[str, ...]) -> None:
        question = QMessageBox(self.panes.frame)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.setIcon(QMessageBox.Icon.Question)
        question.setWindowTitle(self.tr("Text is not saved"))
        question.setText(self.tr("What you typed into {} is not saved.").format(", ".join(unsaved[:5])))
        question.addButton(self.tr("Go back"), QMessageBox.ButtonRole.RejectRole)
        leave = question.addButton(self.tr("Leave without saving"), QMessageBox.ButtonRole.DestructiveRole)
        leave.clicked.connect(self._leave_text)
        self.panes.frame.show_page("skill")
        question.open()

    @Slot()
    def _leave_text(self) -> None:
        self._leaves_text = True
        self.close()

    def _ask_how_to_begin(self) -> None:
        dialog = FirstStart(self.theme, agent_folders(self._key.home), self.panes.frame)
        dialog.sample_requested.connect(self.services.library.install_sample)
        dialog.folder_requested.connect(self._on_folder)
        dialog.hermes_requested.connect(self._on_hermes)
        dialog.open()

    @Slot(str)
    def _on_folder(self, path: str) -> None:
        folder = path or QFileDialog.getExistingDirectory(self.panes.frame, self.tr("A folder of skills"))
        if folder:
            known = self.services.preferences.settings.library.folders
            self.services.preferences.set_value("library", "folders", tuple(dict.fromkeys((*known, folder))))

    @Slot(str)
    def _on_hermes(self, path: str) -> None:
        folder = path or QFileDialog.getExistingDirectory(self.panes.frame, self.tr("A Hermes home"))
        if not folder or Path(folder).resolve() == self._key.home.root.resolve():
            return
        # A process of its own, started beside the package so that no folder named `app` elsewhere is taken for it.
        place = str(Path(__file__).resolve().parents[1])
        started, _ = QProcess.startDetached(sys.executable, ["-m", "app", "--home", folder], place)
        if started:
            self.panes.frame.close()
        else:
            self.steering.warn(
                self.tr("Melete could not be started on {}. Try: melete --home {}").format(folder, folder)
            )


def run(home: Path | None, *, debug: bool = False, clock: Clock = system_clock) -> int:
    """Open the window of a home (the default one when None) and return the exit code when it has closed."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        if not os.environ.get("QT_QPA_PLATFORM"):
            text = (
                "There is no display here. `melete --help` shows the command line, `melete tour --offscreen` a tour.\n"
            )
            sys.stderr.write(text)
            return 1
    app = make_application()
    try:
        key = home_key(home or default_home(), clock)
    except AppError as error:
        sys.stderr.write(f"{error.title}. {error.text}\n")
        return 1
    single = SingleWindow(key.home.root)
    if not single.claim():
        sys.stderr.write("Melete is open on this home already; its window was asked to come to the front.\n")
        return 0
    log = start_log(key.home.logs, debug=debug)
    hook = CrashHook()
    hook.install()
    theme = Theme(resources_dir(), read_settings(key.home).appearance.theme)
    theme.apply()
    window = Window(key, theme, log)
    hook.failed.connect(window.steering.tell_failure)
    single.raise_requested.connect(window.panes.frame.come_to_front)
    interrupts = Interrupts()
    interrupts.asked.connect(window.close)
    ending = _Ending(app.quit)
    window.ended.connect(ending.note)
    QTimer.singleShot(0, window.open)
    QTimer.singleShot(0, collect_seldom)
    code = app.exec()
    code = 128 + interrupts.number if interrupts.number else code
    interrupts.remove()
    hook.remove()
    single.release()
    if not ending.in_time:
        # Everything is saved and closed; a lane that still hangs must not keep the program (design: threads).
        logging.shutdown()
        os._exit(code)
    stop_log()
    return code


def collect_seldom() -> None:
    """Switch the collector of circular garbage on, blind to what the start made and in no hurry; share the interpreter
    in short turns; forget the source texts that Qt's binding looked into (12 MB).
    """
    sys.setswitchinterval(_TURN_S)
    linecache.clearcache()
    gc.freeze()  # looking through it first took a tenth of a second and found next to nothing
    gc.set_threshold(_NEW_OBJECTS, 20, 20)
    gc.enable()


class _Ending(QObject):
    """Remembers whether every lane ended, and quits."""

    def __init__(self, leave: Callable[[], None]) -> None:
        super().__init__()
        self._leave = leave
        self.in_time = True

    @Slot(bool)
    def note(self, in_time: bool) -> None:
        """The window has gone."""
        self.in_time = in_time
        QTimer.singleShot(0, self._leave)


def make_application() -> QApplication:
    """The application object with its names; there is one per process."""
    known = QApplication.instance()
    app = known if isinstance(known, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("melete")
    app.setApplicationDisplayName("Melete")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("melete")
    return app
