"""A review that was due and cut off is taken up again, and any stored conversation can be reviewed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cancel import CancelToken
from app.clock import Clock
from app.cycles.home import OpenHome, home_key
from app.cycles.review import due, owe, owed, run_review, snapshot_of
from app.cycles.turn import run_turn
from app.cycles.values import ReviewSnapshot, TurnResult
from app.errors import AppError
from app.providers.scripted import ScriptedProvider, says


@pytest.fixture
def home(tmp_path: Path, clock: Clock) -> Iterator[OpenHome]:
    opened = OpenHome(home_key(tmp_path / "home", clock))
    yield opened
    opened.close()


def played(work: Any) -> Any:
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return stop.value


def turn(home: OpenHome, text: str, session: str | None = None) -> TurnResult:
    return played(run_turn(home, ScriptedProvider([says("Fine.")]), session, text, CancelToken()))


def review(home: OpenHome, snapshot: ReviewSnapshot, token: CancelToken | None = None) -> None:
    played(run_review(home, ScriptedProvider([says("Nothing.")]), snapshot, token or CancelToken()))


def test_a_stored_conversation_gives_the_snapshot_its_last_turn_gave(home: OpenHome) -> None:
    turn_one = turn(home, "First.")
    last = turn(home, "Second.", turn_one.session.id)
    assert snapshot_of(home, last.session.id) == last.snapshot


def test_an_empty_conversation_has_nothing_to_review(home: OpenHome) -> None:
    session = home.sessions.create("Empty", "scripted")
    with pytest.raises(AppError, match="empty"):
        snapshot_of(home, session.id)


def test_a_due_review_is_owed_until_it_ended(home: OpenHome) -> None:
    result = turn(home, "Hello.")
    assert owed(home) == ()
    assert due(home, result.session.id)
    assert owed(home) == (result.snapshot,)
    review(home, owed(home)[0])
    assert owed(home) == ()


def test_a_review_that_was_stopped_stays_owed(home: OpenHome) -> None:
    result = turn(home, "Hello.")
    assert due(home, result.session.id)
    token = CancelToken()
    token.cancel()
    review(home, owed(home)[0], token)
    assert [item.session for item in owed(home)] == [result.session.id]


def test_what_is_owed_of_an_empty_conversation_is_forgotten(home: OpenHome) -> None:
    owe(home, home.sessions.create("Empty", "scripted").id)
    assert owed(home) == ()
    assert home.counters.sessions("review owed") == ()


def test_nothing_is_taken_up_while_reviews_are_off(home: OpenHome) -> None:
    owe(home, turn(home, "Hello.").session.id)
    home.home.settings.write_text('[review]\nmode = "off"\n', encoding="utf-8")
    home.reload_settings()
    assert owed(home) == ()
