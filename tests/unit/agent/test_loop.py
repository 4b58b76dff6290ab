import json
import threading

import pytest

from app.agent import attempt, recovery
from app.agent.loop import run_loop
from app.agent.values import (
    Ending,
    LoopLimits,
    MessageAdded,
    Stalled,
    TextArrived,
    ThinkingArrived,
    ToolEnded,
    ToolOutcome,
    ToolStarted,
    TurnEnded,
    Waiting,
    Withdrawn,
)
from app.cancel import Cancelled, CancelToken
from app.errors import AppError, Kind
from app.providers.failures import ProviderError, Reason, failure
from app.providers.scripted import ScriptedProvider, calls, says
from app.providers.values import (
    Alive,
    Completed,
    Message,
    Role,
    Started,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolResult,
    ToolUse,
    Usage,
)

HELLO = Message(Role.USER, (Text("Hello"),))


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    """Pauses between attempts keep their shape but take no time."""
    monkeypatch.setattr(recovery, "_FIRST_PAUSE", 0.001)


class Play:
    """One turn played to its end."""

    def __init__(self, turns, *, tool=None, token=None, on=None, messages=(HELLO,), **more):
        self.model = ScriptedProvider(turns)
        self.asked = []
        token = token or CancelToken()
        limits = LoopLimits(**{key: more.pop(key) for key in ("max_iterations", "repeats") if key in more})
        self.events = []
        loop = run_loop(self.model, "system", messages, (), self._tool(tool), token, limits, **more)
        for event in loop:
            self.events.append(event)
            if on is not None:
                on(event, token)
        assert [type(event) for event in self.events].count(TurnEnded) == 1
        assert isinstance(self.events[-1], TurnEnded)

    def _tool(self, tool):
        def call(use, token):
            self.asked.append(use.name)
            return tool(use, token) if tool else ToolOutcome(ToolResult(use.id, use.name, "fine"))

        return call

    @property
    def ended(self):
        return self.events[-1]

    def all(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def added(self):
        return [event.message for event in self.all(MessageAdded)]


def fails(reason, **more):
    return [ProviderError(failure(reason), **more)]


def test_an_answer_arrives_in_pieces_and_then_whole():
    play = Play([says("Good day.", Usage(10, 2))])
    assert [event.text for event in play.all(TextArrived)] == ["Good ", "day."]
    assert play.added == [Message(Role.ASSISTANT, (Text("Good day."),))]
    assert (play.ended.ending, play.ended.iterations, play.ended.usage) == (Ending.DONE, 1, Usage(10, 2))


def test_the_results_of_parallel_calls_travel_in_one_message_in_order_before_queued_text():
    def tool(use, token):
        if use.name == "bad":
            raise AppError(Kind.NOT_FOUND, "No such skill", "Look again.")
        return ToolOutcome(ToolResult(use.id, use.name, f"result of {use.id}"))

    play = Play(
        [calls(("a", "good", {}), ("b", "bad", {}), ("c", "good", {}), text="Looking."), says("Done.")],
        tool=tool,
        queued=lambda: ("hurry", "  "),
    )
    results = play.added[1]
    assert results.role is Role.USER
    assert [block.id for block in results.blocks[:3]] == ["a", "b", "c"]
    assert [block.is_error for block in results.blocks[:3]] == [False, True, False]
    assert json.loads(results.blocks[1].content) == {"success": False, "error": "No such skill: Look again."}
    assert results.blocks[3:] == (Text("hurry"),)
    assert play.model.requests[1].messages == (HELLO, *play.added[:2])
    assert [type(event) for event in play.events if isinstance(event, ToolStarted | ToolEnded)] == [
        ToolStarted,
        ToolEnded,
    ] * 3


def test_usage_adds_up_over_all_requests():
    play = Play([calls(("a", "t", {}), usage=Usage(1, 2, 3, 4)), says("x", Usage(10, 20, 30, 40))])
    assert play.ended.usage == Usage(11, 22, 33, 44)
    assert play.ended.iterations == 2


def test_a_bug_in_one_tool_is_its_result_and_the_turn_goes_on(caplog):
    def tool(use, token):
        raise KeyError("name")

    play = Play([calls(("a", "t", {})), says("Sorry.")], tool=tool)
    result = play.added[1].blocks[0]
    assert result.is_error
    assert "KeyError" not in result.content
    assert play.ended.ending is Ending.DONE
    assert "KeyError" in caplog.text


def test_arguments_that_are_no_object_never_reach_the_tool():
    call = ToolUse("a", "t", None, "[1]")
    done = Completed(Message(Role.ASSISTANT, (call,)), StopReason.TOOL_USE)
    play = Play([[done], says("x")])
    assert play.asked == []
    assert play.added[1].blocks[0].is_error


def test_a_call_that_the_token_limit_cut_is_never_run_and_three_such_answers_end_the_turn():
    def cut(n):
        message = Message(Role.ASSISTANT, (Text("x"), ToolUse(f"a{n}", "write", {"text": "half" * n}, "")))
        return [Completed(message, StopReason.MAX_TOKENS)]

    play = Play([cut(1), cut(2), cut(3), says("never")])
    assert play.asked == []
    assert [event.complete for event in play.all(MessageAdded)] == [False, True] * 3
    assert (play.ended.ending, play.ended.iterations) == (Ending.LIMIT, 3)


def test_a_text_that_the_token_limit_cut_ends_the_turn_with_the_reason():
    done = Completed(Message(Role.ASSISTANT, (Text("long"),)), StopReason.MAX_TOKENS)
    play = Play([[TextDelta("long"), done]])
    assert play.ended.ending is Ending.LIMIT
    assert "8192 tokens" in play.ended.reason


def test_the_same_failing_call_ends_the_turn_at_its_third_failure():
    def tool(use, token):
        return ToolOutcome(ToolResult(use.id, use.name, "no", is_error=True))

    play = Play([calls((str(n), "patch", {"name": "x", "n": 1})) for n in range(9)], tool=tool)
    assert play.ended.ending is Ending.LIMIT
    assert play.ended.iterations == 3
    assert play.ended.reason == "Ended because the same call of patch (x) failed 3 times."


def test_a_call_that_succeeds_in_between_starts_its_count_anew():
    answers = iter([True, True, False, True, True, False])

    def tool(use, token):
        return ToolOutcome(ToolResult(use.id, use.name, "r", is_error=next(answers)))

    play = Play([calls((str(n), "patch", {})) for n in range(6)] + [says("x")], tool=tool)
    assert play.ended.ending is Ending.DONE


def test_the_turn_ends_at_its_limit_of_steps_with_a_conversation_that_can_go_on():
    play = Play([calls((str(n), "t", {"n": n})) for n in range(9)], max_iterations=4)
    assert (play.ended.ending, play.ended.iterations) == (Ending.LIMIT, 4)
    assert "4 steps" in play.ended.reason
    assert isinstance(play.added[-1].blocks[0], ToolResult)


def test_call_ids_used_twice_are_told_apart():
    play = Play([calls(("call", "t", {})), calls(("call", "t", {"n": 2})), says("x")])
    ids = [block.id for message in play.added for block in message.blocks if isinstance(block, ToolUse | ToolResult)]
    assert ids == ["call", "call", "call_2", "call_2"]


def test_a_failed_request_is_tried_again_after_growing_pauses():
    play = Play([fails(Reason.OVERLOADED), fails(Reason.OVERLOADED), says("Seven.")])
    waits = play.all(Waiting)
    assert [wait.attempt for wait in waits] == [1, 2]
    assert waits[1].seconds == 2 * waits[0].seconds
    assert play.ended.ending is Ending.DONE
    assert play.all(Withdrawn) == []


def test_text_of_an_attempt_that_failed_is_taken_back_and_shown_once():
    half = [TextDelta("First half, "), *fails(Reason.OVERLOADED)]
    play = Play([half, says("First half, second half.")])
    shown = ""
    for event in play.events:
        if isinstance(event, Withdrawn):
            shown = ""
        elif isinstance(event, TextArrived):
            shown += event.text
    assert shown == "First half, second half."
    assert len(play.added) == 1


def test_reasoning_of_an_attempt_that_failed_is_taken_back():
    play = Play([[ThinkingDelta("hm"), *fails(Reason.OVERLOADED)], says("x")])
    assert [type(event) for event in play.events[:3]] == [ThinkingArrived, Withdrawn, Waiting]


def test_the_attempts_are_bounded_and_the_last_words_stay_as_incomplete():
    half = [TextDelta("Half"), *fails(Reason.OVERLOADED, usage=Usage(5, 1))]
    play = Play([half, *[fails(Reason.OVERLOADED)] * 20])
    assert len(play.model.requests) == 6
    assert play.all(MessageAdded) == [MessageAdded(Message(Role.ASSISTANT, (Text("Half"),)), complete=False)]
    assert play.ended.ending is Ending.FAILED
    assert play.ended.failure.retry
    assert play.ended.failure.reason == Reason.OVERLOADED
    assert play.ended.usage == Usage(5, 1)


def test_an_answer_that_broke_off_is_never_run_nor_kept_as_complete():
    broken = [
        TextDelta("I will"),
        Completed(Message(Role.ASSISTANT, (Text("I will"), ToolUse("a", "write", {}))), StopReason.INCOMPLETE),
    ]
    play = Play([broken] * 6)
    assert play.asked == []
    assert play.all(MessageAdded) == [MessageAdded(Message(Role.ASSISTANT, (Text("I will"),)), complete=False)]
    assert play.ended.failure.reason == Reason.INCOMPLETE


def test_a_stream_without_an_end_is_an_answer_that_broke_off():
    play = Play([[TextDelta("x")], says("Whole.")])
    assert play.added == [Message(Role.ASSISTANT, (Text("Whole."),))]


@pytest.mark.parametrize("reason", [Reason.AUTH, Reason.BILLING, Reason.CONTEXT_OVERFLOW, Reason.MODEL_NOT_FOUND])
def test_what_waiting_cannot_mend_is_said_at_once(reason):
    play = Play([fails(reason), says("never")])
    assert len(play.model.requests) == 1
    assert play.all(Waiting) == []
    assert play.ended.failure.action == "settings.model"


def test_a_missing_key_is_a_failure_that_says_where_to_set_it():
    error = AppError(Kind.PROVIDER, "No key", "Set it in Settings.", action="settings.model")
    play = Play([[error]])
    assert play.ended.ending is Ending.FAILED
    assert (play.ended.failure.action, play.ended.failure.is_bug) == ("settings.model", False)


def test_reasoning_the_service_refuses_is_left_out_of_the_next_attempt():
    earlier = Message(Role.ASSISTANT, (Thinking("t", "sig", "scripted"), Text("a")))
    play = Play([fails(Reason.THINKING_SIGNATURE), says("x")], messages=(HELLO, earlier, HELLO))
    first, second = play.model.requests
    assert first.messages[1] == earlier
    assert second.messages[1] == Message(Role.ASSISTANT, (Text("a"),))
    assert play.ended.ending is Ending.DONE


def test_an_empty_answer_is_asked_for_once_more_and_then_failed():
    empty = [Completed(Message(Role.ASSISTANT, ()), StopReason.END_TURN)]
    play = Play([empty, empty, says("never")])
    assert play.ended.failure.reason == Reason.EMPTY
    assert play.added == []


def test_nothing_to_add_after_tools_is_a_good_end():
    play = Play([calls(("a", "t", {})), [Completed(Message(Role.ASSISTANT, ()), StopReason.END_TURN)]])
    assert play.ended.ending is Ending.DONE


def test_a_refusal_of_the_service_is_a_failure_and_its_calls_are_not_run():
    refusal = Completed(Message(Role.ASSISTANT, (Text("No."), ToolUse("a", "t", {}))), StopReason.REFUSAL)
    play = Play([[TextDelta("No."), refusal]])
    assert play.asked == []
    assert play.ended.failure.reason == Reason.CONTENT_POLICY


def test_a_bug_in_the_provider_still_ends_the_turn_once(caplog):
    class Broken(ScriptedProvider):
        def stream(self, request, token):
            yield TextDelta("half")
            raise ZeroDivisionError

    loop = run_loop(Broken([]), "", (HELLO,), (), lambda use, token: None, CancelToken(), LoopLimits())
    *_, partial, ended = loop
    assert partial == MessageAdded(Message(Role.ASSISTANT, (Text("half"),)), complete=False)
    assert ended.failure.is_bug
    assert "ZeroDivisionError" in caplog.text


def test_a_stop_while_the_answer_streams_keeps_what_was_shown():
    def stop(event, token):
        if event == TextArrived("two "):
            token.cancel()

    play = Play([[Started(Usage(9)), *says("one two three four")]], on=stop)
    assert play.all(MessageAdded) == [MessageAdded(Message(Role.ASSISTANT, (Text("one two "),)), complete=False)]
    assert play.ended.ending is Ending.STOPPED
    assert play.ended.usage == Usage(9)


def test_a_stop_between_calls_leaves_a_result_for_every_call():
    def stop(event, token):
        if isinstance(event, ToolEnded):
            token.cancel()

    play = Play([calls(("a", "t", {}), ("b", "t", {})), says("never")], on=stop)
    results = play.added[-1].blocks
    assert [(block.id, block.is_error) for block in results] == [("a", False), ("b", True)]
    assert play.asked == ["t"]
    assert play.ended.ending is Ending.STOPPED


def test_a_stop_inside_a_call_is_its_result():
    def tool(use, token):
        token.cancel()
        raise Cancelled

    play = Play([calls(("a", "t", {})), says("never")], tool=tool)
    assert play.added[-1].blocks[0].is_error
    assert play.ended.ending is Ending.STOPPED


def test_a_stop_ends_the_pause_before_the_next_attempt(monkeypatch):
    monkeypatch.setattr(recovery, "_FIRST_PAUSE", 60.0)
    token = CancelToken()
    timers = []

    def stop(event, token):
        if isinstance(event, Waiting):
            timers.append(threading.Timer(0.01, token.cancel))
            timers[0].start()

    play = Play([fails(Reason.OVERLOADED), says("never")], token=token, on=stop)
    timers[0].join()
    assert play.ended.ending is Ending.STOPPED


def test_a_loop_that_is_closed_closes_the_providers_stream():
    closed = []

    class Open(ScriptedProvider):
        def stream(self, request, token):
            try:
                yield TextDelta("x")
                yield TextDelta("y")
            finally:
                closed.append(True)

    loop = run_loop(Open([]), "", (HELLO,), (), lambda use, token: None, CancelToken(), LoopLimits())
    next(loop)
    loop.close()
    assert closed == [True]


class Clockwork:
    """A clock that goes on by one second whenever it is asked."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        self.now += 1.0
        return self.now


def test_signs_of_life_without_progress_are_told_and_then_given_up(monkeypatch):
    monkeypatch.setattr(attempt, "time", Clockwork())
    alive = [Alive()] * 500
    play = Play([[TextDelta("Half"), *alive]] * 3)
    assert [event.seconds for event in play.all(Stalled)][:3] == [30.0, 60.0, 90.0]
    assert play.ended.failure.reason == Reason.TIMEOUT
    assert len(play.model.requests) == 3
    assert play.added == [Message(Role.ASSISTANT, (Text("Half"),))]


def test_progress_starts_the_wait_anew(monkeypatch):
    monkeypatch.setattr(attempt, "time", Clockwork())
    slow = [event for word in "abcd" for event in (TextDelta(word), *[Alive()] * 25)]
    play = Play([[*slow, *says("e")]])
    assert play.all(Stalled) == []
    assert play.ended.ending is Ending.DONE
