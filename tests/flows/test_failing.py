"""A service that refuses, breaks off or cannot be reached: a card in words with a next step, and the way on from it."""

import socket

import pytest
from PySide6.QtWidgets import QPushButton

from app.agent.values import Ending
from app.sessions.values import MessageState
from widgets.chat.card import AnswerCard, YouCard
from widgets.chat.error_card import ErrorCard

STOP = {"stop": "end_turn"}
QUIET = '[review]\nmode = "off"\n'
DENIED = {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}
LIMITED = {"type": "error", "error": {"type": "rate_limit_error", "message": "Too many tokens a minute."}}
FAILURES = {
    "wrong key": ({"times": 0, "status": 401, "json": DENIED}, "The key was refused", {"Try again", "Open settings"}),
    "asks for ten minutes": (
        {"times": 0, "status": 429, "headers": {"retry-after": "600"}, "json": LIMITED},
        "Too many requests",
        {"Try again"},
    ),
    "no such model": (
        {
            "times": 0,
            "status": 404,
            "json": {"type": "error", "error": {"type": "not_found_error", "message": "model: x"}},
        },
        "The model is unknown",
        {"Try again", "Open settings"},
    ),
    "not a Messages service": (
        {"times": 0, "status": 200, "body": "<html>hello</html>", "content_type": "text/html"},
        None,
        {"Try again"},
    ),
}


def cards(window, kind) -> list:
    return [card for card in window.panes.chat._transcript.cards if isinstance(card, kind)]


def words(card) -> set[str]:
    """The buttons that lead on."""
    return {made.text() for made in card.findChildren(QPushButton)} - {"Details", "Copy"}


def press(card, word: str) -> None:
    next(made for made in card.findChildren(QPushButton) if made.text() == word).click()


@pytest.mark.parametrize(
    "case", [name if name == "wrong key" else pytest.param(name, marks=pytest.mark.slow) for name in FAILURES]
)
def test_a_refusal_is_a_card_with_a_sentence_and_a_next_step(shop, service, case):
    response, title, steps = FAILURES[case]
    service({"responses": [response]})
    shop.settings(QUIET)
    window = shop.open()
    result = shop.say(window, "Hello?")
    assert result.ended.ending is Ending.FAILED
    (card,) = cards(window, ErrorCard)
    assert card._item.title == (title or card._item.title)
    assert card._item.text.endswith((".", "”"))
    assert "Error" not in card._item.title + card._item.text
    assert steps <= words(card)


@pytest.mark.slow
def test_ten_minutes_are_told_and_not_waited_for(shop, service):
    service({"responses": [FAILURES["asks for ten minutes"][0]]})
    shop.settings(QUIET)
    window = shop.open()
    shop.say(window, "Hello?")
    assert "10 minutes" in cards(window, ErrorCard)[0]._item.text


@pytest.mark.slow
def test_a_short_wish_to_wait_is_waited_for_in_sight(shop, service):
    limited = {"status": 429, "headers": {"retry-after": "1"}, "json": LIMITED}
    server = service({"responses": [limited, {"events": [{"text": "Now."}, STOP]}]})
    shop.settings(QUIET)
    window = shop.open()
    told = []
    window.panes.chat._live.status_changed.connect(told.append)
    assert shop.say(window, "Hello?").reply == "Now."
    assert any("Next try in 1 s" in text for text in told)
    assert server.records[1]["at"] - server.records[0]["at"] >= 1


@pytest.mark.slow
def test_without_a_network_the_words_stay_and_go_out_once_it_is_back(shop, service, monkeypatch):
    server = service({"responses": [{"times": 0, "events": [{"text": "Back."}, STOP]}]})
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{free.getsockname()[1]}")
    monkeypatch.setattr("app.agent.recovery._FIRST_PAUSE", 0.01)
    shop.settings(QUIET)
    window = shop.open()
    shop.say(window, "Hello?")
    (card,) = cards(window, ErrorCard)
    assert card._item.title == "The service cannot be reached"
    assert words(card) == {"Try again", "Open settings"}
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    with shop.qtbot.waitSignal(window.services.chat.turn_ended, timeout=20_000):
        press(card, "Try again")
    assert [made.text for made in cards(window, AnswerCard)] == ["Back."]
    assert len(cards(window, YouCard)) == 1
    stored = [item.message.text for item in shop.messages(window) if item.kind == "message"]
    assert stored == ["Hello?", "Back."]


def test_a_stream_cut_in_the_middle_keeps_its_half_and_offers_to_try_again(shop, service, monkeypatch):
    cut = {"times": 0, "events": [{"text": "First half of the answer"}], "end": "reset"}
    service({"responses": [cut]})
    monkeypatch.setattr("app.agent.recovery._FIRST_PAUSE", 0.01)
    shop.settings(QUIET)
    window = shop.open()
    assert shop.say(window, "Hello?").ended.ending is Ending.FAILED
    (card,) = cards(window, ErrorCard)
    assert card._item.title == "The answer broke off"
    assert "Try again" in words(card)
    halves = [made for made in cards(window, AnswerCard) if "First half" in made.text]
    assert [made._state.text() for made in halves] == ["The answer broke off here."]
    half = next(item for item in shop.messages(window) if "First half" in item.message.text)
    assert half.state is MessageState.FAILED


def test_a_call_cut_by_the_answers_limit_is_never_run(shop, service):
    folder = shop.put("plain-one")
    before = (folder / "SKILL.md").read_bytes()
    half = '{"action": "patch", "name": "plain-one", "old_string": "1. Read the request twice.'
    cut = {"times": 0, "events": [{"tool": "skill_manage", "id": "auto", "parts": [half]}, {"stop": "max_tokens"}]}
    server = service({"responses": [cut]})
    shop.settings(QUIET)
    window = shop.open()
    result = shop.say(window, "Change it.")
    assert result.ended.ending in {Ending.LIMIT, Ending.FAILED}
    assert (folder / "SKILL.md").read_bytes() == before
    (card,) = cards(window, ErrorCard)
    assert "Longest answer" in card._item.text
    assert words(card) == {"Open settings"}
    assert len(server.requests) < 10
    assert server.violations == []


@pytest.mark.slow
def test_a_failure_is_still_there_when_the_conversation_is_opened_again_and_can_be_tried(shop, service):
    server = service({"responses": [FAILURES["wrong key"][0]]})
    shop.settings(QUIET)
    window = shop.open()
    session = shop.say(window, "Hello?").session.id
    shop.close(window)
    server.responses = [{"times": 0, "events": [{"text": "Welcome."}, STOP]}]
    again = shop.open()
    with shop.qtbot.waitSignal(again.services.chat.session_loaded, timeout=5000):
        again.steering.go_on(session)
    (card,) = cards(again, ErrorCard)
    assert card._item.title == "The key was refused"
    with shop.qtbot.waitSignal(again.services.chat.turn_ended, timeout=20_000):
        press(card, "Try again")
    assert [made.text for made in cards(again, AnswerCard)] == ["Welcome."]
    assert len(cards(again, YouCard)) == 1


def test_what_was_typed_during_a_turn_that_fails_comes_back_into_the_composer(shop, service):
    service({"responses": [{"times": 0, "before_ms": 300, "status": 401, "json": DENIED}]})
    shop.settings(QUIET)
    window = shop.open()
    pane = window.panes.chat
    with shop.qtbot.waitSignal(window.services.chat.turn_ended, timeout=20_000):
        pane.send_requested.emit("First.")
        shop.wait(lambda: pane.running)
        pane.send_requested.emit("Second.")
    assert pane.draft == "Second."
    assert [card._item.text for card in cards(window, YouCard)] == ["First."]
    assert not window.services.chat.busy


@pytest.mark.slow
def test_words_typed_while_a_tool_runs_join_the_turn_after_its_result(shop, service):
    """CH-09, the part with words typed while a tool runs."""
    shop.put("plain-one")
    look = {"events": [{"text": "Looking."}, {"tool": "skill_view", "id": "tu_1", "input": {"name": "plain-one"}}]}
    look["events"].append({"stop": "tool_use"})
    look["before_ms"] = 300
    done = {"when": {"tool_result_for": "tu_1"}, "events": [{"text": "Hurrying."}, STOP]}
    later = {"times": 0, "events": [{"text": "Still fine."}, STOP]}
    server = service({"responses": [look, done, later]})
    shop.settings(QUIET)
    window = shop.open()
    pane = window.panes.chat
    with shop.qtbot.waitSignal(window.services.chat.turn_ended, timeout=20_000) as ended:
        pane.send_requested.emit("Look.")
        shop.wait(lambda: pane.running)
        pane.send_requested.emit("By the way, hurry.")
    assert ended.args[0].reply == "Hurrying."
    kinds = [block["type"] for block in server.requests[1]["messages"][-1]["content"]]
    assert kinds == ["tool_result", "text"]
    assert [card._item.text for card in cards(window, YouCard)] == ["Look.", "By the way, hurry."]
    session = ended.args[0].session.id
    shop.close(window)
    again = shop.open()
    with shop.qtbot.waitSignal(again.services.chat.session_loaded, timeout=5000):
        again.steering.go_on(session)
    assert [card._item.text for card in cards(again, YouCard)] == ["Look.", "By the way, hurry."]
    assert shop.say(again, "And?").reply == "Still fine."
    assert server.violations == []
