"""What is said is stored first, exactly, and is there after a crash."""

import subprocess
import sys
import textwrap
import threading
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.database import Database
from app.errors import AppError, Kind
from app.providers.values import Message, Redacted, Role, Text, Thinking, ToolResult, ToolUse, Usage
from app.sessions.blocks import dump_blocks, load_message
from app.sessions.schema import MIGRATIONS
from app.sessions.search import search_sessions
from app.sessions.store import SessionStore
from app.sessions.values import MessageState, SkillUse


def user(text: str) -> Message:
    return Message(Role.USER, (Text(text),))


def agent(text: str) -> Message:
    return Message(Role.ASSISTANT, (Text(text),))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
)
BLOCKS = st.one_of(
    st.builds(Text, st.text()),
    st.builds(Thinking, st.text(), st.text(), st.text()),
    st.builds(Redacted, st.text()),
    st.builds(ToolUse, st.text(), st.text(), st.none() | st.dictionaries(st.text(), JSON), st.text()),
    st.builds(ToolResult, st.text(), st.text(), st.text(), st.booleans(), st.booleans()),
)


@given(role=st.sampled_from(Role), blocks=st.lists(BLOCKS, max_size=5).map(tuple))
def test_every_message_comes_back_as_it_was(role, blocks):
    assert load_message(role, dump_blocks(blocks)) == Message(role, blocks)


def test_half_a_surrogate_pair_survives_the_database(store):
    session = store.create().id
    store.add_message(session, "t", user("cut \ud83d off"))
    assert store.messages(session)[0].message.text == "cut \ud83d off"


def test_a_block_of_an_unknown_kind_is_shown_not_dropped():
    message = load_message("assistant", '[{"type": "video", "url": "x"}]')
    assert message.text == '{"type": "video", "url": "x"}'


def test_messages_come_in_the_order_they_were_said(store):
    session, other = store.create().id, store.create().id
    for number in range(5):
        store.add_message(session, "t", user(str(number)))
        store.add_message(other, "t", user("else"))
    assert [stored.message.text for stored in store.messages(session)] == ["0", "1", "2", "3", "4"]


def test_the_list_says_what_a_session_is_made_of(store):
    first = store.create(model="m1").id
    store.add_message(first, "t1", user("Please   tidy\nmy notes"))
    store.add_message(first, "t1", agent("Done."))
    store.add_message(first, "t1", agent("💾 learned"), kind="review")
    store.end_turn(first, "t1", "done", Usage(10, 5, 3, 2, 0.5), ["notes/tidy"], "m2")
    store.book(first, "t1", "review", Usage(1, 1, 0, 0, 0.25), "m2")
    second = store.create("named").id
    info = store.get(first)
    assert (info.title, info.model, info.turns, info.messages) == ("Please tidy my notes", "m2", 1, 2)
    assert (info.outcome, info.skills, info.usage) == ("done", ("notes/tidy",), Usage(11, 6, 3, 2, 0.75))
    assert [row.id for row in store.list()] == [second, first]
    store.add_message(first, "t2", user("more"))
    assert [row.id for row in store.list(limit=1)] == [first]


def test_a_skills_use_is_told_by_how_its_turns_ended(store):
    for name, endings in (("one", ["done", "failed"]), ("two", ["done"]), ("three", ["done"])):
        session = store.create(name).id
        for number, ending in enumerate(endings):
            used = ["other"] if name == "three" else ["notes", "other"]
            store.end_turn(session, f"t{number}", ending, Usage(), used)
    use = store.use_of("notes", limit=1)
    assert (use.ended_well, use.ended_badly, use.by_day) == (2, 1, ((date(2026, 6, 1), 3),))
    assert [info.title for info in use.sessions] == ["two"]
    assert store.use_of("never") == SkillUse()


def test_ending_a_turn_again_replaces_what_it_cost(store):
    session = store.create().id
    for cost in (1.0, 2.0):
        store.end_turn(session, "t", "done", Usage(cost=cost))
    assert store.get(session).usage.cost == 2.0
    assert store.get(session).turns == 1


def test_a_session_is_found_by_the_beginning_of_its_id_when_that_is_enough(store):
    store.import_session({"session_id": "abcd-1", "messages": []})
    store.import_session({"session_id": "abcd-2", "messages": []})
    assert store.get("abcd-1").id == "abcd-1"
    for unclear in ("abcd", "abcd-3", ""):
        with pytest.raises(AppError) as caught:
            store.get(unclear)
        assert caught.value.kind is Kind.NOT_FOUND


def test_the_first_system_prompt_holds(store):
    session = store.create().id
    assert store.system(session) is None
    assert store.freeze_system(session, "one") == "one"
    assert store.freeze_system(session, "two") == "one"
    assert store.system(session) == "one"


def test_counters_survive_a_restart(store, open_db, ticking):
    session = store.create().id
    assert [store.counters.add(session, "memory") for _ in range(3)] == [1, 2, 3]
    again = SessionStore(open_db(), ticking)
    assert (again.counters.get(session, "memory"), again.counters.get(session, "skills")) == (3, 0)
    again.counters.reset(session, "memory")
    assert store.counters.get(session, "memory") == 0


def test_a_branch_has_everything_up_to_the_message_and_none_of_the_cost(store, db):
    source = store.create("plan", "m", "system text").id
    numbers = []
    for turn in ("t1", "t2"):
        numbers.append(store.add_message(source, turn, user(f"ask {turn}")))
        numbers.append(store.add_message(source, turn, agent(f"answer {turn}")))
        store.end_turn(source, turn, "done", Usage(100), [f"skill-{turn}"])
    branch = store.branch(source, numbers[1])
    assert [stored.message.text for stored in store.messages(branch.id)] == ["ask t1", "answer t1"]
    assert (branch.parent, branch.title, branch.turns, branch.usage) == (source, "plan", 1, Usage())
    assert (branch.skills, branch.outcome, store.system(branch.id)) == (("skill-t1",), "done", "system text")
    assert {hit.id for hit in search_sessions(db, "answer t1")} == {source, branch.id}
    assert len(store.messages(source)) == 4


def test_a_branch_from_a_message_of_another_session_is_refused_and_leaves_nothing(store):
    source, other = store.create().id, store.create().id
    number = store.add_message(other, "t", user("x"))
    with pytest.raises(AppError) as caught:
        store.branch(source, number)
    assert caught.value.kind is Kind.NOT_FOUND
    assert len(store.list()) == 2


def test_a_deleted_session_comes_back_whole(store):
    session = store.create("t", "m", "sys").id
    number = store.add_message(session, "t", user("hello"))
    store.end_turn(session, "t", "done", Usage(1, 2), ["s"])
    store.counters.add(session, "memory")
    before, messages = store.get(session), store.messages(session)
    removed = store.delete(session)
    assert (store.list(), removed.title) == ((), "t")
    assert store.restore(removed) == before
    assert store.messages(session) == messages
    assert (messages[0].id, store.system(session), store.counters.get(session, "memory")) == (number, "sys", 1)


def test_writing_into_a_deleted_session_says_so(store):
    session = store.create().id
    number = store.add_message(session, "t", user("x"))
    store.delete(session)
    assert store.update_message(number, agent("late"), MessageState.COMPLETE) is False
    for write in (
        lambda: store.add_message(session, "t", user("y")),
        lambda: store.end_turn(session, "t", "done", Usage()),
        lambda: store.start_turn(session),
        lambda: store.book(session, "t", "review", Usage()),
        lambda: store.counters.add(session, "memory"),
    ):
        with pytest.raises(AppError) as caught:
            write()
        assert caught.value.kind is Kind.NOT_FOUND


def test_a_line_of_no_turn_leaves_the_session_finished(store):
    session = store.create("Done").id
    turn = store.start_turn(session)
    store.add_message(session, turn, user("go"))
    store.end_turn(session, turn, "done", Usage())
    store.add_message(session, "", agent("Curator: nothing to do."), MessageState.COMPLETE, "curator")
    assert not store.unfinished()
    assert store.mark_interrupted() == 0
    assert (store.get(session).outcome, store.get(session).turns) == ("done", 1)


def test_what_was_streaming_is_interrupted_after_a_restart_and_found(store, db, open_db, ticking):
    session = store.create().id
    store.add_message(session, "t", user("MARKERPROMPT please"))
    number = store.add_message(session, "t", agent(""), MessageState.STREAMING)
    store.update_message(number, agent("piece1 piece2"), MessageState.STREAMING)
    again = SessionStore(open_db(), ticking)
    assert again.mark_interrupted() == 1
    states = [(stored.state, stored.message.text) for stored in again.messages(session)]
    assert states == [(MessageState.COMPLETE, "MARKERPROMPT please"), (MessageState.INTERRUPTED, "piece1 piece2")]
    assert again.get(session).outcome == "interrupted"
    assert {hit.id for hit in search_sessions(db, "piece2")} == {session}
    assert again.mark_interrupted() == 0


def test_a_turn_that_goes_on_in_another_process_mends_its_state(store, open_db, ticking):
    session = store.create().id
    number = store.add_message(session, "t", agent("par"), MessageState.STREAMING)
    SessionStore(open_db(), ticking).mark_interrupted()
    store.update_message(number, agent("partly, then whole"), MessageState.COMPLETE)
    store.end_turn(session, "t", "done", Usage())
    assert store.messages(session)[0].state is MessageState.COMPLETE
    assert store.get(session).outcome == "done"


_STREAM = """
import itertools, sys
from pathlib import Path
from app.clock import system_clock
from app.database import Database
from app.providers.values import Message, Role, Text
from app.sessions.schema import MIGRATIONS
from app.sessions.store import SessionStore
from app.sessions.values import MessageState, SkillUse
store = SessionStore(Database(Path(sys.argv[1]), MIGRATIONS), system_clock)
session = store.create("killed").id
store.add_message(session, "t", Message(Role.USER, (Text("MARKERPROMPT please"),)))
number = store.add_message(session, "t", Message(Role.ASSISTANT, (Text(""),)), MessageState.STREAMING)
text = ""
for count in itertools.count():
    text += f"piece{count} "
    store.update_message(number, Message(Role.ASSISTANT, (Text(text),)), MessageState.STREAMING)
    print(count, flush=True)
"""


def test_killed_while_streaming_the_prompt_and_what_was_stored_are_there(tmp_path, open_db, ticking):
    command = [sys.executable, "-c", textwrap.dedent(_STREAM), str(tmp_path / "melete.db")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])
    for line in process.stdout:
        if int(line) >= 5:
            break
    process.kill()
    process.communicate()
    db = open_db()
    store = SessionStore(db, ticking)
    assert (db.rescue, store.mark_interrupted()) == (None, 1)
    (info,) = store.list()
    prompt, answer = store.messages(info.id)
    assert prompt.message.text == "MARKERPROMPT please"
    assert answer.message.text.startswith("piece0 piece1 piece2 piece3 piece4 piece5 ")
    assert answer.state is MessageState.INTERRUPTED
    assert [hit.id for hit in search_sessions(db, "MARKERPROMPT")] == [info.id]


def test_while_another_writer_holds_the_database_reading_and_streaming_go_on(store, db, open_db, tmp_path, ticking):
    session = store.create("gardens").id
    number = store.add_message(session, "t", agent("a"), MessageState.STREAMING)
    other = open_db()
    with other.atomic():
        assert store.get(session).title == "gardens"
        assert {hit.id for hit in search_sessions(db, "gardens")} == {session}
        assert store.update_message(number, agent("ab"), MessageState.STREAMING) is False
        assert store.messages(session)[0].message.text == "a"
        released = threading.Event()
        done = threading.Event()

        def finish() -> None:
            mine = Database(tmp_path / "melete.db", MIGRATIONS)
            try:
                released.set()
                SessionStore(mine, ticking).update_message(number, agent("abc"), MessageState.COMPLETE)
                done.set()
            finally:
                mine.close()

        waiting = threading.Thread(target=finish)
        waiting.start()
        assert released.wait(10)
        assert not done.is_set()
    waiting.join(20)
    assert done.is_set()
    assert store.messages(session)[0].message.text == "abc"


def test_a_write_that_cannot_be_had_in_time_is_a_sentence_and_changes_nothing(store, db, open_db):
    session = store.create().id
    other = open_db()
    with other.atomic(), pytest.raises(AppError) as caught, db.atomic(wait=0.05):
        pass
    assert caught.value.kind is Kind.BUSY
    store.add_message(session, "t", user("afterwards"))
    assert len(store.messages(session)) == 1


def test_a_failure_inside_a_write_leaves_neither_row_nor_index(store, db, monkeypatch):
    session = store.create("t").id
    monkeypatch.setattr(store._write, "touch", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.add_message(session, "t", user("ghostword"))
    assert store.messages(session) == ()
    assert search_sessions(db, "ghostword") == ()
