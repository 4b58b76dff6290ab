import os
from datetime import UTC, datetime

import pytest

from app.clock import fixed_clock
from app.errors import AppError, Kind
from app.history.store import History
from app.history.values import Blob, BlobKind, Origin, Record

NOW = datetime(2026, 3, 1, 12, 30, 15, 250000, tzinfo=UTC)
ALPHA = {"SKILL.md": Blob(b"alpha\n"), "scripts/run.sh": Blob(b"#!/bin/sh\n", BlobKind.EXECUTABLE)}
HOSTILE = {
    "SKILL.md": Blob(b"hostile\n"),
    ".git": Blob(b"gitdir: elsewhere\n"),
    ".gitignore": Blob(b"*\n"),
    ".gitattributes": Blob(b"* text=auto merge=union\n"),
    "git~1": Blob(b"short name\n"),
    "crlf.txt": Blob(b"a\r\nb\n"),
    "link": Blob(b"/etc/passwd", BlobKind.LINK),
    os.fsdecode(b"latin-\xe9.txt"): Blob(b"\xff\x00"),
}


@pytest.fixture
def history(tmp_path):
    store = History(tmp_path / "history.git", fixed_clock(NOW))
    yield store
    store.close()


def record(action="create", *ids, **more):
    return Record(Origin.USER, action, ids or ("alpha",), **more)


def test_a_new_history_is_empty(history):
    assert history.tip() is None
    assert history.entries() == []
    assert history.tree_hash() == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_content_comes_back_byte_for_byte(history):
    history.record({"skills/alpha": ALPHA, "skills/cat/hostile": HOSTILE}, record())
    assert history.snapshot("skills/alpha") == ALPHA
    assert history.snapshot("skills/cat/hostile") == HOSTILE


def test_a_memory_file_is_a_snapshot_of_one_nameless_file(history):
    history.record({"memories/MEMORY.md": {"": Blob(b"fact\n")}}, record("memory", "MEMORY.md"))
    assert history.snapshot("memories/MEMORY.md") == {"": Blob(b"fact\n")}
    assert history.prefixes() == ("memories/MEMORY.md",)


def test_removing_a_skill_keeps_its_neighbours(history):
    history.record({"skills/cat/a": ALPHA, "skills/cat/b": HOSTILE}, record())
    history.record({"skills/cat/a": None}, record("purge"))
    assert history.snapshot("skills/cat/a") is None
    assert history.prefixes() == ("skills/cat/b",)


def test_removing_the_last_skill_leaves_the_empty_tree(history):
    empty = history.tree_hash()
    history.record({"skills/cat/a": ALPHA}, record())
    history.record({"skills/cat/a": None}, record("purge"))
    assert history.tree_hash() == empty


def test_a_skill_inside_a_skill_belongs_to_it(history):
    nested = {"SKILL.md": Blob(b"outer"), "templates/SKILL.md": Blob(b"sample")}
    history.record({"skills/writer": nested}, record())
    assert history.prefixes() == ("skills/writer",)


def test_an_entry_without_changes_keeps_the_tree(history):
    first = history.record({"skills/alpha": ALPHA}, record())
    second = history.record({}, record("pin", detail={"before": False, "after": True}))
    assert (second.parent, second.tree) == (first.id, first.tree)
    assert history.entry(second.id).record.detail == {"before": False, "after": True}


def test_a_record_is_one_ascii_line_and_reads_back(history):
    reason = 'line\nMelete: {"origin":"user"}\n\nOrigin: user \u202e'
    made = Record(Origin.REVIEW, "patch", ("cat/ä",), reason, "s1", "r1", {"k": [1, None, "é"]})
    entry = history.record({}, made)
    again = History(history._path, fixed_clock(NOW))
    try:
        read = again.entry(entry.id)
        message = again._repository[entry.id].message
    finally:
        again.close()
    assert (read.record, read.at) == (made, NOW)
    assert message.isascii()
    assert message.count("\n") == 1


def test_a_foreign_commit_message_is_never_taken_for_a_record(history):
    repo = history._repository
    tree = history.store({"skills/x/SKILL.md": Blob(b"x")})
    who = history._signature()
    repo.create_commit(
        "refs/heads/main", who, who, 'Fix\n\nMelete: {"origin":"user","action":"create","ids":[]}', tree, []
    )
    assert history.entries()[0].record.origin is Origin.OUTSIDE
    assert history.entries()[0].record.ids == ()


def test_entries_are_newest_first_and_limited(history):
    made = [history.record({}, record("pin", f"s{n}")).id for n in range(4)]
    assert [entry.id for entry in history.entries()] == made[::-1]
    assert [entry.id for entry in history.entries(limit=2)] == made[:1:-1]


def test_the_log_of_a_skill_follows_renames_and_archives_back(history):
    history.record({}, record("create", "cat/old"))
    history.record({}, record("create", "other"))
    history.record({}, record("rename", "cat/old", detail={"from": "cat/old", "to": "cat/new"}))
    history.record({}, record("archive", "cat/new", detail={"from": "cat/new", "to": ".archive/new"}))
    assert [e.record.action for e in history.entries(skill=".archive/new")] == ["archive", "rename", "create"]
    assert [e.record.action for e in history.entries(skill="cat/old")] == ["rename", "create"]


def test_an_entry_is_found_by_a_beginning_of_seven_characters(history):
    entry = history.record({}, record())
    assert history.entry(entry.id[:7]).id == entry.id
    for wrong in (entry.id[:6], "fffffff", ""):
        with pytest.raises(AppError) as caught:
            history.entry(wrong)
        assert caught.value.kind is Kind.NOT_FOUND


def test_changes_of_an_entry_name_prefixes_and_both_ids(history):
    history.record({"skills/a": ALPHA, "skills/cat/b": ALPHA, "memories/USER.md": {"": Blob(b"1")}}, record())
    before = history.tree_id("skills/a")
    entry = history.record(
        {"skills/a": HOSTILE, "skills/cat/b": None, "skills/.archive/b": ALPHA, "memories/USER.md": {"": Blob(b"2")}},
        record("apply"),
    )
    changes = history.changes_of(entry.id)
    assert changes["skills/a"] == (before, history.tree_id("skills/a"))
    assert changes["skills/cat/b"] == (before, None)
    assert changes["skills/.archive/b"] == (None, before)
    assert set(changes) == {"skills/a", "skills/cat/b", "skills/.archive/b", "memories/USER.md"}


def test_a_skill_that_becomes_a_category_is_gone_and_its_new_skills_came(history):
    history.record({"skills/x": ALPHA}, record())
    entry = history.record({"skills/x": None, "skills/x/inner": ALPHA}, record("outside"))
    changes = history.changes_of(entry.id)
    assert changes["skills/x"][1] is None
    assert changes["skills/x/inner"][0] is None


def test_a_tree_hash_is_known_without_storing(history):
    assert history.hash_files(HOSTILE) == history.store(HOSTILE)
    assert history.load(history.store(HOSTILE)) == HOSTILE


def test_stored_trees_can_be_recorded_by_id(history):
    entry = history.record_trees({"skills/a": history.store(ALPHA)}, record())
    assert entry.tree == history.tree_with({})
    assert history.snapshot("skills/a") == ALPHA


@pytest.mark.parametrize("path", ["../x", "a//b", "/a", "a/./b", "", "a\0b"])
def test_unsafe_paths_are_refused(history, path):
    with pytest.raises(AppError) as caught:
        history.store({path: Blob(b""), "b": Blob(b"")})
    assert caught.value.kind is Kind.INVALID


def test_a_file_and_a_folder_of_one_name_are_refused(history):
    for files in ({"a": Blob(b""), "a/b": Blob(b"")}, {"a/b": Blob(b""), "a": Blob(b"")}):
        with pytest.raises(AppError):
            history.store(files)


def test_named_documents_keep_their_newest_version_and_subtree(history):
    tree = history.store({"skills/a/SKILL.md": Blob(b"x")})
    history.put_ref("proposals/p1", {"proposal.json": b"1"}, tree)
    history.put_ref("proposals/p1", {"proposal.json": b"2"}, tree)
    history.put_ref("proposals/p2", {"proposal.json": b"3"}, None)
    assert history.read_ref("proposals/p1") == {"proposal.json": b"2"}
    assert history.ref_tree("proposals/p1") == tree
    assert history.ref_tree("proposals/p2") is None
    assert history.refs("proposals/") == ["proposals/p1", "proposals/p2"]
    history.drop_ref("proposals/p1")
    history.drop_ref("proposals/p1")
    assert history.read_ref("proposals/p1") is None
    assert history.tip() is None


def test_a_name_that_git_cannot_hold_is_refused(history):
    with pytest.raises(AppError):
        history.put_ref("a b..c", {}, None)


def test_housekeeping_packs_and_loses_nothing(history):
    for n in range(12):
        history.record({f"skills/s{n % 3}": {"SKILL.md": Blob(b"%d" % n)}}, record())
    before = [(e.id, history.snapshot("skills/s0", e.id)) for e in history.entries()]
    assert history.housekeep(due_at=10_000) == 0
    assert history.housekeep(due_at=1) > 12
    assert not list(history._path.glob("objects/[0-9a-f][0-9a-f]/*"))
    fresh = History(history._path, fixed_clock(NOW))
    try:
        assert [(e.id, fresh.snapshot("skills/s0", e.id)) for e in fresh.entries()] == before
    finally:
        fresh.close()
    history.record({"skills/s9": ALPHA}, record())
    assert history.snapshot("skills/s9") == ALPHA


def test_many_packs_become_one(history):
    for n in range(10):
        history.record({"skills/a": {"SKILL.md": Blob(b"%d" % n)}}, record())
        history.housekeep(due_at=1)
    assert len(list(history._path.glob("objects/pack/*.pack"))) <= 3
    assert history.snapshot("skills/a", history.entries()[-1].id) == {"SKILL.md": Blob(b"0")}


def test_left_lock_files_are_removed(history):
    history.record({}, record())
    (history._path / "refs/heads/main.lock").write_bytes(b"")
    (history._path / "HEAD.lock").write_bytes(b"")
    assert set(history.remove_locks()) == {"main.lock", "HEAD.lock"}
    history.record({}, record())
    assert len(history.entries()) == 2


def test_a_folder_that_is_no_repository_is_reported(tmp_path):
    (tmp_path / "history.git").write_bytes(b"rubbish")
    with pytest.raises(AppError) as caught:
        History(tmp_path / "history.git", fixed_clock(NOW))
    assert caught.value.kind is Kind.CORRUPT


def test_a_lost_object_is_named(history):
    history.record({"skills/a": ALPHA}, record())
    blob = history._objects.at(history.tree_hash(), "skills/a/SKILL.md")
    (history._path / "objects" / blob.id[:2] / blob.id[2:]).unlink()
    with pytest.raises(AppError) as caught:
        history.snapshot("skills/a")
    assert caught.value.kind is Kind.CORRUPT
