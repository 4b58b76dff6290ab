"""The window under load and at rest: storms of files, noisy writers, foreign threads, big graphs, and doing nothing."""

import random
import shutil
import subprocess
import sys
import threading
import time

import pytest
from PySide6 import QtWidgets
from PySide6.QtCore import QTimer

from tests.flows.conftest import Heartbeat, _objects
from widgets.graph.canvas import Canvas

TEXT = "---\nname: {name}\ndescription: {description}\n---\n\nBody.\n"


def run_beside(work) -> threading.Thread:
    """Do file work in a thread, as another program would."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


@pytest.mark.slow
def test_a_constant_writer_does_not_hold_up_an_edit_elsewhere(shop, monkeypatch):
    noisy = shop.put("noisy")
    shop.put("note-a", "Revision 0.")
    window = shop.open()
    going = threading.Event()
    looks = []
    window.services.library._watch.changed.connect(
        lambda paths: looks.append(time.monotonic()) if any("noisy" in str(path) for path in paths) else None
    )

    def write() -> None:
        with (noisy / "run.log").open("a") as log:
            while not going.wait(0.05):
                log.write("line\n")
                log.flush()

    thread = run_beside(write)
    began = time.monotonic()
    shop.wait(lambda: bool(looks))
    shop.put("note-a", "Revision 1.")
    shop.wait(lambda: shop.description(window, "note-a") == "Revision 1.", 3)
    shop.wait(lambda: len(looks) >= 2)
    elapsed = time.monotonic() - began
    going.set()
    thread.join()
    assert len(looks) <= elapsed + 2


STORM = """
import pathlib, shutil, sys
skills, rounds, files = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for number in range(rounds):
    folder = skills / "note-a" / f"storm-{number:02}"
    folder.mkdir()
    for file in range(files):
        (folder / f"f{file:04}.txt").write_text("x")
    if number % 2:
        shutil.rmtree(folder)
    for late in (2 * number, 2 * number + 1) if number < rounds * 3 // 4 else ():
        name = f"late-{late:02}"
        (skills / name).mkdir()
        head = f"---\\nname: {name}\\ndescription: Born in the storm.\\n---\\n"
        (skills / name / "SKILL.md").write_text(head + "\\nBody.\\n")
"""


def storm(shop, rounds: int, files: int) -> subprocess.Popen:
    """Another program that writes, removes and adds very much; in a process of its own, as it would be."""
    return subprocess.Popen([sys.executable, "-c", STORM, str(shop.skills), str(rounds), str(files)])


def expect_after_storm(shop, window, rounds: int, files: int) -> None:
    late = 2 * (rounds * 3 // 4)
    kept = (rounds - rounds // 2) * files + 1
    library = window.services.library
    shop.wait(lambda: len(shop.rows(window)) == late + 1, 15)
    shop.wait(lambda: library.library.get("note-a").file_count == kept, 15)


@pytest.mark.slow
def test_a_storm_of_files_leaves_every_row_right(shop):
    shop.put("note-a")
    window = shop.open()
    writer = storm(shop, 3, 700)
    shop.wait(lambda: writer.poll() is not None, 30)
    expect_after_storm(shop, window, 3, 700)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_storm_of_twenty_thousand_files_never_holds_up_the_window(shop, styled):
    shop.put("note-a")
    window = shop.open()
    with Heartbeat() as heart:
        writer = storm(shop, 20, 1000)
        shop.wait(lambda: writer.poll() is not None, 90)
        expect_after_storm(shop, window, 20, 1000)
    assert heart.largest <= 0.5 + heart.machine


GUARDED = (
    (QtWidgets.QLabel, ("setText",)),
    (QtWidgets.QTextEdit, ("append", "setHtml", "setPlainText", "insertPlainText")),
    (QtWidgets.QStatusBar, ("showMessage",)),
    (QtWidgets.QWidget, ("setVisible", "setEnabled", "repaint", "setWindowTitle")),
    (QtWidgets.QProgressBar, ("setValue",)),
)


@pytest.fixture
def foreign(monkeypatch):
    """Calls of widgets from other threads than the main one."""
    calls: list[str] = []
    main = threading.main_thread()

    def guard(kind, name):
        real = getattr(kind, name)

        def called(self, *args, **kwargs):
            if threading.current_thread() is not main:
                calls.append(f"{kind.__name__}.{name}")
            return real(self, *args, **kwargs)

        monkeypatch.setattr(kind, name, called)

    for kind, names in GUARDED:
        for name in names:
            guard(kind, name)
    return calls


@pytest.mark.slow
def test_widgets_are_touched_by_the_main_thread_only(shop, service, foreign):
    parts = [f"word{n} " for n in range(150)]
    service({"responses": [{"times": 0, "event_ms": 10, "events": [{"text_parts": parts}, {"stop": "end_turn"}]}]})
    shop.put("plain-one", "Revision 0.")
    window = shop.open()
    window.steering.open_skill("plain-one")
    window.panes.frame.show_page("graph")

    def work() -> None:
        for number in range(1, 61):
            shop.put("plain-one", f"Revision {number}.")
            shop.put(f"n-{number % 9}")
            if number % 5 == 0:
                shutil.rmtree(shop.skills / f"n-{number % 9}")

    window.panes.chat.send_requested.emit("go")
    shop.wait(lambda: window.services.chat.busy)
    thread = run_beside(work)
    for width in range(900, 1300, 20):
        window.panes.frame.resize(width, 700)
        shop.wait(lambda width=width: window.panes.frame.width() == width)
    shop.wait(lambda: not thread.is_alive() and not window.services.chat.busy, 20)
    shop.wait(lambda: shop.description(window, "plain-one") == "Revision 60.")
    assert foreign == []


def test_a_window_at_rest_has_no_timer_faster_than_a_minute(shop):
    shop.put("plain-one")
    window = shop.open()
    services = window.services
    shop.wait(lambda: not services.library.scanning and not any(lane.busy for lane in services._lanes.values()))

    def fast() -> list:
        timers = [timer for timer in _objects(QTimer) if timer.isActive() and timer.interval() < 60_000]
        return [(type(timer.parent()).__name__, timer.interval()) for timer in timers]

    shop.wait(lambda: fast() == [], 12)


@pytest.mark.slow
def test_a_window_at_rest_takes_no_time_of_the_processor(shop, styled):
    for number in range(300):
        shop.put(f"s-{number:03}")
    window = shop.open()
    services = window.services
    shop.wait(lambda: not services.library.scanning and not any(lane.busy for lane in services._lanes.values()))
    window.panes.library.tree.setFocus()
    shop.rest(9_000)  # toasts and animations end; then nothing is left to do
    began, used = time.monotonic(), time.process_time()
    shop.rest(10_000)
    share = (time.process_time() - used) / (time.monotonic() - began)
    assert share < 0.005 + 0.01, share  # the test's own waiting takes about a hundredth


def library_of(shop, skills: int, relations: int) -> None:
    """Skills in twenty categories with related ones, the same every time."""
    dice = random.Random(7)
    related = {number: set() for number in range(skills)}
    while sum(map(len, related.values())) < relations:
        one, other = dice.randrange(skills), int(skills * dice.random() ** 2)
        if one != other:
            related[one].add(other)
    for number in range(skills):
        names = ", ".join(f"node-{other:04}" for other in sorted(related[number]))
        head = f"name: node-{number:04}\ndescription: Node {number} of the big graph."
        text = f"---\n{head}\nmetadata:\n  related_skills: [{names}]\n---\n\n# Node\n\nText.\n"
        shop.put(f"cat-{number % 20:02}/node-{number:04}", text=text)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(("skills", "relations"), [(1000, 3000), (5000, 15_000)])
def test_a_big_graph_is_painted_quickly_and_keeps_its_places(shop, styled, skills, relations):
    library_of(shop, skills, relations)
    window = shop.open(seconds=60)
    canvas, services = window.panes.graph.findChild(Canvas), window.services
    window.panes.frame.resize(1280, 800)
    window.panes.frame.show_page("graph")
    layouts = []
    services.graph.layout_ready.connect(layouts.append)
    began = time.monotonic()
    with Heartbeat() as heart:
        shop.wait(lambda: canvas.picture.nodes != () and not services.graph._lane.busy, 20)
        took = time.monotonic() - began
    assert took <= 3
    frames = []
    for number in range(30):
        start = time.perf_counter()
        canvas.zoom(1.05 if number % 2 else 0.95)
        canvas.repaint()
        frames.append(time.perf_counter() - start)
    assert sorted(frames)[len(frames) // 2] <= 0.1
    assert heart.largest <= 0.5 + heart.machine
    before = {node: (x, y) for node, x, y in services.graph._layout.places}
    layouts.clear()
    related = "---\nname: extra-1\ndescription: New.\nmetadata:\n  related_skills: [node-0001]\n---\nB\n"
    shop.put("cat-00/extra-1", text=related)
    shop.wait(lambda: bool(layouts), 20)
    after = {node: (x, y) for node, x, y in layouts[-1].places}
    moved = [abs(after[key][0] - x) + abs(after[key][1] - y) for key, (x, y) in before.items()]
    span = max(x for x, _ in before.values()) - min(x for x, _ in before.values())
    assert sorted(moved)[len(moved) // 2] <= span / 50
