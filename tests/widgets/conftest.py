"""Fixtures of the widget tests: the applied theme, and checks that nothing is left running or open after a test."""

import gc
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication

from widgets.common.theme import Theme

RESOURCES = Path(__file__).parents[2] / "resources"


def pytest_collection_modifyitems(items):
    """What the offscreen platform cannot do (raise, grab, size hints of the window manager) is no fault of ours."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="session", autouse=True)
def what_stays_is_out_of_sight():
    """Modules and collected tests live as long as the run; looking for what a test left must not look through them."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="session")
def session_theme(qapp):
    """One theme for the whole run: applying a style sheet is the slow part.

    What was imported by now stays for ever; the search for leaks after each test need not look at it.
    """
    theme = Theme(RESOURCES, "light")
    theme.apply()
    gc.collect()
    gc.freeze()
    return theme


@pytest.fixture
def theme(session_theme):
    """The light theme at 100 per cent, whatever the test before did."""
    if session_theme.choice != "light" or session_theme.zoom != 100:
        session_theme.set_zoom(100)
        session_theme.set_choice("light")
    return session_theme


@pytest.fixture(autouse=True)
def nothing_left(request, qapp):
    """After each test: no thread of Qt runs, no timer is active, no window is open."""
    if not {"qtbot", "theme"} & set(request.fixturenames):
        yield
        return
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    left = _left()
    if any(left):
        gc.collect()
        left = _left()
    threads, timers, windows = left
    assert not threads, f"still running: {threads}"
    assert not timers, f"timers still active: {[(timer.parent(), timer.interval()) for timer in timers]}"
    assert not windows, f"windows still open: {windows}"


def _kinds(base):
    """A class and all that were derived from it until now."""
    return {base}.union(*map(_kinds, base.__subclasses__()))


def _left():
    """Running threads, active timers and visible windows."""
    found = gc.get_objects()
    kinds = {kind for kind in set(map(type, found)) if issubclass(kind, QThread | QTimer)}
    alive = [one for one in found if type(one) in kinds and shiboken6.isValid(one)]
    threads = [found for found in alive if isinstance(found, QThread) and found.isRunning()]
    timers = [found for found in alive if isinstance(found, QTimer) and found.isActive()]
    windows = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    return [thread for thread in threads if thread is not QThread.currentThread()], timers, windows
