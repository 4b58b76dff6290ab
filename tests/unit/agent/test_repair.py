from hypothesis import given
from hypothesis import strategies as st

from app.agent.repair import INTERRUPTED, repair, without_thinking
from app.providers.encode import request_body
from app.providers.values import Message, ModelRequest, Redacted, Role, Text, Thinking, ToolResult, ToolUse
from tests.fakes.messages_rules import violations
from tests.fakes.messages_wire import Signed

IDS = st.sampled_from(["a", "b", "c:1", "c_1", ""])
TEXT = st.sampled_from(["", "  ", "hello", "more"])
BLOCK = st.one_of(
    st.builds(Text, TEXT),
    st.builds(Thinking, TEXT, st.sampled_from(["", "sig"]), st.sampled_from(["", "m", "other"])),
    st.builds(Redacted, st.just("enc"), st.sampled_from(["", "m", "other"])),
    st.builds(ToolUse, IDS, st.sampled_from(["t", "", "two words"]), st.sampled_from([None, {}, {"x": 1}])),
    st.builds(ToolResult, IDS, st.just("t"), TEXT),
)
MESSAGE = st.builds(Message, st.sampled_from(Role), st.lists(BLOCK, max_size=4).map(tuple))


def user(*blocks):
    return Message(Role.USER, tuple(Text(block) if isinstance(block, str) else block for block in blocks))


def answer(*blocks):
    return Message(Role.ASSISTANT, tuple(Text(block) if isinstance(block, str) else block for block in blocks))


def use(identity):
    return ToolUse(identity, "t", {})


def result(identity, text="r"):
    return ToolResult(identity, "t", text)


def interrupted(identity):
    return ToolResult(identity, "t", INTERRUPTED, is_error=True)


def test_an_unanswered_call_gets_a_result_before_the_users_next_words():
    talk = (user("Go."), answer("I will patch it.", use("a"), use("b")), user("Go on."))
    assert repair(talk) == (*talk[:2], user(interrupted("a"), interrupted("b"), "Go on."))


def test_a_call_at_the_very_end_gets_a_message_with_its_result():
    talk = (user("Go."), answer(use("a")))
    assert repair(talk) == (*talk, user(interrupted("a")))


def test_a_call_followed_by_another_answer_gets_its_result_in_between():
    talk = (user("Go."), answer(use("a")), user("  "), answer("Done."), user("x"))
    assert repair(talk)[1] == answer(use("a"), "Done.")
    assert repair(talk)[2] == user(interrupted("a"), "x")


def test_results_come_first_in_the_order_of_their_calls_even_from_two_messages():
    talk = (
        user("Go."),
        answer(use("a"), use("b")),
        user("hurry", result("b")),
        user(result("a"), result("b", "again")),
    )
    assert repair(talk)[2] == user(result("a"), result("b"), "hurry")


def test_a_result_without_its_call_is_left_out():
    assert repair((user("Go.", result("z")), answer("x"))) == (user("Go."), answer("x"))


def test_call_ids_that_repeat_are_renamed_with_their_results():
    talk = (user("Go."), answer(use("a")), user(result("a", "1")), answer(use("a")), user(result("a", "2")))
    fixed = repair(talk)
    assert fixed[3:] == (answer(use("a_2")), user(result("a_2", "2")))


def test_ids_of_another_server_become_valid_ones():
    talk = (user("Go."), answer(use("call:1")), user(result("call:1")))
    assert repair(talk)[1:] == (answer(use("call_1")), user(result("call_1")))


def test_reasoning_stays_for_its_model_and_goes_whole_for_another():
    talk = (user("Go."), answer(Thinking(" t ", "sig", "m"), Redacted("enc", "m"), "x"), user("y"))
    assert repair(talk, "m") == talk
    assert repair(talk, "other")[1] == answer("x")
    assert repair(talk) == talk


def test_reasoning_nobody_signed_is_left_out():
    assert repair((user("Go."), answer(Thinking("t"), "x")))[1] == answer("x")


def test_a_conversation_that_begins_with_an_answer_gets_a_first_word():
    fixed = repair((answer("x"), user("y")))
    assert [message.role for message in fixed] == [Role.USER, Role.ASSISTANT, Role.USER]


def test_a_stopped_answer_without_text_leaves_one_question():
    assert repair((user("One."), answer(Thinking("t", "sig")), user("Two."))) == (user("One.", "Two."),)


def test_without_thinking_leaves_texts_and_calls():
    talk = (answer(Thinking("t", "sig"), "x", Redacted("e"), use("a")),)
    assert without_thinking(talk) == (answer("x", use("a")),)


@given(st.lists(MESSAGE, max_size=6), st.sampled_from(["", "m"]))
def test_whatever_was_stored_the_service_accepts_it(talk, model):
    fixed = repair([*talk, user("Go on.")], model)
    signed = Signed()
    signed.thinking = {block.signature: block.text for m in fixed for block in m.blocks if isinstance(block, Thinking)}
    signed.redacted = {"enc"}
    known = [block for m in fixed for block in m.blocks if isinstance(block, Thinking)]
    body = request_body(ModelRequest("", fixed, (), 100), "m")
    complaints = violations(body, signed)
    order = "block after tool_use in a thinking turn"  # only a service's own answers have reasoning: their order stands
    assert [text for text in complaints if order not in text and "thinking text changed" not in text] == []
    assert all(block.signature for block in known)


@given(st.lists(MESSAGE, max_size=6))
def test_a_repaired_conversation_is_left_alone(talk):
    once = repair(talk, "m")
    assert repair(once, "m") == once


@given(st.lists(MESSAGE, max_size=6))
def test_no_words_of_either_side_are_lost(talk):
    said = [block.text for m in talk for block in m.blocks if isinstance(block, Text) and block.text.strip()]
    kept = [block.text for m in repair(talk) for block in m.blocks if isinstance(block, Text)]
    assert [text for text in said if text not in kept] == []
