"""What other programs do to the library while the window is open: in the list within a second, then in the ledger."""

import errno
import json
import shutil
import subprocess
from pathlib import Path

import pytest
import watchdog.observers

import app.bridge.watch
import app.bridge.watcher
import app.skills.digest
import app.skills.scan
from app.skills.values import Action

TEXT = "---\nname: {name}\ndescription: Revision {revision} of {name}.\n---\n\nText {revision}.\n"


def write(folder: Path, revision: int, name: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(TEXT.format(name=name or folder.name, revision=revision), encoding="utf-8")


def in_place(folder: Path, text: str) -> None:
    (folder / "SKILL.md").write_text(text, encoding="utf-8")


def by_rename(folder: Path, text: str) -> None:
    (folder / ".SKILL.md.tmp1").write_text(text, encoding="utf-8")
    (folder / ".SKILL.md.tmp1").replace(folder / "SKILL.md")


def by_rename_from_outside(folder: Path, text: str) -> None:
    fresh = folder.parent.parent / "fresh"
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(folder / "SKILL.md")


def by_backup(folder: Path, text: str) -> None:
    (folder / "SKILL.md").rename(folder / "SKILL.md~")
    (folder / "SKILL.md").write_text(text, encoding="utf-8")


def by_delete_and_create(folder: Path, text: str) -> None:
    (folder / "SKILL.md").unlink()
    (folder / "SKILL.md").write_text(text, encoding="utf-8")


@pytest.fixture
def loads(monkeypatch):
    """The folders whose SKILL.md was read, in order. How young a file is does not count here."""
    monkeypatch.setattr(app.skills.digest, "SETTLE_SECONDS", -1.0)
    read: list[str] = []
    real = app.skills.scan.digest_of

    def counted(place, now):
        read.append(Path(place.folder).name)
        return real(place, now)

    monkeypatch.setattr(app.skills.scan, "digest_of", counted)
    return read


def test_every_way_to_save_is_in_the_list_within_a_second_and_in_the_ledger_as_outside(shop, loads):
    ways = (in_place, by_rename, by_rename_from_outside, by_backup, by_delete_and_create)
    names = [f"note-{number}" for number in range(len(ways))]
    for name in (*names, "note-b"):
        write(shop.skills / name, 0)
    window = shop.open()
    shop.wait(lambda: not window.services.library.scanning)
    loads.clear()
    for name, save in zip(names, ways, strict=True):
        save(shop.skills / name, TEXT.format(name=name, revision=1))
        shop.wait(lambda n=name: shop.description(window, n) == f"Revision 1 of {n}.", 3)
    assert "note-b" not in loads
    shop.wait(lambda: all(shop.outside(name)[0].record.detail.get("changed") for name in names))


def test_a_skill_saved_again_and_again_in_different_ways_shows_the_last(shop):
    write(shop.skills / "note-a", 0)
    window = shop.open()
    for revision, save in enumerate((by_rename, by_delete_and_create, in_place), 1):
        save(shop.skills / "note-a", TEXT.format(name="note-a", revision=revision))
    shop.wait(lambda: shop.description(window, "note-a") == "Revision 3 of note-a.", 3)


def test_a_folder_moved_in_arrives_whole_and_one_that_is_deleted_goes(shop):
    shop.put("plain-one")
    gift = shop.root / "gift-box"
    write(gift, 0)
    (gift / "references").mkdir()
    for number in range(30):
        (gift / "references" / f"r{number}.md").write_text("x", encoding="utf-8")
    window = shop.open()
    gift.rename(shop.skills / "gift-box")
    shop.wait(lambda: "gift-box" in shop.rows(window), 3)
    assert window.services.library.library.get("gift-box").file_count == 31
    shop.wait(lambda: bool(shop.outside("gift-box")))
    shutil.rmtree(shop.skills / "gift-box")
    shop.wait(lambda: shop.rows(window) == {"plain-one"}, 3)
    shop.wait(lambda: shop.outside("gift-box")[0].record.detail.get("removed") == ["gift-box"])


@pytest.mark.slow
def test_a_checkout_of_many_skills_is_one_batch_and_in_the_ledger(shop):
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(shop.skills)]
    for number in range(20):
        write(shop.skills / f"s-{number:02}", 1)
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    for number in range(20):
        write(shop.skills / f"s-{number:02}", 2)
    window = shop.open()
    before = window.services.library.rescans
    subprocess.run([*git, "checkout", "-q", "--", "."], check=True)
    shop.wait(lambda: all(shop.description(window, f"s-{n:02}").startswith("Revision 1") for n in range(20)), 4)
    assert window.services.library.rescans - before <= 8
    shop.wait(lambda: any(len(one.record.ids) == 20 for one in shop.outside("s-00")[:-1]))


@pytest.mark.slow
def test_a_renamed_folder_keeps_its_one_row_its_pin_and_the_open_page(shop):
    write(shop.skills / "note-a", 0)
    write(shop.skills / "note-b", 0)
    window = shop.open()
    window.steering.open_skill("note-a")
    window.services.skills.act(Action.PIN, ("note-a",))
    shop.wait(lambda: window.services.library.library.get("note-a").pinned)
    (shop.skills / "note-a").rename(shop.skills / "note-c")
    shop.wait(lambda: shop.rows(window) == {"note-c", "note-b"}, 3)
    shop.wait(lambda: bool(shop.outside("note-c")))
    write(shop.skills / "note-c", 1)
    shop.wait(lambda: shop.description(window, "note-c") == "Revision 1 of note-c.", 3)
    shop.wait(lambda: window.services.library.library.get("note-c").pinned)
    shop.wait(lambda: "note-c" in json.loads((shop.skills / ".usage.json").read_text(encoding="utf-8")))
    shop.wait(lambda: window.steering.current == "note-c")
    (shop.skills / "cat").mkdir()
    (shop.skills / "note-b").rename(shop.skills / "cat" / "note-b")
    shop.wait(lambda: shop.rows(window) == {"note-c", "cat/note-b"}, 3)
    assert window.services.library.library.get("cat/note-b").category == "cat"


def test_a_library_folder_that_vanishes_is_waited_for_and_watched_again(shop):
    write(shop.skills / "note-a", 0)
    window = shop.open()
    notices = window.panes.notices
    shop.skills.rename(shop.root / "taken-away")
    shop.wait(lambda: any("missing" in text for text in notices.texts) and not shop.rows(window))
    assert not shop.skills.exists()
    assert not window.services.library.scanning
    write(shop.skills / "fresh-one", 0)
    shop.wait(lambda: shop.rows(window) == {"fresh-one"})
    shop.wait(lambda: not any("missing" in text for text in notices.texts))
    write(shop.skills / "fresh-one", 7)
    shop.wait(lambda: shop.description(window, "fresh-one") == "Revision 7 of fresh-one.", 5)


class Full(watchdog.observers.Observer):
    """An observer on a system that has no watches left."""

    code = errno.ENOSPC

    def start(self):
        raise OSError(self.code, "injected")


@pytest.mark.parametrize("code", [errno.ENOSPC, pytest.param(errno.EMFILE, marks=pytest.mark.slow)])
def test_a_system_without_watches_is_polled_and_the_status_line_says_so(shop, monkeypatch, code):
    monkeypatch.setattr(Full, "code", code)
    monkeypatch.setattr(watchdog.observers, "Observer", Full)
    write(shop.skills / "note-a", 0)
    shop.settings("[library]\npoll_seconds = 1\n")
    window = shop.open()
    shop.wait(lambda: any("limited" in text for text in window.panes.notices.texts))
    assert window.panes.frame._status["watching"].text == "polling"
    write(shop.skills / "note-a", 1)
    shop.wait(lambda: shop.description(window, "note-a") == "Revision 1 of note-a.", 4)


def test_more_folders_than_the_system_may_watch_are_polled_until_refresh_finds_room(shop, monkeypatch):
    room = [2]
    monkeypatch.setattr(app.bridge.watch, "watch_limit", lambda: room[0])
    write(shop.skills / "note-a", 0)
    write(shop.skills / "note-b", 0)
    window = shop.open()
    field = window.panes.frame._status["watching"]
    assert field.text == "polling"
    assert "more folders than the system may watch" in field.toolTip()
    write(shop.skills / "note-a", 1)
    window.menus.carry_out("view.refresh")
    shop.wait(lambda: shop.description(window, "note-a") == "Revision 1 of note-a.", 4)
    room[0] = 100_000
    window.menus.carry_out("view.refresh")
    shop.wait(lambda: field.text == "watching")
    assert not any("limited" in text for text in window.panes.notices.texts)


def test_reading_and_our_own_state_reload_no_skill(shop, loads):
    write(shop.skills / "note-a", 0)
    write(shop.skills / "note-b", 0)
    window = shop.open()
    shop.wait(lambda: not window.services.library.scanning)
    looks = window.services.library.rescans
    for _ in range(50):
        (shop.skills / "note-a" / "SKILL.md").read_text(encoding="utf-8")
        list(shop.skills.rglob("*"))
    loads.clear()
    for number in range(20):
        (shop.skills / ".usage.json.tmp").write_text(f'{{"note-a": {{"pinned": true, "n": {number}}}}}')
        (shop.skills / ".usage.json.tmp").replace(shop.skills / ".usage.json")
    shop.wait(lambda: window.services.library.library.get("note-a").pinned)
    assert loads == []
    assert window.services.library.rescans - looks <= 5


@pytest.mark.slow
def test_edits_behind_links_are_seen_and_a_removed_link_leaves_its_target_alone(shop):
    store = shop.root / "store"
    write(store / "linked-a", 0)
    write(store / "linked-b", 0)
    shop.put("plain-one")
    (shop.skills / "linked-a").symlink_to("../store/linked-a")
    window = shop.open()
    write(store / "linked-a", 1)
    shop.wait(lambda: shop.description(window, "linked-a").startswith("Revision 1"), 6)
    (shop.skills / "linked-b").symlink_to("../store/linked-b")
    shop.wait(lambda: "linked-b" in shop.rows(window), 6)
    shop.wait(lambda: store / "linked-b" in {root.real for root in window.services.library._watch._wanted.live})
    write(store / "linked-b", 1)
    shop.wait(lambda: shop.description(window, "linked-b").startswith("Revision 1"), 6)
    (shop.skills / "linked-a").unlink()
    shop.wait(lambda: shop.rows(window) == {"plain-one", "linked-b"}, 6)
    assert (store / "linked-a" / "SKILL.md").is_file()


@pytest.mark.slow
def test_more_linked_skills_than_schedules_are_polled(shop, monkeypatch):
    monkeypatch.setattr("app.bridge.watch_roots.MOST_LINKED", 1)
    store = shop.root / "store"
    shop.settings("[library]\npoll_seconds = 1\n")
    for name in ("linked-a", "linked-b"):
        write(store / name, 0)
        (shop.skills / name).symlink_to(store / name)
    window = shop.open()
    looks = window.services.library.rescans
    shown = []
    window.services.library.library_changed.connect(shown.append)
    shop.wait(lambda: window.services.library.rescans > looks, 6)
    assert shown == []
    write(store / "linked-b", 1)
    shop.wait(lambda: shop.description(window, "linked-b").startswith("Revision 1"), 6)
    assert "looked at every 1 seconds" in window.panes.frame._status["watching"].toolTip()


@pytest.mark.slow
def test_unusable_folders_of_the_settings_are_one_notice_each_and_the_good_ones_are_watched(shop, monkeypatch):
    monkeypatch.setattr(app.bridge.watcher, "OTHER_ROOT_MS", 300)
    shop.put("plain-one")
    second, missing = shop.root / "second", shop.root / "missing-root"
    write(second / "other-one", 0)
    (shop.root / "a-file.txt").write_text("no folder")
    (shop.root / "alias-root").symlink_to("skills")
    shop.settings(
        '[library]\nfolders = ["skills", "./skills/", "alias-root", "missing-root", "a-file.txt", "", "second"]\n'
    )
    window = shop.open()
    assert sorted(skill.id for skill in window.services.library.library.skills) == ["other-one", "plain-one"]
    told = window.services.library._told
    for name in ("missing-root", "a-file.txt"):
        assert f"root:{shop.root / name}" in told
    assert "root:" in told
    write(second / "other-one", 1)
    write(shop.skills / "plain-one", 1)
    shop.wait(lambda: shop.description(window, "other-one").startswith("Revision 1"), 5)
    shop.wait(lambda: shop.description(window, "plain-one").startswith("Revision 1"), 5)
    write(missing / "late-one", 0)
    shop.wait(lambda: "late-one" in shop.rows(window))
    shop.wait(lambda: f"root:{missing}" not in told)


@pytest.mark.slow
def test_a_live_refresh_keeps_selection_scroll_place_and_typing(shop):
    for number in range(60):
        write(shop.skills / f"cat-{number // 20}" / f"item-{number:03}", 0)
    window = shop.open()
    pane = window.panes.library
    shop.wait(lambda: window.services.library.library.get("cat-1/item-030") is not None)
    window.steering.open_skill("cat-1/item-030")
    shop.wait(lambda: tuple(skill.id for skill in pane.selected) == ("cat-1/item-030",))
    place = pane.tree.verticalScrollBar().value()
    pane.focus_search()
    for letter, number in zip("item", range(4), strict=True):
        shop.qtbot.keyClicks(pane.search, letter)
        write(shop.skills / "cat-0" / f"item-{number:03}", 1)
        shop.wait(lambda n=number: shop.description(window, f"cat-0/item-{n:03}").startswith("Revision 1"), 3)
    assert pane.search.text() == "item"
    assert tuple(skill.id for skill in pane.selected) == ("cat-1/item-030",)
    assert window.steering.current == "cat-1/item-030"
    assert abs(pane.tree.verticalScrollBar().value() - place) <= 28
