"""The table of other agents: data that ships with the program, and rows the user adds in the home."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.errors import AppError, Kind
from app.exchange.values import Agent
from app.files import read_plain_file


def read_agents(table: Path, own: Path) -> tuple[Agent, ...]:
    """Every agent of the shipped table and of the user's own one, whose rows replace those with the same id.

    Raises AppError(INVALID) with file and reason when the user's table cannot be read.
    """
    rows = {str(row["id"]): row for row in _rows(table)}
    if own.exists():
        for row in _rows(own):
            rows[str(row["id"])] = row
    return tuple(_agent(row) for row in rows.values())


def find_agent(agents: tuple[Agent, ...], wanted: str) -> Agent:
    """The agent with this id or name, whatever the case. Raises AppError(NOT_FOUND) with the ids there are."""
    key = wanted.strip().casefold()
    for agent in agents:
        if key in (agent.id.casefold(), agent.name.casefold()):
            return agent
    known = ", ".join(agent.id for agent in agents)
    text = f"There is no agent {wanted!r}. Known: {known}. Add others in melete.agents.toml in the home."
    raise AppError(Kind.NOT_FOUND, "No such agent", text)


def folders_read(agent: Agent) -> tuple[Path, ...]:
    """Every folder an agent reads skills from, its own first."""
    return (agent.folder, *agent.reads)


def also_read_by(agents: tuple[Agent, ...], folder: Path, but: str) -> tuple[str, ...]:
    """The names of the present agents, except `but`, that read this folder, by its real path."""
    real = os.path.realpath(folder)
    return tuple(
        agent.name
        for agent in agents
        if agent.id != but and agent.present and any(os.path.realpath(one) == real for one in folders_read(agent))
    )


def _rows(path: Path) -> list[Mapping[str, Any]]:
    try:
        loaded = tomllib.loads(read_plain_file(path).decode("utf-8-sig"))
        rows = loaded.get("agent", [])
        if not isinstance(rows, list):
            raise ValueError("[[agent]] rows are expected")
        for row in rows:
            if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("id", "folder")):
                raise ValueError("every agent needs an id and a folder")
        return rows
    except (OSError, ValueError) as error:
        text = f"{path} cannot be read: {error}. Correct it, or move it away."
        raise AppError(Kind.INVALID, "The table of agents cannot be read", text) from error


def _agent(row: Mapping[str, Any]) -> Agent:
    moved = os.environ.get(str(row.get("env", ""))) if row.get("env") else None
    folder = Path(moved) / str(row.get("below", "skills")) if moved else _path(row["folder"])
    reads = tuple(_path(text) for text in row.get("reads", ()) if isinstance(text, str))
    present = folder.parent.is_dir()
    return Agent(
        row["id"], str(row.get("name", row["id"])), folder, reads, row.get("links", True) is not False, present
    )


def _path(text: str) -> Path:
    return Path(os.path.expandvars(Path(text).expanduser()))
