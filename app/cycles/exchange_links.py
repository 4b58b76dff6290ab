"""Cycle 4, into other agents: one real folder per skill, linked (or copied) into the folders other agents read."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.cycles.home import OpenHome
from app.errors import AppError, Kind
from app.exchange.agents import also_read_by, find_agent, read_agents
from app.exchange.links import (
    Note,
    copied,
    foreign_links,
    place_problem,
    put_link,
    read_notes,
    state_of,
    store_problem,
    take_away,
    write_notes,
)
from app.exchange.values import Agent, AgentView, Linked, LinkMode, LinkReport, LinkState, Placed
from app.history.trees import hash_files
from app.paths import resources_dir
from app.skills.places import DEEPEST, entries_of, is_skipped
from app.skills.resolve import find, resolve
from app.skills.values import Skill, State

#: Links and copies made here in these states are made anew when they are asked for again.
_RENEWED = (LinkState.OUTDATED, LinkState.BROKEN, LinkState.MISSING)


def agents_here(open_home: OpenHome) -> tuple[Agent, ...]:
    """Every agent of the table, the user's own rows included. Raises AppError(INVALID) when those cannot be read."""
    return read_agents(resources_dir() / "agents.toml", open_home.home.agents)


def agent_views(open_home: OpenHome, name: str) -> tuple[AgentView, ...]:
    """Each present agent as the link sheet shows it for one skill."""
    skill = _live(open_home, name)
    agents = agents_here(open_home)
    notes = read_notes(open_home.home.links)
    views = []
    for agent in agents:
        note = next((one for one in notes if one.agent == agent.id and one.target == str(_real(skill))), None)
        if agent.present or note is not None:
            problem = store_problem(agent, open_home.home.skills)
            if not problem and note is None:
                problem = place_problem(agent, _real(skill), _folder_name(skill))
            also = also_read_by(agents, agent.folder, agent.id)
            views.append(AgentView(agent, _placed(note) if note else None, also, problem))
    return tuple(views)


def link(open_home: OpenHome, name: str, agent_ids: Sequence[str], mode: LinkMode = LinkMode.AUTO) -> LinkReport:
    """Put one skill into the folders of these agents. Nothing there is replaced, but for what was put there from here
    and is out of date or leads nowhere.

    The folder of an agent that seems not to be installed is made, and that is said. Raises AppError(NOT_FOUND) for an
    unknown skill or agent, AppError(REFUSED) for an archived or broken skill.
    """
    skill = _live(open_home, name)
    agents = agents_here(open_home)
    wanted = [find_agent(agents, one) for one in agent_ids]
    done: list[Linked] = []
    refused: list[tuple[str, str]] = []
    with open_home.lock.hold("linking"):
        for agent in wanted:
            try:
                note = _put(open_home, skill, agent, mode)
            except AppError as error:
                refused.append((agent.id, error.text))
                continue
            others = [one for one in read_notes(open_home.home.links) if one.path != note.path]
            write_notes(open_home.home.links, [*others, note])
            also = also_read_by(agents, agent.folder, agent.id)
            done.append(Linked(agent.id, note.path, note.mode, also, created=not agent.present))
    return LinkReport(skill.name, tuple(done), tuple(refused))


def unlink(open_home: OpenHome, name: str, agent_ids: Sequence[str] = (), *, force: bool = False) -> LinkReport:
    """Take a skill out of the folders of these agents (of all, when none is named), also when it is gone by now.

    Only what was put there by `link` is removed. Raises AppError(NOT_FOUND) when nothing was.
    """
    agents = agents_here(open_home)
    ids = {find_agent(agents, one).id for one in agent_ids}
    found = resolve(open_home.library(), name)
    wanted = {name, *((found.skill.id, found.skill.name) if found else ())}
    done: list[Linked] = []
    refused: list[tuple[str, str]] = []
    with open_home.lock.hold("unlinking"):
        notes = read_notes(open_home.home.links)
        mine = [
            note
            for note in notes
            if (note.skill in wanted or Path(note.path).name in wanted) and (not ids or note.agent in ids)
        ]
        if not mine:
            text = f"{name} was not linked anywhere from here. `melete link --check` lists all links."
            raise AppError(Kind.NOT_FOUND, "Not linked", text)
        for note in mine:
            try:
                take_away(note, force=force)
            except AppError as error:
                refused.append((note.agent, error.text))
                continue
            notes = tuple(one for one in notes if one.path != note.path)
            write_notes(open_home.home.links, notes)
            done.append(Linked(note.agent, note.path, note.mode))
    return LinkReport(name, tuple(done), tuple(refused))


def all_links(open_home: OpenHome) -> tuple[Placed, ...]:
    """Every link and copy made here with its state, links of others in the agents' folders, and links of the library
    itself that lead nowhere.
    """
    notes = read_notes(open_home.home.links)
    made = [_placed(note) for note in notes]
    others = foreign_links(agents_here(open_home), [note.path for note in notes])
    return (*made, *others, *_lost_in_library(open_home.home.skills))


def broken(links: Iterable[Placed]) -> tuple[Placed, ...]:
    """Those that do not do what they should."""
    return tuple(one for one in links if one.state is not LinkState.OK)


def _put(open_home: OpenHome, skill: Skill, agent: Agent, mode: LinkMode) -> Note:
    real, name = _real(skill), _folder_name(skill)
    for note in read_notes(open_home.home.links):
        if note.path == str(agent.folder / name) and state_of(note) in _RENEWED:
            take_away(note)
    trouble = store_problem(agent, open_home.home.skills) or place_problem(agent, real, name)
    if trouble:
        raise AppError(Kind.REFUSED, "Not linked", trouble)
    files = copied(real)
    used = put_link(agent, real, name, files, mode)
    tree = hash_files(files) if used is LinkMode.COPY else ""
    return Note(skill.id, agent.id, str(agent.folder / name), used, str(real), tree)


def _live(open_home: OpenHome, name: str) -> Skill:
    skill = find(open_home.library(), name)
    if skill.state is State.ARCHIVED or skill.broken:
        what = "archived; restore it" if skill.state is State.ARCHIVED else "broken; repair it"
        raise AppError(Kind.REFUSED, "Not linked", f"{skill.name} is {what} first.")
    return skill


def _real(skill: Skill) -> Path:
    """The one real folder of a skill, whatever links lead to it."""
    return Path(os.path.realpath(skill.folder))


def _folder_name(skill: Skill) -> str:
    return skill.id.rpartition("/")[2]


def _placed(note: Note) -> Placed:
    path = Path(note.path)
    return Placed(note.agent, path, path.name, note.mode, state_of(note), note.target, note.skill)


def _lost_in_library(skills: Path) -> list[Placed]:
    """Links below the library's categories that lead nowhere: the scan shows only those that lead to a skill."""
    found: list[Placed] = []
    stack = [(str(skills), 0)]
    while stack:
        folder, depth = stack.pop()
        entries = entries_of(folder) or []
        if depth and any(entry.name == "SKILL.md" for entry in entries):
            continue
        for entry in entries:
            if entry.is_symlink() and not os.path.exists(entry.path):  # noqa: PTH110 - one call per link
                path = Path(entry.path)
                target = str(path.readlink())
                found.append(Placed("", path, entry.name, LinkMode.LINK, LinkState.BROKEN, target))
            elif depth < DEEPEST and entry.is_dir(follow_symlinks=False) and not is_skipped(entry.name):
                stack.append((entry.path, depth + 1))
    return sorted(found, key=lambda one: str(one.path))
