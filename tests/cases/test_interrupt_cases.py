"""Ctrl+C ends every command with 130, without a traceback, and nothing stays half done."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.locks import HomeLock
from tests.cases.runner import PROJECT, Melete

pytestmark = pytest.mark.slow


def put(melete: Melete, *names: str) -> None:
    for name in names:
        (melete.skills / name).mkdir()
        (melete.skills / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does {name}.\n---\n\nBody\n")


#: Says when the program itself begins: what the interpreter does before is not ours to answer.
BEGIN = """
import sys
from app.__main__ import main
try:
    print("begun", flush=True)
    sys.exit(main())
except KeyboardInterrupt:  # between these two lines
    sys.exit(130)
"""


def interrupted(melete: Melete, after: float, *words: str) -> tuple[int, str]:
    command = [sys.executable, "-c", BEGIN, *melete.arguments(*words)]
    environ = {**os.environ, "PYTHONPATH": str(PROJECT)}
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ)
    assert running.stdout is not None
    running.stdout.readline()
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.wait(after)  # the moment of the interrupt is what is tested
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    return running.returncode, err


COMMANDS = [
    ("list",), ("search", "body"), ("history",), ("graph",), ("doctor",), ("archive", "one"), ("pin", "two"),
    ("memory", "add", "I like tea"), ("curator", "run"), ("proposals", "list"),
]  # fmt: skip


@pytest.mark.timeout(240)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_an_interrupt_at_any_time_leaves_no_traceback_and_a_whole_home(melete: Melete, words: tuple[str, ...]) -> None:
    put(melete, "one", "two")
    for after in (0.0, 0.2, 0.5, 0.9):
        code, err = interrupted(melete, after, *words)
        assert code in (0, 130, -signal.SIGINT), (after, code, err)  # killed while Python ends is 130 to a shell
        assert "Traceback" not in err, (after, err)
        assert "bug in Melete" not in err, (after, err)
    assert melete.live() | melete.archived() == {"one", "two"}
    assert not (melete.skills / ".melete/plan.json").exists()
    checks = {item["id"]: item for item in melete("doctor").data["checks"]}
    assert checks["history"]["ok"], checks["history"]


def test_an_interrupt_while_another_process_holds_the_home_is_answered_at_once(melete: Melete, tmp_path: Path) -> None:
    put(melete, "one")
    melete.done("list")
    with HomeLock(melete.home / ".lock").hold("a long action"):
        running = melete.start("pin", "one")
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(2.0)  # it waits for the lock
        begun = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert time.monotonic() - begun < 6  # the lock itself is waited for ten seconds
    assert "Traceback" not in err
    assert not melete.rows()["one"]["pinned"]


#: Ctrl+C at the worst moment of the start: while a class of a module that is being loaded is made.
WHILE_LOADING = """
import os, signal, sys

class Field:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "app.cli.main":
            type("Made", (), {"field": Field()})

sys.meta_path.insert(0, Finder())
sys.argv = ["melete", "list"]
from app.__main__ import main
sys.exit(main())
"""


def test_an_interrupt_while_modules_are_loaded_is_no_other_error() -> None:
    command = [sys.executable, "-c", WHILE_LOADING]
    ended = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
