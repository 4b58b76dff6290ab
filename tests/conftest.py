"""What every test gets: a home of its own, nothing of the user, no log warning unseen. No Qt here."""

import gc
import logging
import os
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from app.clock import Clock, fixed_clock

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)

# How long an example takes depends on the machine; how many are tried is chosen with --hypothesis-profile.
settings.register_profile("whole", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("whole"), max_examples=25)
settings.load_profile("whole")


def pytest_collection_finish() -> None:
    """What was collected stays until the end; the collector need not look at it again after every few tests."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test logged or printed travels to another process as UTF-8; half a surrogate pair would stop the run."""
    report = yield
    report.sections = [(title, text.encode("utf-8", "backslashreplace").decode()) for title, text in report.sections]
    return report


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary home for everything a program could look up; the user's own folders are out of reach."""
    home = tmp_path / "user"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("MELETE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "OPENAI_", "HERMES_", "CLAUDE_")):
            monkeypatch.delenv(name)
    return home


@pytest.fixture
def clock() -> Clock:
    """A clock that stands at noon on 1 June 2026."""
    return fixed_clock(NOW)


class _Loud(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def quiet_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """A warning or error in the log fails the test, unless it says with `caplog` that it looks at the log itself."""
    if "caplog" in request.fixturenames:
        yield
        return
    handler = _Loud()
    logging.getLogger().addHandler(handler)
    yield
    logging.getLogger().removeHandler(handler)
    assert not handler.lines, handler.lines
