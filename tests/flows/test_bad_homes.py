"""Damaged, locked and odd homes: the window opens, says what is wrong, and loses nothing."""

import shutil
import sqlite3
import threading

import pytest

from app.clock import system_clock
from app.database import Database
from app.providers.scripted import ScriptedProvider, says
from app.sessions.schema import MIGRATIONS
from app.sessions.store import SessionStore
from tests.flows.conftest import Heartbeat


def quiet(shop) -> None:
    shop.settings('[review]\nmode = "off"\n')


def stored_texts(path) -> list[str]:
    database = Database(path, MIGRATIONS)
    try:
        store = SessionStore(database, system_clock)
        return [item.message.text for info in store.list() for item in store.messages(info.id)]
    finally:
        database.close()


RUBBISH = b"\x00\xff{{{ not what it should be"


@pytest.mark.parametrize(
    ("place", "word"),
    [("skills/.usage.json", "usage"), ("melete.toml", "melete.toml"), ("melete.db", "database")],
)
def test_a_damaged_file_is_told_and_kept(shop, place, word):
    shop.put("plain-one")
    (shop.root / place).write_bytes(RUBBISH)
    window = shop.open()
    assert "plain-one" in shop.rows(window)
    shop.wait(lambda: any(word in text.lower() for text in window.panes.notices.texts))
    kept = [path for path in shop.root.rglob("*") if path.is_file() and path.stat().st_size == len(RUBBISH)]
    assert any(path.read_bytes() == RUBBISH for path in kept)


def test_an_empty_library_says_what_to_do_next(shop):
    window = shop.open()
    shop.wait(lambda: window.panes.library.state_kind == "empty")
    assert shop.rows(window) == set()
    state = window.panes.skill._pages.state
    assert state.title == "No skills yet"
    shop.put("first-one")
    shop.wait(lambda: state.title == "No skill chosen")


def test_a_library_that_is_a_file_is_told_and_the_window_stays_usable(shop):
    shutil.rmtree(shop.skills)
    shop.skills.write_text("not a folder")
    window = shop.open()
    shop.wait(lambda: any(str(shop.skills) in text for text in window.panes.notices.texts))
    assert shop.skills.read_text() == "not a folder"
    assert shop.say(window, "help").reply


def test_a_history_that_cannot_be_opened_is_told_and_skills_are_still_listed(shop):
    shop.put("plain-one")
    (shop.root / "history.git").write_text("not a repository")
    window = shop.open()
    assert "plain-one" in shop.rows(window)
    shop.wait(lambda: bool(window.panes.notices.texts))
    assert (shop.root / "history.git").read_text() == "not a repository"


@pytest.mark.slow
def test_sixty_broken_skills_are_one_notice_that_follows_their_number(shop):
    for number in range(60):
        shop.put(f"bad-{number:02}", text=f"---\nname: bad-{number:02}\ndescription: [unclosed\n---\n\nText\n")
    for name in ("ok-two", "ok-three", "plain-one"):
        shop.put(name)
    window = shop.open()
    notices = window.panes.notices
    counts = window.services.library.library.counts
    assert (counts.active, counts.broken) == (3, 60)
    told = [text for text in notices.texts if "bad-" in text]
    assert len(told) == 1
    assert told[0].startswith("60 skills cannot be used")
    posted = []
    window.services.library.noticed.connect(posted.append)
    for name in ("ok-two", "ok-three", "plain-one"):
        shop.put(name, "Again.")
        shop.wait(lambda n=name: shop.description(window, n) == "Again.")
    shop.put("bad-00")
    shop.wait(lambda: any(text.startswith("59 skills") for text in notices.texts))
    assert posted == []
    assert len([text for text in notices.texts if "cannot be used" in text]) == 1
    notices.clear()
    shop.put("bad-01")
    shop.wait(lambda: window.services.library.library.counts.broken == 58)
    assert notices.texts == ()


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["IMMEDIATE", pytest.param("EXCLUSIVE", marks=pytest.mark.slow)])
def test_a_database_locked_by_another_program_keeps_the_window_alive_and_loses_nothing(shop, mode):
    quiet(shop)
    provider = ScriptedProvider([says("First answer."), says("Answer meanwhile.")])
    window = shop.open(lambda home: provider)
    assert shop.say(window, "The gardens of Kyoto").reply == "First answer."
    shop.wait(lambda: not window.services._lanes["desk"].busy)
    holder = sqlite3.connect(shop.root / "melete.db", isolation_level=None, check_same_thread=False)
    holder.execute(f"BEGIN {mode}")
    release = threading.Timer(1.5, holder.execute, ("COMMIT",))
    found, ended = [], []
    window.services.sessions.found.connect(lambda query, hits: found.append(hits))
    window.services.chat.turn_ended.connect(ended.append)
    release.start()
    with Heartbeat() as heart:
        window.panes.sessions.search_requested.emit("gardens", True)
        window.panes.chat.send_requested.emit("and meanwhile?")
        if mode == "IMMEDIATE":
            shop.wait(lambda: bool(found), 1.4)
            assert found[0]
        window.panes.frame.show_page("memory")
        shop.wait(lambda: bool(ended) and bool(found), 20)
    release.join()
    holder.close()
    assert heart.largest <= 0.5 + heart.machine
    assert ended[0].reply == "Answer meanwhile."
    shop.close(window)
    assert {"and meanwhile?", "Answer meanwhile."} <= set(stored_texts(shop.root / "melete.db"))


@pytest.mark.parametrize("how", ["away", "copy", "folder"])
def test_a_database_replaced_under_the_open_window_is_noticed_or_written(shop, how):
    quiet(shop)
    provider = ScriptedProvider([says("First."), says("Stored?")])
    window = shop.open(lambda home: provider)
    shop.say(window, "BEFORE message.")
    shop.wait(lambda: not window.services._lanes["desk"].busy)
    path = shop.root / "melete.db"
    ended, failed = [], []
    window.services.chat.turn_ended.connect(ended.append)
    window.services.chat.failed.connect(failed.append)
    moved = shop.root.with_name("moved-home")
    if how == "away":
        path.rename(shop.root / "melete.db.moved")
    elif how == "copy":
        shutil.copy(path, shop.root / "melete.db.new")
        (shop.root / "melete.db.new").rename(path)
    else:
        shop.root.rename(moved)
    window.panes.chat.send_requested.emit("AFTERSWAP message.")
    shop.wait(lambda: bool(ended) or bool(failed), 20)
    said = [failure.text for failure in failed] + [item.notice for item in ended] + list(window.panes.notices.texts)
    shop.close(window)
    if how == "folder":
        if shop.root.exists():
            shutil.rmtree(shop.root)
        moved.rename(shop.root)
    kept = path.exists() and "AFTERSWAP message." in stored_texts(path)
    assert kept or any("database" in text.lower() or "stor" in text.lower() for text in said), said
