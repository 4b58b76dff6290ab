"""A lane: jobs in turn, one ending each, nothing after cancel, and a clean end."""

import threading
from collections.abc import Generator

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.lane import Lane
from app.cancel import CancelToken
from app.errors import AppError, Failure, Kind


@pytest.fixture
def lane(qtbot: QtBot) -> Generator[Lane, None, None]:
    made = Lane("test")
    yield made
    assert made.shut_down()


def counting(token: CancelToken) -> Generator[int, None, str]:
    yield 1
    yield 2
    return "done"


def endless(token: CancelToken) -> Generator[int, None, None]:
    while True:
        token.wait(0.01)
        token.check()
        yield 0


def failing(token: CancelToken) -> Generator[int, None, None]:
    yield 1
    raise AppError(Kind.BUSY, "Busy", "Try again.")


def breaking(token: CancelToken) -> Generator[int, None, None]:
    yield 1
    raise ZeroDivisionError("a bug")


def test_events_arrive_in_order_and_the_result_comes_last(lane: Lane, qtbot: QtBot) -> None:
    job = lane.submit("count", counting)
    seen: list[object] = []
    job.produced.connect(seen.append)
    with qtbot.waitSignal(job.finished) as done:
        pass
    assert seen == [1, 2]
    assert done.args == ["done"]


def test_jobs_run_one_after_another_in_one_other_thread(lane: Lane, qtbot: QtBot) -> None:
    threads: list[int] = []

    def where(token: CancelToken) -> Generator[None, None, None]:
        threads.append(threading.get_ident())
        yield

    lane.submit("one", where)
    lane.submit("two", where)
    qtbot.waitUntil(lambda: not lane.busy)
    assert len(threads) == 2
    assert set(threads) != {threading.get_ident()}
    assert len(set(threads)) == 1


def test_a_cancelled_job_ends_as_cancelled_and_the_next_one_runs(lane: Lane, qtbot: QtBot) -> None:
    job = lane.submit("endless", endless)
    lane.submit("count", counting)
    with qtbot.waitSignal(job.produced):
        pass
    with qtbot.waitSignal(job.cancelled):
        lane.cancel(job)
    qtbot.waitUntil(lambda: not lane.busy)


def test_nothing_is_heard_of_a_job_after_it_was_cancelled(lane: Lane, qtbot: QtBot) -> None:
    job = lane.submit("endless", endless)
    with qtbot.waitSignal(job.produced):
        pass
    late: list[object] = []
    lane.cancel(job)
    job.produced.connect(late.append)
    qtbot.waitUntil(lambda: not lane.busy)
    assert late == []


def test_a_queued_job_can_be_cancelled_before_it_starts(lane: Lane, qtbot: QtBot) -> None:
    first = lane.submit("endless", endless)
    second = lane.submit("count", counting)
    with qtbot.waitSignal(second.cancelled):
        lane.cancel(second)
    lane.cancel(first)
    qtbot.waitUntil(lambda: not lane.busy)


def test_trouble_the_user_can_act_on_becomes_a_failure_in_words(lane: Lane, qtbot: QtBot) -> None:
    with qtbot.waitSignal(lane.submit("fail", failing).failed) as ended:
        pass
    assert ended.args == [Failure("Busy", "Try again.")]


def test_a_bug_becomes_a_failure_with_its_traceback(lane: Lane, qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    with qtbot.waitSignal(lane.submit("break", breaking).failed) as ended:
        pass
    assert ended.args[0].is_bug
    assert "ZeroDivisionError" in ended.args[0].detail
    assert "break failed" in caplog.text


def test_shutting_down_ends_a_running_job_and_closes_what_the_thread_owns(qtbot: QtBot) -> None:
    closed: list[int] = []
    lane = Lane("test", close=lambda: closed.append(threading.get_ident()))
    with qtbot.waitSignal(lane.submit("endless", endless).produced):
        pass
    assert lane.shut_down()
    assert len(closed) == 1
    assert closed[0] != threading.get_ident()
