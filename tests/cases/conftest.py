"""What the cases get: working copies, a plain home, and a Messages service on this machine."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.runner import Cases, Melete
from tests.fakes.messages_server import MessagesServer


@pytest.fixture
def cases(tmp_path: Path) -> Cases:
    """Working copies of cases."""
    return Cases(tmp_path / "cases")


@pytest.fixture
def melete(tmp_path: Path) -> Melete:
    """The command line on a home with no skills of its own."""
    made = Melete(tmp_path / "plain-home")
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
