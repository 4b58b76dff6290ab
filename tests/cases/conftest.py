"""What the cases get: working copies, a plain home, and a Messages service on this machine."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.runner import Cases, Melete
from tests.fakes.messages_server import MessagesServer


@pytest.fixture
def cases(tmp_path: Path) -> Iterator[Cases]:
    """Working copies of cases; processes that a case started end with it."""
    made = Cases(tmp_path / "cases")
    yield made
    for running in made.started:
        if running.poll() is None:
            running.kill()
        running.communicate()


@pytest.fixture
def melete(tmp_path: Path, cases: Cases) -> Melete:
    """The command line on a home with no skills of its own."""
    made = Melete(tmp_path / "plain-home", started=cases.started)
    made.skills.mkdir(parents=True)
    (made.skills / ".usage.json").write_text("{}")
    return made


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], MessagesServer]]:
    """Start a Messages service that plays a scenario; the environment then points to it, with a key."""
    with contextlib.ExitStack() as stack:

        def start(scenario: Any) -> MessagesServer:
            server = stack.enter_context(MessagesServer(scenario))
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
            return server

        yield start
