"""One writer per home, across threads and processes."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.errors import AppError, Kind
from app.locks import HomeLock

_HOLD = """
import sys
from pathlib import Path
from app.locks import HomeLock
with HomeLock(Path(sys.argv[1])).hold("curator run"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def lock(tmp_path: Path) -> HomeLock:
    return HomeLock(tmp_path / "home" / ".lock", timeout=0.1)


def test_the_same_thread_may_hold_it_again(lock):
    with lock.hold("outer"), lock.hold("inner"):
        assert "outer" in lock.holder()
    assert lock.holder() == ""


def test_another_process_is_named_with_what_it_does(lock, tmp_path):
    path = tmp_path / "home" / ".lock"
    path.parent.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(AppError) as caught, lock.hold("mine"):
            pass
        assert caught.value.kind is Kind.BUSY
        assert f"process {process.pid} (curator run)" in caught.value.text.lower().replace("Process", "process")
        process.stdin.close()
    with lock.hold("mine", timeout=10):
        pass


def test_a_killed_holder_leaves_the_lock_free(lock, tmp_path):
    path = tmp_path / "home" / ".lock"
    path.parent.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    assert process.stdout.readline() == b"held\n"
    process.kill()
    process.communicate()
    with lock.hold("mine", timeout=10):
        assert "mine" in lock.holder()


def test_another_thread_waits_and_then_gives_up(lock):
    held, go = threading.Event(), threading.Event()

    def hold() -> None:
        with lock.hold("other"):
            held.set()
            go.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(10)
    with pytest.raises(AppError) as caught, lock.hold("mine"):
        pass
    go.set()
    thread.join()
    assert caught.value.kind is Kind.BUSY
    with lock.hold("mine"):
        pass


def test_it_is_free_again_after_a_failure_inside(lock):
    with pytest.raises(ZeroDivisionError), lock.hold("failing"):
        raise ZeroDivisionError
    with lock.hold("next"):
        assert "next" in lock.holder()


def test_a_lock_file_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "home").write_text("a file")
    with pytest.raises(AppError) as caught, HomeLock(tmp_path / "home" / ".lock").hold("x"):
        pass
    assert caught.value.kind is Kind.STORAGE
