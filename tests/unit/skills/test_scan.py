"""Looking at a library: what is a skill, who wins, what is a link, and what is reported."""

import json
import os
import unicodedata
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.cancel import Cancelled, CancelToken
from app.clock import Clock, fixed_clock, system_clock
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.digest import digest_of
from app.skills.scan import rescan, scan
from app.skills.values import Author, Library, Load, Skill, Source, State


def put(folder: Path, front: str | None = None, body: str = "Body.\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    front = f"name: {folder.name}\ndescription: Does {folder.name}." if front is None else front
    (folder / "SKILL.md").write_text(f"---\n{front}\n---\n{body}", encoding="utf-8")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.skills.mkdir(parents=True)
    return made


def look(home: Home, *folders: Path, disabled: tuple[str, ...] = ()) -> Library:
    settings = LibrarySettings(folders=tuple(str(folder) for folder in folders), disabled=disabled)
    return scan(home, settings, system_clock)


def ids(library: Library) -> list[str]:
    return [skill.id for skill in library.skills]


def row(library: Library, skill_id: str) -> Skill:
    skill = library.get(skill_id)
    assert skill is not None
    return skill


def test_an_empty_home_has_no_skills_and_no_notices(tmp_path: Path) -> None:
    library = look(Home(tmp_path / "nothing"))
    assert (library.skills, library.notices) == ((), ())


def test_categories_are_folders_down_to_depth_six(home: Home) -> None:
    for path in ("flat", "devops/deploy", "devops/docker/compose", "a/b/c/d/e/six", "a/b/c/d/e/f/seven"):
        put(home.skills / path)
    library = look(home)
    assert ids(library) == ["a/b/c/d/e/six", "devops/deploy", "devops/docker/compose", "flat"]
    assert [skill.category for skill in library.skills] == ["a/b/c/d/e", "devops", "devops/docker", ""]


def test_a_skill_file_inside_a_skill_belongs_to_the_outer_skill(home: Home) -> None:
    put(home.skills / "writer")
    put(home.skills / "writer" / "templates" / "basic")
    (home.skills / "writer" / "references").mkdir()
    (home.skills / "writer" / "references" / "guide.md").write_text("x")
    library = look(home)
    assert ids(library) == ["writer"]
    assert row(library, "writer").file_count == 3


def test_hidden_and_generated_folders_are_not_the_library(home: Home) -> None:
    put(home.skills / "plain")
    for path in (".git/h", "node_modules/p/s", ".venv/lib/s", "__pycache__/s", ".trash/s", ".melete/stage/x"):
        put(home.skills / path)
    assert ids(look(home)) == ["plain"]


def test_generated_folders_inside_a_skill_are_not_counted(home: Home) -> None:
    folder = put(home.skills / "a")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "x.js").write_text("x")
    (folder / "run.sh").write_text("x")
    assert row(look(home), "a").file_count == 2


def test_archived_skills_come_last_with_their_own_ids(home: Home) -> None:
    put(home.archive / "retired")
    put(home.skills / "zebra")
    library = look(home)
    assert ids(library) == ["zebra", ".archive/retired"]
    assert row(library, ".archive/retired").state is State.ARCHIVED
    assert (library.counts.active, library.counts.archived) == (1, 1)


def test_broken_skills_are_rows_with_line_and_reason(home: Home) -> None:
    put(home.skills / "bad", "name: bad\ndescription: [unclosed")
    (home.skills / "dir" / "SKILL.md").mkdir(parents=True)
    (home.skills / "empty").mkdir()
    (home.skills / "empty" / "SKILL.md").write_text("")
    library = look(home)
    assert [skill.load for skill in library.skills] == [Load.SKIP, Load.SKIP, Load.SKIP]
    assert [skill.findings[0].rule for skill in library.skills] == ["FM.YAML", "DIR.SKILL_MD.NOT_FILE", "FM.OPEN"]
    assert row(library, "bad").findings[0].line is not None
    assert library.counts.broken == 3


def test_one_name_in_two_categories_and_two_roots_has_one_winner_by_the_documented_order(
    home: Home, tmp_path: Path
) -> None:
    put(home.skills / "team" / "review")
    put(home.skills / "mine" / "review")
    put(tmp_path / "other" / "review")
    library = look(home, tmp_path / "other")
    assert [(skill.id, skill.shadowed_by) for skill in library.skills] == [
        ("mine/review", None),
        ("team/review", "mine/review"),
        ("review", "mine/review"),
    ]


def test_names_that_differ_only_in_case_shadow_each_other(home: Home) -> None:
    put(home.skills / "a" / "x", "name: Report\ndescription: d")
    put(home.skills / "b" / "y", "name: report\ndescription: d")
    assert [skill.shadowed_by for skill in look(home).skills] == [None, "a/x"]


def test_a_broken_skill_shadows_nobody(home: Home, tmp_path: Path) -> None:
    put(home.skills / "review", "name: review")
    put(tmp_path / "other" / "review")
    assert [skill.shadowed_by for skill in look(home, tmp_path / "other").skills] == [None, None]


def test_one_real_folder_is_one_skill_whatever_leads_to_it(home: Home, tmp_path: Path) -> None:
    a, b, c = tmp_path / "root-a", tmp_path / "root-b", tmp_path / "root-c"
    put(a / "notes")
    put(a / "plain")
    (a / "aliases").mkdir()
    b.mkdir()
    (a / "aliases" / "notes").symlink_to("../notes")
    (b / "notes").symlink_to("../root-a/notes")
    c.symlink_to("root-a")
    library = look(home, b, a, c)
    assert ids(library) == ["notes", "plain"]
    assert row(library, "notes").folder == a / "notes"
    assert set(row(library, "notes").also_at) == {b / "notes", a / "aliases" / "notes"}
    assert [notice.title for notice in library.notices] == ["A folder is listed twice"]


def test_a_folder_of_the_settings_inside_the_library_adds_nothing(home: Home) -> None:
    put(home.skills / "cat" / "a")
    library = look(home, home.skills / "cat")
    assert [(skill.id, skill.in_home, skill.also_at) for skill in library.skills] == [("cat/a", True, ())]


def test_linked_folder_linked_file_and_linked_root_show_their_real_places(home: Home, tmp_path: Path) -> None:
    store = tmp_path / "store"
    put(store / "linked-dir")
    (store / "only.md").write_text("---\nname: linked-file\ndescription: d\n---\n")
    library_folder = tmp_path / "library"
    put(library_folder / "plain")
    (library_folder / "linked-dir").symlink_to("../store/linked-dir")
    (library_folder / "linked-file").mkdir()
    (library_folder / "linked-file" / "SKILL.md").symlink_to("../../store/only.md")
    (tmp_path / "root-link").symlink_to("library")
    library = look(home, tmp_path / "root-link")
    assert ids(library) == ["linked-dir", "linked-file", "plain"]
    assert row(library, "linked-dir").real == store / "linked-dir"
    assert row(library, "linked-file").real == store / "only.md"
    assert [one.rule for one in row(library, "linked-file").findings] == ["FS.SYMLINK_ESCAPE"]
    assert row(library, "plain").real is None


def test_a_link_to_a_tree_of_skills_is_not_followed(home: Home, tmp_path: Path) -> None:
    put(tmp_path / "tree" / "deep")
    (home.skills / "tree").symlink_to(tmp_path / "tree")
    (home.skills / "loop").symlink_to(".")
    (home.skills / "gone").symlink_to("nowhere")
    assert ids(look(home)) == []


def test_pipes_devices_and_dangling_files_never_block(home: Home) -> None:
    for name in ("pipe", "zero", "dangling", "circle"):
        (home.skills / name).mkdir()
    os.mkfifo(home.skills / "pipe" / "SKILL.md")
    (home.skills / "zero" / "SKILL.md").symlink_to("/dev/zero")
    (home.skills / "dangling" / "SKILL.md").symlink_to("nowhere.md")
    (home.skills / "circle" / "SKILL.md").symlink_to("SKILL.md")
    put(home.skills / "fine")
    os.mkfifo(home.skills / "fine" / "pipe")
    library = look(home)
    assert {skill.id: skill.findings[0].rule for skill in library.skills if skill.broken} == {
        "pipe": "FS.SPECIAL",
        "zero": "FS.SPECIAL",
        "dangling": "DIR.SKILL_MD.MISSING",
        "circle": "FS.SYMLINK_LOOP",
    }
    assert row(library, "fine").file_count == 2


def test_a_file_that_becomes_a_link_after_the_walk_is_not_read(home: Home, tmp_path: Path) -> None:
    put(home.skills / "a")
    (place,) = look(home).seen.places
    (tmp_path / "secret").write_text("---\nname: secret\ndescription: secret\n---\n")
    (home.skills / "a" / "SKILL.md").unlink()
    (home.skills / "a" / "SKILL.md").symlink_to(tmp_path / "secret")
    digest = digest_of(place, system_clock())
    assert (digest.load, digest.description) == (Load.SKIP, "")


def test_missing_and_wrong_folders_are_one_notice_each(home: Home, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    library = look(home, tmp_path / "gone", tmp_path / "file")
    assert [notice.key for notice in library.notices] == [f"root:{tmp_path / 'gone'}", f"root:{tmp_path / 'file'}"]
    assert look(home, tmp_path / "gone", tmp_path / "file").notices == library.notices


def test_a_folder_of_the_settings_may_be_a_skill_itself(home: Home, tmp_path: Path) -> None:
    put(tmp_path / "solo")
    library = look(home, tmp_path / "solo")
    assert [(skill.id, skill.in_home) for skill in library.skills] == [("solo", False)]


def test_ids_are_composed_even_where_the_disk_is_not(home: Home) -> None:
    name = "r\u00e9sum\u00e9-check"
    put(home.skills / unicodedata.normalize("NFD", name), f"name: {name}\ndescription: d")
    home.usage.write_text(json.dumps({name: {"pinned": True}}))
    (skill,) = look(home).skills
    assert (skill.id, skill.name, skill.pinned) == (name, name, True)
    assert "NAME.DIR" not in [one.rule for one in skill.findings]


def test_usage_state_pin_and_origin_facts_come_from_the_sidecars(home: Home) -> None:
    for name in ("a", "b", "c", "d"):
        put(home.skills / name)
    record = {"use_count": 3, "state": "stale", "pinned": True, "created_by": "agent", "_melete_author": "agent"}
    home.usage.write_text(json.dumps({"a": record}))
    home.bundled_manifest.write_text("b:" + "0" * 40 + "\n")
    home.hub_lock.parent.mkdir()
    home.hub_lock.write_text('{"installed": {"c-key": {"install_path": "c"}}}')
    library = look(home, disabled=("d",))
    a, b, c, d = library.skills
    assert (a.usage.uses, a.state, a.pinned, a.managed, a.author) == (3, State.STALE, True, True, Author.AGENT)
    assert (b.source, b.edited_here, c.source, d.source) == (Source.BUNDLED, True, Source.HUB, Source.LOCAL)
    assert [skill.enabled for skill in library.skills] == [True, True, True, False]


def test_a_hermes_home_switches_skills_off_in_its_own_settings(home: Home) -> None:
    put(home.skills / "a")
    home.hermes_config.write_text("skills:\n  disabled: [a]\n")
    assert look(home).skills[0].enabled is False


def test_damaged_sidecars_are_notices_and_the_skills_stay(home: Home) -> None:
    put(home.skills / "a")
    home.usage.write_text("{")
    home.forwards.write_text("[]")
    home.hub_lock.parent.mkdir()
    home.hub_lock.write_text("no")
    library = look(home)
    assert ids(library) == ["a"]
    assert [notice.key.partition(":")[0] for notice in library.notices] == ["usage", "forwards", "hub"]


def test_a_pin_stays_with_the_winner_when_a_second_skill_takes_the_name(home: Home) -> None:
    put(home.skills / "a" / "review")
    home.usage.write_text('{"review": {"pinned": true}}')
    put(home.skills / "b" / "review")
    assert [skill.pinned for skill in look(home).skills] == [True, False]


def test_related_names_and_mentions_are_found(home: Home) -> None:
    put(home.skills / "alpha")
    put(home.skills / "beta")
    front = "name: user\ndescription: d\nmetadata:\n  hermes:\n    related_skills: [alpha, gone]"
    put(home.skills / "user", front, "Run `beta`, then see [it](../alpha/SKILL.md); alphabet is nothing.\n")
    user = row(look(home), "user")
    assert (user.related, user.mentions) == (("alpha", "gone"), ("alpha", "beta"))


@pytest.mark.parametrize(
    "spelling",
    ["Bash(git add:*) Read Grep", "Bash(git add:*), Read, Grep", '["Bash(git add:*)", Read, Grep]'],
)
def test_allowed_tools_are_the_same_in_every_spelling(home: Home, spelling: str) -> None:
    put(home.skills / "t", f"name: t\ndescription: d\nallowed-tools: {spelling}")
    assert row(look(home), "t").allowed_tools == ("Bash(git add:*)", "Read", "Grep")


def test_an_asked_for_end_stops_the_look(home: Home) -> None:
    put(home.skills / "a")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        scan(home, LibrarySettings(), system_clock, token)


def later(seconds: float) -> Clock:
    return fixed_clock(datetime.now(UTC) + timedelta(seconds=seconds))


def test_an_unchanged_file_is_not_read_again_and_its_row_stays_the_same_object(home: Home) -> None:
    put(home.skills / "a")
    first = scan(home, LibrarySettings(), later(10))
    second = scan(home, LibrarySettings(), later(20), previous=first)
    assert second.skills[0] is first.skills[0]


def test_a_file_read_while_young_is_read_again(home: Home) -> None:
    put(home.skills / "a")
    first = scan(home, LibrarySettings(), later(0))
    folder = str(home.skills / "a")
    second = scan(home, LibrarySettings(), later(20), previous=first)
    assert second.seen.digests[folder][1] is not first.seen.digests[folder][1]
    assert second.skills == first.skills


def test_a_change_of_the_same_size_with_its_time_set_back_is_seen(home: Home) -> None:
    path = put(home.skills / "a") / "SKILL.md"
    first = scan(home, LibrarySettings(), later(10))
    before = path.stat()
    path.write_text(path.read_text().replace("Does a.", "Does b."))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert scan(home, LibrarySettings(), later(20), previous=first).skills[0].description == "Does b."


def test_looking_again_at_one_folder_reads_nothing_else(home: Home) -> None:
    put(home.skills / "a")
    put(home.skills / "b")
    library = scan(home, LibrarySettings(), later(10))
    put(home.skills / "a", body="changed `b`\n")
    put(home.skills / "b", "name: b\ndescription: not looked at")
    found = rescan(library, home, LibrarySettings(), later(20), [home.skills / "a" / "SKILL.md"])
    assert row(found, "a").mentions == ("b",)
    assert row(found, "b").description == "Does b."


def test_a_change_of_the_target_of_a_link_is_seen_at_the_link(home: Home, tmp_path: Path) -> None:
    put(tmp_path / "store" / "x")
    (home.skills / "x").symlink_to(tmp_path / "store" / "x")
    library = scan(home, LibrarySettings(), later(10))
    put(tmp_path / "store" / "x", "name: x\ndescription: New.")
    found = rescan(library, home, LibrarySettings(), later(20), [tmp_path / "store" / "x" / "SKILL.md"])
    assert row(found, "x").description == "New."


def test_a_folder_that_appears_is_looked_at_though_only_one_path_is_named(home: Home, tmp_path: Path) -> None:
    put(home.skills / "a")
    settings = LibrarySettings(folders=(str(tmp_path / "later"),))
    library = scan(home, settings, later(10))
    put(tmp_path / "later" / "z")
    found = rescan(library, home, settings, later(20), [home.skills / "a"])
    assert (ids(found), found.notices) == (["a", "z"], ())
