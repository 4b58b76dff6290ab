"""A turn and its review over a real home, the model played from a script."""

import json
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.agent.values import Ending
from app.cancel import CancelToken
from app.clock import Clock
from app.cycles.home import OpenHome, home_key
from app.cycles.review import due, run_review
from app.cycles.turn import PASTED_CHARS, conversation, run_turn
from app.cycles.values import ReviewOutcome, TurnResult
from app.history.values import Origin
from app.providers.failures import ProviderError, Reason, failure
from app.providers.scripted import ScriptedProvider, calls, says
from app.providers.values import TextDelta
from app.sessions.values import MessageState
from app.settings import save_settings, with_value

SKILL = "---\nname: {name}\ndescription: About {name}. Use in tests.\n---\n\n# {name}\n\nStep one: read.\n"


@pytest.fixture
def home(tmp_path: Path, clock: Clock) -> Iterator[OpenHome]:
    root = tmp_path / "home"
    for name in ("plain-one", "hub-one"):
        (root / "skills" / name).mkdir(parents=True)
        (root / "skills" / name / "SKILL.md").write_text(SKILL.format(name=name), encoding="utf-8")
    (root / "skills" / ".hub").mkdir()
    (root / "skills" / ".hub" / "lock.json").write_text(
        '{"version": 1, "installed": {"hub-one": {"install_path": "hub-one"}}}', encoding="utf-8"
    )
    opened = OpenHome(home_key(root, clock))
    yield opened
    opened.close()


def drained(work: Generator[Any, None, Any]) -> Any:
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return stop.value


def turn(home: OpenHome, *script: Any, text: str = "Please.", session: str | None = None) -> TurnResult:
    return drained(run_turn(home, ScriptedProvider(script), session, text, CancelToken()))


def review(home: OpenHome, result: TurnResult, *script: Any) -> ReviewOutcome:
    assert result.snapshot is not None
    return drained(run_review(home, ScriptedProvider(script), result.snapshot, CancelToken()))


CREATE = ("c1", "skill_manage", {"action": "create", "name": "new-one", "content": SKILL.format(name="new-one")})


def test_a_turn_is_stored_word_for_word_with_its_title_and_line(home: OpenHome) -> None:
    result = turn(home, says("Here you are."), text="How do I read?")
    messages = home.sessions.messages(result.session.id)
    assert [item.message.text for item in messages] == ["How do I read?", "Here you are."]
    assert all(item.state is MessageState.COMPLETE for item in messages)
    assert result.session.title == "How do I read?"
    assert len((home.home.trajectories / "trajectory_samples.jsonl").read_text("utf-8").splitlines()) == 1


def test_a_failed_turn_keeps_the_prompt_and_goes_to_the_failure_stream(home: OpenHome) -> None:
    result = turn(home, [ProviderError(failure(Reason.AUTH, "no"))], text="Hello?")
    assert result.ended.ending is Ending.FAILED
    assert result.snapshot is None
    assert said(home, result) == ["Hello?"]
    assert (home.home.trajectories / "failed_trajectories.jsonl").is_file()


def said(home: OpenHome, result: TurnResult) -> list[str]:
    """What a model gets to see again."""
    return [message.text for message in conversation(home, result.session.id)]


def test_why_a_turn_failed_is_kept_in_the_session_and_no_model_sees_it(home: OpenHome) -> None:
    result = turn(home, [ProviderError(failure(Reason.AUTH, "no"))], text="Hello?")
    assert result.told is not None
    kept = home.sessions.messages(result.session.id)[-1]
    assert (kept.id, kept.kind) == (result.told.id, "error")
    told = json.loads(kept.data)
    assert (told["title"], told["action"], told["retry"]) == ("The key was refused", "settings.model", True)


def test_an_unanswered_message_that_is_tried_again_stands_there_once(home: OpenHome) -> None:
    failed = turn(home, [ProviderError(failure(Reason.AUTH, "no"))], text="Hello?")
    model, session = ScriptedProvider([says("Hi.")]), failed.session.id
    result = drained(run_turn(home, model, session, "Hello?", CancelToken(), again=True))
    assert result.turn == failed.turn
    assert said(home, result) == ["Hello?", "Hi."]
    assert len(model.requests[0].messages) == 1
    assert home.sessions.get(session).outcome == "done"
    assert home.sessions.get(session).turns == 1


def test_a_message_with_half_an_answer_is_said_once_more_when_it_is_tried_again(home: OpenHome) -> None:
    half = [TextDelta("Half"), ProviderError(failure(Reason.AUTH, "no"))]
    failed = turn(home, half, text="Hello?")
    again = ScriptedProvider([says("Whole.")])
    result = drained(run_turn(home, again, failed.session.id, "Hello?", CancelToken(), again=True))
    assert said(home, result) == ["Hello?", "Half", "Hello?", "Whole."]


def test_a_turn_that_reached_its_limit_says_so(home: OpenHome) -> None:
    save_settings(home.home.settings, with_value(home.settings, "model", "max_iterations", 1))
    home.reload_settings()
    result = turn(home, calls(("c1", "skills_list", {})))
    assert result.ended.ending is Ending.LIMIT
    assert result.told is not None
    assert json.loads(result.told.data)["retry"] is False


def test_a_review_creates_a_managed_skill_under_its_own_origin(home: OpenHome) -> None:
    outcome = review(home, turn(home, says("ok")), calls(CREATE), says("Created."))
    assert outcome.line == "Self-improvement review: created new-one"
    entry = home.history.entries()[0]
    assert (entry.record.origin, entry.record.action) == (Origin.REVIEW, "create")
    assert home.library().get("new-one").managed


def test_the_request_of_a_review_begins_with_the_bytes_of_the_turns_last_request(home: OpenHome) -> None:
    chat = ScriptedProvider([says("ok")])
    result = drained(run_turn(home, chat, None, "Please.", CancelToken()))
    fork = ScriptedProvider([says("Nothing to save.")])
    drained(run_review(home, fork, result.snapshot, CancelToken()))
    asked, replayed = chat.requests[-1], fork.requests[0]
    assert replayed.system == asked.system
    assert replayed.tools == asked.tools
    assert replayed.messages[: len(asked.messages)] == asked.messages


def test_in_mode_hold_what_a_review_writes_waits_as_one_proposal(home: OpenHome) -> None:
    save_settings(home.home.settings, with_value(home.settings, "review", "mode", "hold"))
    home.reload_settings()
    home.live.observe_outside(None)
    before = home.history.tree_hash()
    wish = {"action": "add", "target": "memory", "content": "The build needs make."}
    outcome = review(home, turn(home, says("ok")), calls(CREATE, ("c2", "memory", wish)), says("Done."))
    assert home.history.tree_hash() == before
    assert home.library().get("new-one") is None
    assert len(outcome.proposals) == 1
    proposal = home.proposals.get(outcome.proposals[0])
    assert {skill for group in proposal.groups for skill in group.skills} == {"new-one", "memories/MEMORY.md"}


def test_after_a_hub_skill_was_read_a_reviews_writes_become_a_proposal(home: OpenHome) -> None:
    result = turn(home, calls(("v1", "skill_view", {"name": "hub-one"})), says("It says: read."))
    assert result.snapshot is not None
    assert result.snapshot.untrusted
    outcome = review(home, result, calls(CREATE), says("Done."))
    assert home.library().get("new-one") is None
    assert home.proposals.get(outcome.proposals[0]).untrusted


def test_a_long_pasted_text_makes_the_turn_untrusted(home: OpenHome) -> None:
    result = turn(home, says("ok"), text="x " * PASTED_CHARS)
    assert result.snapshot is not None
    assert result.snapshot.untrusted


def test_a_review_may_not_run_commands_and_is_told_what_it_may_do(home: OpenHome) -> None:
    provider = ScriptedProvider([calls(("t1", "terminal", {"command": "rm -rf /"})), says("Nothing to save.")])
    result = turn(home, says("ok"))
    before = home.history.tree_hash()
    drained(run_review(home, provider, result.snapshot, CancelToken()))
    refusal = provider.requests[1].messages[-1].blocks[0]
    assert "There is no tool 'terminal'" in refusal.content
    assert "skill_manage" in refusal.content
    assert home.history.tree_hash() == before


def test_a_cadence_of_three_turns_survives_a_restart(home: OpenHome, clock: Clock) -> None:
    save_settings(home.home.settings, with_value(home.settings, "review", "every_turns", 3))
    home.reload_settings()
    session = turn(home, says("ok")).session.id
    assert [due(home, session), due(home, session)] == [False, False]
    again = OpenHome(home_key(home.home.root, clock))
    assert [due(again, session), due(again, session)] == [True, False]
    again.close()
