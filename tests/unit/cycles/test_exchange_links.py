"""Skills in other agents' folders: one real folder, nothing replaced, everything taken back that was put there."""

import os
from pathlib import Path

import pytest

from app.clock import Clock
from app.cycles.discovery import agent_folders
from app.cycles.exchange_links import agent_views, agents_here, all_links, broken, link, unlink
from app.cycles.home import OpenHome, home_key
from app.errors import AppError
from app.exchange.values import LinkMode, LinkState
from app.history.values import Origin
from app.skills.values import Action, Request, Writer

TEXT = "---\nname: {}\ndescription: A sample. Use in tests.\n---\n"
USER = Writer(Origin.USER)


@pytest.fixture
def home(tmp_path: Path, clock: Clock):
    opened = OpenHome(home_key(tmp_path / "home", clock))
    put(opened.home.skills / "demo")
    yield opened
    opened.close()


@pytest.fixture
def agent(own_home: Path) -> Path:
    """The skills folder of an agent that is installed here."""
    (own_home / ".claude").mkdir()
    return own_home / ".claude" / "skills"


def put(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(TEXT.format(folder.name))
    return folder


def states(home: OpenHome) -> list[tuple[str, LinkState]]:
    return [(one.name, one.state) for one in all_links(home)]


def test_a_link_leads_to_the_one_real_folder_and_is_taken_back(home: OpenHome, agent: Path) -> None:
    report = link(home, "demo", ["claude"])
    assert [(one.path, one.mode) for one in report.done] == [(str(agent / "demo"), LinkMode.LINK)]
    assert os.path.realpath(agent / "demo") == os.path.realpath(home.home.skills / "demo")
    assert states(home) == [("demo", LinkState.OK)]
    unlink(home, "demo", ["claude"])
    assert not os.path.lexists(agent / "demo")
    assert (home.home.skills / "demo" / "SKILL.md").exists()
    assert states(home) == []


def test_what_is_there_is_never_replaced(home: OpenHome, agent: Path) -> None:
    put(agent / "demo")
    report = link(home, "demo", ["claude"])
    assert report.done == ()
    assert "is not replaced" in report.refused[0][1]
    assert not (agent / "demo").is_symlink()


def test_linking_twice_is_refused_and_changes_nothing(home: OpenHome, agent: Path) -> None:
    link(home, "demo", ["claude"])
    assert "already" in link(home, "demo", ["claude"]).refused[0][1]
    assert states(home) == [("demo", LinkState.OK)]


def test_the_library_is_never_linked_into_itself(home: OpenHome, own_home: Path) -> None:
    (own_home / ".claude").mkdir()
    (own_home / ".claude" / "skills").symlink_to(home.home.skills)
    (own_home / ".cursor").mkdir()
    (own_home / ".cursor" / "skills").symlink_to(home.home.skills / "demo")
    report = link(home, "demo", ["claude", "cursor"])
    assert report.done == ()
    assert "reads this library itself" in report.refused[0][1]
    assert "inside each other" in report.refused[1][1]
    assert sorted(path.name for path in home.home.skills.iterdir() if path.name[0] != ".") == ["demo"]


def test_who_else_reads_the_folder_is_told(home: OpenHome, agent: Path, own_home: Path) -> None:
    (own_home / ".cursor").mkdir()
    (own_home / ".config" / "opencode").mkdir(parents=True)
    assert "Cursor" in link(home, "demo", ["claude"]).done[0].also_read_by
    views = {view.agent.id: view for view in agent_views(home, "demo")}
    assert views["claude"].placed is not None
    assert "Cursor" in views["claude"].also_read_by
    assert views["cursor"].also_read_by == ()


def test_an_agent_whose_root_was_moved_by_its_variable_is_found_there(
    home: OpenHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "moved"))
    (tmp_path / "moved").mkdir()
    assert link(home, "demo", ["Claude Code"]).done[0].path == str(tmp_path / "moved" / "skills" / "demo")


def test_the_folder_of_an_agent_that_is_not_installed_is_made_and_that_is_said(home: OpenHome, own_home: Path) -> None:
    (made,) = link(home, "demo", ["windsurf"]).done
    assert made.created
    assert (own_home / ".codeium" / "windsurf" / "skills" / "demo").is_symlink()


def test_a_user_adds_agents_and_moves_known_ones(home: OpenHome, tmp_path: Path) -> None:
    place = tmp_path / "own"
    home.home.agents.write_text(
        f'[[agent]]\nid = "mine"\nfolder = "{place}/skills"\n[[agent]]\nid = "claude"\nfolder = "{place}/claude"\n'
    )
    place.mkdir()
    assert {agent.id: str(agent.folder) for agent in agents_here(home)}["claude"] == f"{place}/claude"
    assert link(home, "demo", ["mine"]).done[0].path == f"{place}/skills/demo"


def test_a_table_that_cannot_be_read_says_where(home: OpenHome) -> None:
    home.home.agents.write_text("[[agent]]\nname = 'x'\n")
    with pytest.raises(AppError, match=r"melete\.agents\.toml"):
        agents_here(home)


def test_an_unknown_agent_is_answered_with_those_there_are(home: OpenHome) -> None:
    with pytest.raises(AppError, match="claude, codex"):
        link(home, "demo", ["nobody"])


def test_a_copy_is_told_when_it_is_outdated_or_changed_there(home: OpenHome, agent: Path) -> None:
    link(home, "demo", ["claude"], LinkMode.COPY)
    assert not (agent / "demo").is_symlink()
    assert states(home) == [("demo", LinkState.OK)]
    home.door.do(Request(Action.EDIT, "demo", content=TEXT.format("demo") + "More.\n"), USER)
    assert states(home) == [("demo", LinkState.OUTDATED)]
    (agent / "demo" / "SKILL.md").write_text("mine")
    assert states(home) == [("demo", LinkState.CHANGED)]
    assert "changed there" in unlink(home, "demo").refused[0][1]
    assert (agent / "demo" / "SKILL.md").read_text() == "mine"
    unlink(home, "demo", force=True)
    assert not (agent / "demo").exists()


def test_an_outdated_copy_and_a_lost_link_are_made_anew_when_asked_for_again(home: OpenHome, agent: Path) -> None:
    link(home, "demo", ["claude"], LinkMode.COPY)
    home.door.do(Request(Action.EDIT, "demo", content=TEXT.format("demo") + "More.\n"), USER)
    assert link(home, "demo", ["claude"], LinkMode.COPY).done
    assert states(home) == [("demo", LinkState.OK)]
    assert "More." in (agent / "demo" / "SKILL.md").read_text()
    (agent / "demo" / "SKILL.md").write_text("mine")
    assert "is not replaced" in link(home, "demo", ["claude"], LinkMode.COPY).refused[0][1]
    assert (agent / "demo" / "SKILL.md").read_text() == "mine"


def test_a_link_in_a_folder_with_two_spellings_is_listed_once(home: OpenHome, agent: Path, own_home: Path) -> None:
    (own_home / ".agents").mkdir()
    agent.mkdir()
    (own_home / ".agents" / "skills").symlink_to(agent)
    link(home, "demo", ["claude"])
    assert states(home) == [("demo", LinkState.OK)]


def test_where_links_are_not_possible_the_skill_is_copied(
    home: OpenHome, agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(1, "not permitted")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    assert "Copy the skill" in link(home, "demo", ["claude"], LinkMode.LINK).refused[0][1]
    assert link(home, "demo", ["claude"]).done[0].mode is LinkMode.COPY
    assert (agent / "demo" / "SKILL.md").read_text() == TEXT.format("demo")


def test_an_agent_that_follows_no_links_gets_a_copy(home: OpenHome, own_home: Path) -> None:
    (own_home / ".codex").mkdir()
    assert link(home, "demo", ["codex"]).done[0].mode is LinkMode.COPY


def test_links_that_lead_nowhere_are_found_wherever_they_are(home: OpenHome, agent: Path) -> None:
    link(home, "demo", ["claude"])
    home.door.do(Request(Action.RENAME, "demo", to="renamed"), USER)
    (agent / "lost").symlink_to(agent / "nowhere")
    (home.home.skills / "gone").symlink_to(home.home.root / "nowhere")
    found = broken(all_links(home))
    assert {(one.name, one.agent) for one in found} == {("demo", "claude"), ("lost", "claude"), ("gone", "")}
    unlink(home, "demo")
    assert not os.path.lexists(agent / "demo")


def test_only_what_was_put_there_is_taken_away(home: OpenHome, agent: Path) -> None:
    agent.mkdir()
    (agent / "demo").symlink_to(home.home.skills / "demo")
    with pytest.raises(AppError, match="not linked anywhere"):
        unlink(home, "demo")
    assert (agent / "demo").is_symlink()


def test_an_archived_skill_is_not_linked(home: OpenHome, agent: Path) -> None:
    home.door.do(Request(Action.ARCHIVE, "demo", absorbed_into=""), USER)
    with pytest.raises(AppError, match="archived"):
        link(home, "demo", ["claude"])


def test_agents_that_have_skills_here_are_offered_once(home: OpenHome, agent: Path, own_home: Path) -> None:
    put(agent / "theirs")
    (own_home / ".cursor").mkdir()
    (own_home / ".cursor" / "skills").symlink_to(agent)
    (own_home / ".codex" / "skills").mkdir(parents=True)
    assert agent_folders(home.home) == (("Claude Code", str(agent)),)
