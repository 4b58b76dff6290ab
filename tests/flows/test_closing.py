"""Leaving while something runs, and coming again: quick, nothing lost, and one window per home."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import app.window
from app.bridge.single import SingleWindow
from app.clock import system_clock
from app.database import Database
from app.sessions.schema import MIGRATIONS
from app.sessions.store import SessionStore

PROJECT = Path(__file__).parents[2]
LONG = {
    "event_ms": 20,
    "times": 0,
    "events": [{"text_parts": [f"word{n} " for n in range(2000)]}, {"stop": "end_turn"}],
}
SLOW = {"before_ms": 30_000, "times": 0, "events": [{"text": "late"}, {"stop": "end_turn"}]}
SHORT = {"times": 0, "events": [{"text": "Short."}, {"stop": "end_turn"}]}

CLOSER = """
import random, sys
from PySide6.QtCore import QTimer
import app.window as door
what, home = sys.argv[1], sys.argv[2]
real = door.Window.open
def opened(window, **kwargs):
    real(window, first_start=False)
    services = window.services
    begin = {
        "stream": lambda: window.panes.chat.send_requested.emit("go"),
        "review": lambda: window.panes.chat.send_requested.emit("I prefer short answers."),
        "curator": lambda: window.panes.curator.run_requested.emit(False),
    }.get(what, lambda: None)
    begin()
    close = lambda: QTimer.singleShot(random.randrange(0, 900), window.panes.frame.close)
    if what == "review":
        services.review.started.connect(close)
    else:
        close()
door.Window.open = opened
sys.exit(door.run(__import__("pathlib").Path(home)))
"""


def stored_texts(shop) -> list[str]:
    database = Database(shop.root / "melete.db", MIGRATIONS)
    try:
        store = SessionStore(database, system_clock)
        return [item.message.text for info in store.list() for item in store.messages(info.id)]
    finally:
        database.close()


@pytest.mark.slow
def test_closing_while_an_answer_streams_keeps_what_arrived_and_the_next_start_goes_on(shop, service):
    server = service({"responses": [LONG, SHORT]})
    shop.settings('[review]\nmode = "off"\n')
    window = shop.open()
    window.panes.chat.send_requested.emit("go")
    seen = []
    window.services.chat.event_arrived.connect(seen.append)
    shop.wait(lambda: len(seen) > 20)
    began = time.monotonic()
    shop.close(window)
    assert time.monotonic() - began < 3
    assert server.left.wait(2)
    assert any("word0 word1" in text for text in stored_texts(shop))
    server.responses = [SHORT]
    again = shop.open()
    listed = []
    again.services.sessions.listed.connect(listed.append)
    again.services.sessions.refresh()
    shop.wait(lambda: bool(listed))
    again.services.chat.open_session(listed[0][0].id)
    shop.wait(lambda: again.services.chat.session is not None)
    assert shop.say(again, "and?").reply == "Short."
    assert server.violations == []


@pytest.mark.slow
def test_what_was_typed_and_not_sent_is_there_again_after_closing(shop, service):
    service({"responses": [SLOW]})
    shop.settings('[review]\nmode = "off"\n')
    window = shop.open()
    pane = window.panes.chat
    pane.send_requested.emit("First.")
    shop.wait(lambda: pane.running, 40)
    pane.send_requested.emit("Second, while it runs.")
    pane.set_draft("Third, never sent.")
    shop.close(window)
    again = shop.open()
    assert again.panes.chat.draft == "Second, while it runs.\n\nThird, never sent."
    again.panes.chat.set_draft("")
    shop.close(again)
    assert shop.open().panes.chat.draft == ""


@pytest.mark.slow
@pytest.mark.parametrize("what", ["review", "curator"])
def test_closing_while_a_fork_waits_for_its_model_takes_less_than_three_seconds(shop, service, what):
    review = {"when": {"any": "# Review of this conversation"}} | SLOW
    server = service({"responses": [review, SHORT], "default": SLOW})
    shop.put("plain-one")
    window = shop.open()
    if what == "review":
        with shop.qtbot.waitSignal(window.services.review.started, timeout=30_000):
            window.panes.chat.send_requested.emit("go")
        shop.wait(lambda: len(server.requests) == 2)
    else:
        window.panes.curator.run_requested.emit(False)
        shop.wait(lambda: window.services.curator.running)
    began = time.monotonic()
    shop.close(window)
    assert time.monotonic() - began < 3
    again = shop.open()
    assert shop.rows(again) == {"plain-one"}


@pytest.mark.slow
def test_a_review_that_closing_cut_off_is_made_at_the_next_start(shop, service):
    cut = {"when": {"any": "# Review of this conversation"}} | SLOW
    server = service({"responses": [cut, SHORT]})
    window = shop.open()
    with shop.qtbot.waitSignal(window.services.review.started, timeout=30_000):
        window.panes.chat.send_requested.emit("go")
    shop.wait(lambda: len(server.requests) == 2)
    shop.close(window)
    server.responses = [SHORT]
    reviewed = []
    again = shop.open()
    again.services.review.reviewed.connect(reviewed.append)
    shop.wait(lambda: bool(reviewed))
    assert reviewed[0].ended.ending == "done"
    assert not again.services.review.busy


@pytest.mark.slow
def test_a_reopened_conversation_can_be_reviewed(shop, service):
    service({"responses": [SHORT]})
    shop.settings("[review]\nevery_turns = 100\n")
    window = shop.open()
    session = shop.say(window, "go").session.id
    shop.close(window)
    again = shop.open()
    with shop.qtbot.waitSignal(again.services.chat.session_loaded, timeout=10_000):
        again.services.chat.open_session(session)
    with shop.qtbot.waitSignal(again.services.review.reviewed, timeout=20_000) as done:
        again.panes.chat.review_requested.emit()
    assert done.args[0].session == session


def test_a_second_claim_raises_the_first_window(shop, qapp):
    window = shop.open()
    first = SingleWindow(shop.root)
    first.raise_requested.connect(window.panes.frame.come_to_front)
    assert first.claim()
    window.panes.frame.showMinimized()
    assert not SingleWindow(shop.root).claim()
    shop.wait(lambda: not window.panes.frame.isMinimized())
    first.release()


RACER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from app.bridge.single import SingleWindow
program = QCoreApplication([])
single = SingleWindow(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
first = single.claim()
print("first" if first else "second", flush=True)
single.raise_requested.connect(lambda: print("raised", flush=True))
if first:
    QTimer.singleShot(4000, program.quit)
    program.exec()
"""


@pytest.mark.slow
def test_of_several_starts_in_one_moment_exactly_one_is_the_window_and_is_raised_by_the_rest(shop):
    command = [sys.executable, "-c", RACER, str(shop.root)]
    environ = {**os.environ, "PYTHONPATH": str(PROJECT)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    racers = [subprocess.Popen(command, env=environ, text=True, bufsize=1, **pipes) for _ in range(4)]
    assert [racer.stdout.readline() for racer in racers] == ["ready\n"] * 4
    for racer in racers:
        racer.stdin.write("go\n")
    said = sorted(racer.communicate(timeout=30)[0].split() for racer in racers)
    assert said == [["first", "raised", "raised", "raised"], ["second"], ["second"], ["second"]]


@pytest.mark.slow
def test_another_home_is_opened_by_a_process_of_its_own_and_this_window_goes(shop, monkeypatch):
    window = shop.open()
    started = []
    monkeypatch.setattr(app.window.QProcess, "startDetached", lambda *args: (started.append(args) or True, 1))
    with shop.qtbot.waitSignal(window.ended, timeout=5000):
        window._on_hermes("/somewhere/hermes")
    shop.windows.remove(window)
    window.panes.frame.deleteLater()
    window.deleteLater()
    program, arguments, place = started[0]
    assert (program, arguments[:3]) == (sys.executable, ["-m", "app", "--home"])
    assert arguments[3] == "/somewhere/hermes"
    assert (Path(place) / "app" / "window.py").is_file()


@pytest.mark.slow
def test_a_second_start_raises_the_first_window_and_ends(shop, qapp):
    first = SingleWindow(shop.root)
    raised = []
    first.raise_requested.connect(lambda: raised.append(True))
    assert first.claim()
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "app", "--home", str(shop.root)]
    second = subprocess.Popen(command, env=environ, cwd=PROJECT)
    shop.wait(lambda: second.poll() is not None, 30)
    assert second.returncode == 0
    shop.wait(lambda: bool(raised))
    first.release()


CRASHED = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.bridge.single import SingleWindow
program = QCoreApplication([])
single = SingleWindow(Path(sys.argv[1]))
assert single.claim()
os._exit(9)
"""


def test_the_name_of_a_window_that_crashed_can_be_claimed(shop, qapp):
    environ = {**os.environ, "PYTHONPATH": str(PROJECT)}
    crashed = subprocess.run([sys.executable, "-c", CRASHED, str(shop.root)], env=environ, check=False)
    assert crashed.returncode == 9
    again = SingleWindow(shop.root)
    assert again.claim()
    again.release()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_twenty_closes_with_work_running_end_in_order(shop, service):
    for number in range(1500):
        shop.put(f"s-{number:04}", "Row.")
    server = service({"responses": [LONG]})
    script = shop.root / "closer.py"
    script.write_text(CLOSER, encoding="utf-8")
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(PROJECT)}
    for what in ("scan", "stream", "review", "curator", "idle"):
        server.responses = [LONG] if what == "stream" else [SHORT]
        for _ in range(4):
            command = [sys.executable, str(script), what, str(shop.root)]
            ended = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
            assert ended.returncode == 0, (what, ended.stderr)
            assert "QThread" not in ended.stderr, (what, ended.stderr)
            assert "did not end" not in (shop.root / "logs" / "melete.log").read_text(encoding="utf-8")
    json.loads((shop.skills / ".usage.json").read_text(encoding="utf-8")) if (
        shop.skills / ".usage.json"
    ).exists() else 0
    for stream in (shop.root / "trajectories").glob("*.jsonl"):
        for line in stream.read_text(encoding="utf-8").splitlines():
            json.loads(line)
    assert stored_texts(shop)
