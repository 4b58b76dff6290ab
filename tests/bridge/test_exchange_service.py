"""The exchange service: one reading at a time, stopped at once, and what was seen is what is imported."""

import time
from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest
from pytestqt.qtbot import QtBot

from app.bridge.exchange import ExchangeService
from app.bridge.home_lane import HomeLane
from app.clock import system_clock
from app.cycles.home import OpenHome, home_key
from app.exchange.values import Choice, Keep, Pick
from tests.fakes.git_server import GitServer

TEXT = "---\nname: {0}\ndescription: A sample. Use in tests.\n---\n\n# {0}\n"


@pytest.fixture
def service(qtbot: QtBot, tmp_path: Path) -> Iterator[ExchangeService]:
    key = home_key(tmp_path / "home", system_clock)
    key.home.skills.mkdir(parents=True)
    lane = HomeLane("exchange", lambda: OpenHome(key))
    yield ExchangeService(lane)
    assert lane.shut_down()


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[GitServer]:
    """A server that takes a request and never answers."""
    path = tmp_path / "source.git"
    pygit2.init_repository(path, bare=True)
    with GitServer(path, silent=True) as server:
        yield server


def put(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(TEXT.format(folder.name))
    return folder


def test_a_reading_from_a_silent_server_is_stopped_at_once(service, silent, qtbot: QtBot) -> None:
    service.look(silent.url, insecure=True)
    qtbot.waitUntil(silent.asked.is_set, timeout=20_000)
    begin = time.monotonic()
    with qtbot.waitSignal(service.stopped, timeout=10_000):
        service.cancel()
    assert time.monotonic() - begin < 2


def test_a_second_reading_takes_the_place_of_the_first(service, silent, qtbot: QtBot, tmp_path: Path) -> None:
    stops: list[bool] = []
    service.stopped.connect(lambda: stops.append(True))
    service.look(silent.url, insecure=True)
    qtbot.waitUntil(silent.asked.is_set, timeout=20_000)
    with qtbot.waitSignal(service.looked, timeout=10_000) as seen:
        service.look(str(put(tmp_path / "demo")))
    assert [offer.name for offer in seen.args[0].offers] == ["demo"]
    assert stops == []


def test_what_was_looked_at_is_imported_though_the_source_changed_since(service, qtbot: QtBot, tmp_path: Path) -> None:
    source = put(tmp_path / "demo")
    with qtbot.waitSignal(service.looked, timeout=10_000) as seen:
        service.look(str(source))
    (source / "SKILL.md").write_text("something else")
    with qtbot.waitSignals([service.imported, service.changed], timeout=10_000):
        service.take(seen.args[0], (Pick("", Choice.IMPORT),))
    assert (tmp_path / "home" / "skills" / "demo" / "SKILL.md").read_text() == TEXT.format("demo")


def test_only_the_chosen_skills_are_updated(service, qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("one", "two"):
        put(tmp_path / "src" / name)
    with qtbot.waitSignal(service.looked, timeout=10_000) as seen:
        service.look(str(tmp_path / "src"))
    with qtbot.waitSignal(service.imported, timeout=10_000):
        service.take(seen.args[0], tuple(Pick(name, Choice.IMPORT) for name in ("one", "two")))
    for name in ("one", "two"):
        (tmp_path / "src" / name / "SKILL.md").write_text(TEXT.format(name) + "New.\n")
    with qtbot.waitSignal(service.surveyed, timeout=10_000) as found:
        service.survey()
    assert [one.path for one in found.args[0]] == ["one", "two"]
    with qtbot.waitSignal(service.updated, timeout=10_000) as report:
        service.update(("two",), Keep.NONE, accept=False)
    assert report.args[0].done == (("two", "two"),)
    assert "New." not in (tmp_path / "home" / "skills" / "one" / "SKILL.md").read_text()


def test_what_cannot_be_read_or_written_is_told(service, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(service.look_failed, timeout=10_000) as told:
        service.look(str(tmp_path / "nowhere"))
    assert "does not exist" in told.args[0].text
    with qtbot.waitSignal(service.failed, timeout=10_000) as told:
        service.export(("nothing",), str(tmp_path / "out.zip"), replace=False)
    assert not told.args[0].is_bug
