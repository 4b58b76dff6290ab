"""Fetching from a server: one commit, within the limit, stoppable while the server says nothing."""

import os
import threading
import time
from pathlib import Path

import pytest

from app.cancel import Cancelled, CancelToken
from app.errors import AppError
from app.exchange.limits import Limits
from app.exchange.location import locate
from app.exchange.sources import read_source
from app.exchange.values import Contents
from tests.fakes.git_server import GitServer
from tests.unit.exchange.conftest import skill_text

LIMITS = Limits()


def read(text: str, quarantine: Path, limits: Limits = LIMITS, token: CancelToken | None = None) -> Contents:
    work = read_source(locate(text, insecure=True), quarantine, limits, token or CancelToken())
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return stop.value


def test_one_commit_is_fetched_and_the_quarantine_is_empty_afterwards(bare, tmp_path: Path) -> None:
    bare({"old/SKILL.md": skill_text("old")})
    with GitServer(bare({"skills/demo/SKILL.md": skill_text("demo")})) as server:
        contents = read(server.url, tmp_path / "quarantine")
    assert [pack.path for pack in contents.packs] == ["skills/demo"]
    assert len(contents.commit) == 40
    assert list((tmp_path / "quarantine").iterdir()) == []


def test_a_transfer_over_the_limit_is_stopped(bare, tmp_path: Path) -> None:
    path = bare({"demo/SKILL.md": skill_text("demo"), "demo/noise.bin": os.urandom(400_000)})
    with GitServer(path) as server, pytest.raises(AppError, match="larger than allowed"):
        read(server.url, tmp_path / "quarantine", Limits(packed=50_000))
    assert list((tmp_path / "quarantine").iterdir()) == []


def test_what_the_server_says_is_told(bare, tmp_path: Path) -> None:
    with GitServer(bare({"demo/SKILL.md": skill_text("demo")})) as server, pytest.raises(AppError, match="404"):
        read(server.url.replace("source.git", "other.git"), tmp_path / "quarantine")


def test_a_silent_server_does_not_hold_a_cancelled_import(bare, tmp_path: Path) -> None:
    token = CancelToken()
    ended: list[float] = []
    with GitServer(bare({"demo/SKILL.md": skill_text("demo")}), silent=True) as server:

        def stop() -> None:
            assert server.asked.wait(20)
            ended.append(time.monotonic())
            token.cancel()

        thread = threading.Thread(target=stop)
        thread.start()
        with pytest.raises(Cancelled):
            read(server.url, tmp_path / "quarantine", token=token)
        took = time.monotonic() - ended[0]
        thread.join()
    assert took < 2
    assert list((tmp_path / "quarantine").iterdir()) == []
