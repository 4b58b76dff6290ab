"""Answers as they stream: followed or not, many pieces, one huge line, a stall, and Stop."""

import time

import pytest
from PySide6.QtCore import QPoint

from app.agent.values import Ending
from tests.flows.conftest import Heartbeat
from widgets.chat.rich_text import RichText
from widgets.chat.tool_line import ToolLine

LINES = [f"Line {n} of a long answer.\n\n" for n in range(400)]
STOP = {"stop": "end_turn"}


def quiet(shop) -> None:
    shop.settings('[review]\nmode = "off"\n')


def transcript(window):
    return window.panes.chat._transcript


def texts_after(window) -> list:
    seen = []
    window.services.chat.event_arrived.connect(seen.append)
    return seen


def test_a_reader_above_is_left_alone_and_a_reader_at_the_end_is_taken_along(shop, service, styled):
    service({"responses": [{"times": 0, "event_ms": 5, "events": [{"text_parts": LINES}, STOP]}]})
    quiet(shop)
    window = shop.open()
    view = transcript(window)
    bar = view.verticalScrollBar()
    window.panes.chat.send_requested.emit("Write 400 lines.")
    shop.wait(lambda: bar.maximum() > 3 * view.viewport().height(), 20)
    assert bar.value() >= bar.maximum() - 40
    bar.setValue(bar.maximum() - 2 * view.viewport().height())
    place, length = bar.value(), bar.maximum()
    newest = max(view.findChildren(RichText), key=lambda text: text.mapTo(view, QPoint(0, 0)).y())
    newest.setTextCursor(newest.document().find("of a long answer.", 0))
    grown = len(newest.toPlainText())
    shop.wait(lambda: bar.maximum() > length + 200, 20)
    assert bar.value() == place
    assert newest.textCursor().selectedText() == "of a long answer."
    assert len(newest.toPlainText()) > grown
    assert view._jump.isVisible()
    bar.setValue(bar.maximum())
    length = bar.maximum()
    shop.wait(lambda: bar.maximum() > length + 200, 20)
    shop.wait(lambda: bar.value() >= bar.maximum() - 40)
    window.panes.frame.resize(1000, 650)
    shop.wait(lambda: bar.value() >= bar.maximum() - 40)
    window.services.chat.stop()
    shop.wait(lambda: not window.services.chat.busy)


PIECES = [f"word{n} " for n in range(1500)]
CODE = ["\n\n```python\n", *[f"line_{n} = {n}\n" for n in range(300)], "```\n\n"]
TABLE = ["| a | b |\n|---|---|\n", *[f"| {n} | x{n} |\n" for n in range(150)], "\nDone.\n"]


@pytest.mark.slow
def test_thousands_of_small_pieces_never_hold_up_the_window_and_do_not_get_slower(shop, service, styled):
    parts = [*PIECES, *CODE, *PIECES, *TABLE]
    service({"responses": [{"times": 0, "event_ms": 1, "events": [{"text_parts": parts}, STOP]}]})
    quiet(shop)
    window = shop.open()
    took, gaps = [], []
    for text in ("Go.", "Go again.", "And again."):
        began = time.monotonic()
        with Heartbeat() as heart:
            result = shop.say(window, text)
        took.append(time.monotonic() - began)
        gaps.append(heart.largest - heart.machine)
        assert result.reply == "".join(parts)
    assert sorted(gaps)[1] <= 0.2, gaps
    assert took[2] <= took[0] * 1.5 + 0.5


@pytest.mark.slow
def test_a_tool_result_with_one_huge_line_is_cut_for_the_model_and_light_for_the_window(shop, service, styled):
    folder = shop.put("one-liner")
    (folder / "references").mkdir()
    text = "{" + ",".join(f'"k{n}":{n}' for n in range(150_000)) + "}"
    (folder / "references" / "data.json").write_text(text, encoding="utf-8")
    read = {"tool": "skill_view", "id": "tu_1", "input": {"name": "one-liner", "file_path": "references/data.json"}}
    echo = {"when": {"tool_result_for": "tu_1"}, "events": [{"text": "x" * 60_000}, STOP]}
    server = service({"responses": [{"events": [read, {"stop": "tool_use"}]}, echo]})
    quiet(shop)
    window = shop.open()
    with Heartbeat() as heart:
        assert shop.say(window, "Read the data.").reply == "x" * 60_000
        line = window.panes.chat.findChild(ToolLine)
        line.head.click()
        shop.wait(lambda: line.body is not None)
        window.panes.frame.resize(1000, 700)
        window.steering.open_skill("one-liner")
        window.panes.skill.show_tab("files")
        window.services.skills.read_file("one-liner", "references/data.json")
        with shop.qtbot.waitSignal(window.services.skills.file_ready, timeout=10_000):
            pass
        window.panes.frame.resize(1200, 800)
    assert heart.largest <= 0.5 + heart.machine
    result = next(
        block
        for message in server.requests[1]["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    )
    assert len(str(result["content"])) < 150_000
    assert '"cut": true' in str(result["content"])


@pytest.mark.slow
def test_a_stalled_stream_is_told_and_stop_ends_it(shop, service):
    stalled = {"events": [{"text": "Beginning"}], "end": "hang", "hang_s": 60}
    second = {"times": 0, "events": [{"text": "Second answer."}, STOP]}
    server = service({"responses": [stalled, second]})
    shop.settings('[review]\nmode = "off"\n[model]\nstall_seconds = 2\n')
    window = shop.open()
    seen = texts_after(window)
    ended = []
    window.services.chat.turn_ended.connect(ended.append)
    window.panes.chat.send_requested.emit("one")
    shop.wait(lambda: any(type(event).__name__ == "Stalled" for event in seen), 5)
    asked = time.monotonic()
    window.panes.chat.stop_requested.emit()
    shop.wait(lambda: bool(ended), 3)
    assert time.monotonic() - asked < 1.5
    assert ended[0].ended.ending is Ending.STOPPED
    assert server.left.wait(2)
    assert shop.say(window, "two").reply == "Second answer."
    assert server.violations == []


def test_stop_in_a_long_answer_ends_the_request_and_keeps_the_part(shop, service):
    long = {"event_ms": 10, "events": [{"text_parts": LINES}, STOP]}
    server = service({"responses": [long, {"times": 0, "events": [{"text": "Short one."}, STOP]}]})
    quiet(shop)
    window = shop.open()
    seen = texts_after(window)
    ended = []
    window.services.chat.turn_ended.connect(ended.append)
    window.panes.chat.send_requested.emit("Write.")
    shop.wait(lambda: len(seen) > 20)
    window.panes.chat.stop_requested.emit()
    shop.wait(lambda: bool(ended))
    assert server.left.wait(2)
    assert ended[0].ended.ending is Ending.STOPPED
    seen.clear()
    assert shop.say(window, "Short, please.").reply == "Short one."
    assert not any("long answer" in getattr(event, "text", "") for event in seen)
    sent = str(server.requests[1]["messages"])
    assert "Line 0 of a long answer." in sent
    assert server.violations == []
    failed = shop.root / "trajectories" / "failed_trajectories.jsonl"
    assert "Line 0 of a long answer." in failed.read_text(encoding="utf-8")
