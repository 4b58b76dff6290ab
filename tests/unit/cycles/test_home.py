"""Opening a home: a Hermes home keeps its own rules and every byte until somebody acts."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.clock import Clock, fixed_clock, system_clock
from app.cycles import start
from app.cycles.curator import status
from app.cycles.home import OpenHome, home_key, read_settings
from app.cycles.start import ready_home, start_home
from app.paths import Home
from app.settings import load_settings, save_settings, with_value
from app.skills import digest, scan

CONFIG = "curator:\n  stale_after_days: 14\n  archive_after_days: 0\nskills:\n  disabled: [deploy-web]\n"
SKILL = "---\nname: deploy-web\ndescription: Deploys the web tier. Use for releases.\n---\n\n# Deploy\n"


def hermes(tmp_path: Path) -> Home:
    home = Home(tmp_path / "hermes")
    folder = home.skills / "devops" / "deploy-web"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL, encoding="utf-8")
    home.hermes_config.write_text(CONFIG, encoding="utf-8")
    return home


def every_byte(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_a_hermes_home_keeps_its_thresholds_and_its_schedule_is_off(tmp_path: Path) -> None:
    settings = read_settings(hermes(tmp_path))
    assert settings.curator.stale_after_days == 14
    assert settings.curator.archive_after_days == 90
    assert settings.curator.enabled is False
    assert settings.library.disabled == ("deploy-web",)


def test_what_melete_toml_says_wins_over_a_hermes_config(tmp_path: Path) -> None:
    home = hermes(tmp_path)
    save_settings(home.settings, with_value(load_settings(home.settings), "curator", "stale_after_days", 21.0))
    settings = read_settings(home)
    assert settings.curator.stale_after_days == 21
    assert settings.library.disabled == ("deploy-web",)


def test_starting_on_a_hermes_home_changes_no_existing_file_and_seeds_nothing(tmp_path: Path, clock: Clock) -> None:
    home = hermes(tmp_path)
    before = every_byte(home.root)
    opened = OpenHome(home_key(home.root, clock))
    assert start_home(opened) == ()
    assert status(opened, 0.0).enabled is False
    opened.close()
    after = every_byte(home.root)
    assert {name: after[name] for name in before} == before
    assert all(name.startswith(("melete", "history.git", "skills/.melete")) for name in set(after) - set(before))


def many_skills(root: Path, count: int = 25) -> Home:
    home = Home(root)
    for number in range(count):
        folder = home.skills / "cat" / f"s-{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: s-{number}\ndescription: Does {number}.\n---\n", encoding="utf-8")
    return home


def test_a_home_is_not_read_twice_by_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "SETTLE_SECONDS", -1.0)
    home = many_skills(tmp_path / "home")
    first = OpenHome(home_key(home.root, system_clock))
    library = first.library()
    first.close()
    read: list[str] = []
    real = scan.digest_of
    monkeypatch.setattr(scan, "digest_of", lambda place, now: read.append(place.id) or real(place, now))
    second = OpenHome(home_key(home.root, system_clock))
    assert second.library() == library
    assert read == []
    second.close()


def test_a_look_keeps_nothing_but_one_file_of_its_own_in_a_hermes_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digest, "SETTLE_SECONDS", -1.0)
    home = many_skills(hermes(tmp_path).root)
    before = every_byte(home.root)
    opened = OpenHome(home_key(home.root, system_clock))
    library = opened.library()
    opened.close()
    after = every_byte(home.root)
    assert len(library.skills) == 26
    assert {name: after[name] for name in before} == before
    assert all(name.startswith(("melete.", "history.git")) for name in set(after) - set(before))
    assert home.scan_cache.name in after


def test_a_played_clock_keeps_nothing(tmp_path: Path) -> None:
    home = many_skills(tmp_path / "home")
    opened = OpenHome(home_key(home.root, fixed_clock(datetime(2999, 1, 1, tzinfo=UTC))))
    assert len(opened.library().skills) == 25
    opened.close()
    assert not home.scan_cache.exists()


def test_a_new_home_gets_the_bundled_skills_once(tmp_path: Path, clock: Clock) -> None:
    opened = OpenHome(home_key(tmp_path / "new", clock))
    ready_home(opened)
    names = {skill.name for skill in opened.library().skills}
    opened.close()
    again = OpenHome(home_key(tmp_path / "new", clock))
    ready_home(again)
    assert len(names) >= 8
    assert {skill.name for skill in again.library().skills} == names
    assert len(again.history.entries()) == 1
    again.close()


def test_a_home_with_skills_of_its_own_gets_no_bundled_ones(tmp_path: Path, clock: Clock) -> None:
    root = tmp_path / "own"
    (root / "skills" / "mine").mkdir(parents=True)
    (root / "skills" / "mine" / "SKILL.md").write_text(SKILL.replace("deploy-web", "mine"), encoding="utf-8")
    opened = OpenHome(home_key(root, clock))
    ready_home(opened)
    assert [skill.id for skill in opened.library().skills] == ["mine"]
    opened.close()


def test_a_large_library_is_recorded_in_pieces_that_are_told(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "_LARGE", 5)
    monkeypatch.setattr(start, "_PIECE", 2)
    for number in range(5):
        folder = tmp_path / f"skills/s{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: s{number}\ndescription: d\n---\n\nBody\n")
    home = OpenHome(home_key(tmp_path, clock))
    told: list[tuple[int, int]] = []
    ready_home(home, lambda recorded: told.append((recorded.done, recorded.total)))
    assert told == [(2, 5), (4, 5), (5, 5)]
    assert {prefix for prefix in home.history.prefixes() if prefix.startswith("skills/")} == {
        f"skills/s{number}" for number in range(5)
    }
    ready_home(home, lambda recorded: told.append((recorded.done, recorded.total)))
    assert len(told) == len(home.history.entries()) == 3
    home.close()
