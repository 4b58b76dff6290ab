"""Folders of other agents on this machine, to be offered at the first start; they are only looked at, never written."""

import os
from collections.abc import Sequence

from app.exchange.agents import read_agents
from app.paths import Home, resources_dir


def agent_folders(home: Home) -> Sequence[tuple[str, str]]:
    """Name and path of each agent's skills folder that exists and holds something, every real folder once.

    Raises AppError(INVALID) when the user's own table of agents cannot be read.
    """
    found: dict[str, tuple[str, str]] = {}
    for agent in read_agents(resources_dir() / "agents.toml", home.agents):
        try:
            if agent.folder.is_dir() and any(agent.folder.iterdir()):
                found.setdefault(os.path.realpath(agent.folder), (agent.name, str(agent.folder)))
        except OSError:
            continue  # a folder that cannot be listed is not offered
    return tuple(found.values())
