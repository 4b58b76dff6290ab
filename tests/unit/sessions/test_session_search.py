"""The search contract, run over both index engines."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.database import Database
from app.providers.values import Message, Role, Text, ToolResult, ToolUse
from app.sessions.index import FTS4, FTS5, SearchIndex
from app.sessions.passages import Passages
from app.sessions.search import search_sessions
from app.sessions.store import SessionStore
from app.sessions.values import HitKind, MessageState


def say(store: SessionStore, text: str, session: str | None = None) -> str:
    session = session or store.create("untold").id
    store.add_message(session, store.start_turn(session), Message(Role.USER, (Text(text),)))
    return session


@pytest.fixture
def told(db, ticking, engine) -> SessionStore:
    return SessionStore(db, ticking, engine)


def found(db: Database, text: str, **more) -> set[str]:
    return {hit.id for hit in search_sessions(db, text, **more)}


@pytest.mark.parametrize("case", ["SE-01", "SE-02", "SE-04", "SE-09", "SE-15"])
def test_every_query_of_the_case_finds_what_it_must_and_no_more(db, told, load_case, case):
    for line in load_case(case, "sessions.jsonl"):
        told.import_session(line)
    wrong = []
    for query in load_case(case, "queries.json"):
        ids = found(db, query["q"])
        if not set(query["must"]) <= ids or ids & set(query["must_not"]):
            wrong.append((query["q"], sorted(ids)))
    assert wrong == []


def test_the_chosen_engine_keeps_the_index(db, told, engine):
    names = {row[0] for row in db.read("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert ({"words5", "grams5"} <= names, {"words4", "grams4"} <= names) == (engine == "fts5", engine == "fts4")


def test_tool_text_is_marked_and_can_be_left_out(db, told, load_case):
    for line in load_case("SE-09", "sessions.jsonl"):
        told.import_session(line)
    assert [(hit.id, hit.tool) for hit in search_sessions(db, "argumentword")] == [("t1", True)]
    assert search_sessions(db, "outputword", tools=False) == ()
    assert [(hit.id, hit.tool) for hit in search_sessions(db, "outputs", tools=False)] == [("t2", False)]


def test_field_names_inside_a_json_result_are_not_found_but_its_values_are(db, told):
    session = say(told, "go")
    result = ToolResult("c1", "lookup", '{"fieldname": ["valueword", {"deep": 4711}]}')
    told.add_message(session, "t", Message(Role.USER, (result,)))
    assert found(db, "valueword") == found(db, "4711") == {session}
    assert found(db, "fieldname") == set()


def test_a_hit_says_where_the_words_stand_in_its_snippet(db, told):
    session = say(told, "lead " * 40 + "the needle in the haystack " + "tail " * 40)
    (hit,) = search_sessions(db, "NEEDLE haystack")
    assert [hit.snippet[low:high] for low, high in hit.marks] == ["needle", "haystack"]
    assert hit.snippet.startswith("… ")
    assert hit.snippet.endswith(" …")
    assert (hit.kind, hit.id, hit.title, hit.tool) == (HitKind.SESSION, session, "untold", False)
    assert len(hit.snippet) < 200


def test_marks_fit_text_with_letters_of_other_lengths_and_forms(db, told):
    say(told, "Straße Cafe\u0301 ＷＩＤＥ İstanbul 東京タワー")
    for query, shown in [("CAFÉ", "Café"), ("wide", "ＷＩＤＥ"), ("istanbul", "İstanbul"), ("タワー", "タワー")]:
        (hit,) = search_sessions(db, query)
        assert [hit.snippet[low:high] for low, high in hit.marks] == [shown]


def test_one_session_is_one_hit_and_inside_a_session_each_message_is(db, told):
    session = say(told, "apples one")
    say(told, "apples two", session)
    other = say(told, "apples three")
    assert sorted(hit.id for hit in search_sessions(db, "apples")) == sorted([session, other])
    inside = search_sessions(db, "apples", session=session)
    assert sorted(hit.text for hit in inside) == ["apples one", "apples two"]


def test_the_limit_is_kept(db, told):
    for number in range(7):
        say(told, f"plum number {number}")
    assert len(search_sessions(db, "plum", limit=3)) == 3
    assert search_sessions(db, "plum", limit=0) == ()


def test_what_was_typed_with_its_marks_comes_before_the_bare_word(db, told):
    bare = [say(told, f"c is a letter {number}") for number in range(3)]
    exact = say(told, "a long text about many things in which the C++ compiler is named only once and late")
    hits = [hit.id for hit in search_sessions(db, "C++")]
    assert hits[0] == exact
    assert set(hits[1:]) == set(bare)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("see ModelRequest in values", "odelReq"),
        ("look at src/app/main.py", "ain.py"),
        ("the handler failed", "handl"),
        ("open DESIGN_notes-v2.md", "sign_not"),
        ("Sieh die Tür", "tur"),
        ("done 🎉 party", "🎉"),
        ("it isn’t so", "isn't"),
        ("a – b—c", "b-c"),
        ("नमस्ते दुनिया", "दुनिया"),
        ("می‌خواهم بروم", "بروم"),
    ],
)
def test_pieces_and_other_spellings_are_found(db, told, text, query):
    session = say(told, text)
    say(told, "nothing of the kind")
    assert found(db, query) == {session}


def test_an_answer_is_found_when_it_is_whole_and_not_as_it_was_before(db, told):
    session = told.create("s").id
    number = told.add_message(session, "t", Message(Role.ASSISTANT, (Text("first"),)), MessageState.STREAMING)
    assert found(db, "first") == set()
    told.update_message(number, Message(Role.ASSISTANT, (Text("first second"),)), MessageState.COMPLETE)
    assert found(db, "second") == {session}
    told.update_message(number, Message(Role.ASSISTANT, (Text("third"),)), MessageState.COMPLETE)
    assert (found(db, "second"), found(db, "third")) == (set(), {session})


def test_a_renamed_title_is_found_by_its_new_words_only(db, told):
    session = told.create("oldword plan").id
    told.rename(session, "newword plan")
    assert (found(db, "oldword"), found(db, "newword")) == (set(), {session})
    (hit,) = search_sessions(db, "newword")
    assert (hit.title, hit.message) == ("newword plan", None)


def test_a_deleted_session_is_not_found_and_a_restored_one_is(db, told):
    session = say(told, "vanishing words")
    removed = told.delete(session)
    assert found(db, "vanishing") == set()
    told.restore(removed)
    assert found(db, "vanishing") == {session}


def test_only_text_changes_touch_the_index(db, told):
    session = say(told, "steady words")
    before = db.read("SELECT count(*), max(id) FROM passage")[0]
    for _ in range(50):
        told.counters.add(session, "turns")
        told.rename(session, told.get(session).title)
    assert tuple(db.read("SELECT count(*), max(id) FROM passage")[0]) == tuple(before)


def test_dropped_index_tables_are_made_again_from_the_messages(db, told, open_db, ticking, engine):
    session = say(told, "still there")
    table = (FTS5 if engine == "fts5" else FTS4).table("words")
    with db.atomic() as connection:
        connection.execute(f"DROP TABLE {table}")
    assert found(db, "still") == {session}
    again = open_db()
    SessionStore(again, ticking, engine)
    assert again.rescue is None
    assert found(again, "there") == {session}


def test_an_index_of_the_other_engine_is_replaced(open_db, ticking, engine):
    other = "fts4" if engine == "fts5" else "fts5"
    first = open_db()
    session = say(SessionStore(first, ticking, other), "moving house")
    second = open_db()
    SessionStore(second, ticking, engine)
    assert SearchIndex(second, engine).ready()
    assert found(second, "house") == {session}
    assert not {row[0] for row in second.read("SELECT name FROM sqlite_master")} & {f"words{9 - int(engine[-1])}"}


def test_a_damaged_index_is_made_again_when_it_is_asked(db, told, engine):
    session = say(told, "precious words")
    shadow = {"fts5": "words5_data", "fts4": "words4_segdir"}[engine]
    column = {"fts5": "block", "fts4": "root"}[engine]
    with db.atomic() as connection:
        connection.execute(f"UPDATE {shadow} SET {column} = x'00ff00ff00ff'")
    assert found(db, "precious") == {session}


def test_a_damaged_index_does_not_hold_up_a_message(db, told, engine):
    session = say(told, "before the damage")
    with db.atomic() as connection:
        shadow, column = ("words5_data", "block") if engine == "fts5" else ("words4_segdir", "root")
        connection.execute(f"UPDATE {shadow} SET {column} = x'00ff00ff00ff'")
    told.rename(session, "another title")
    say(told, "after the damage", session)
    assert [stored.message.text for stored in told.messages(session)] == ["before the damage", "after the damage"]
    assert {hit.text for hit in search_sessions(db, "damage", session=session)} == {
        "before the damage",
        "after the damage",
    }


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60))
def test_any_text_is_a_valid_query_and_any_text_can_be_said(told, db, text):
    session = say(told, f"anchorword {text}")
    assert session in found(db, "anchorword", limit=1000)
    search_sessions(db, text)
    search_sessions(db, text, tools=False, session=session)


WORDS = st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd"]), min_size=1, max_size=12)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, min_size=1, max_size=4))
def test_a_message_is_found_by_each_word_in_it(told, db, words):
    session = say(told, " ".join(words))
    for word in words:
        assert search_sessions(db, word, session=session), word


def test_both_engines_find_the_same_sessions_in_a_mixed_library(open_db, ticking):
    texts = [f"alpha beta{n % 7} src/file{n}.py 東京{n} note_{n % 3}" for n in range(60)]
    stores = {name: open_db(f"{name}.db") for name in ("fts5", "fts4")}
    for name, db in stores.items():
        store = SessionStore(db, ticking, name)
        for number, text in enumerate(texts):
            store.import_session({"session_id": f"s{number}", "messages": [{"role": "user", "content": text}]})
    for query in ("alpha", "beta3", "file12.py", "京5", "note_1", "lph", "beta", "alpha note_2", "src/file7.py"):
        assert found(stores["fts5"], query, limit=100) == found(stores["fts4"], query, limit=100), query


def test_remade_passages_are_the_same_as_written_ones(db, told):
    session = say(told, "one 東京")
    told.add_message(session, "t", Message(Role.ASSISTANT, (Text("two"), ToolUse("c", "look", {"q": "three"}))))
    sql = "SELECT session, message, body, tool, at FROM passage ORDER BY message IS NOT NULL, message"
    before = [tuple(row) for row in db.read(sql)]
    with db.atomic() as connection:
        connection.execute("DELETE FROM kv WHERE key = 'search.index'")
    Passages(db, "auto")
    assert [tuple(row)[:4] for row in db.read(sql)] == [row[:4] for row in before]
