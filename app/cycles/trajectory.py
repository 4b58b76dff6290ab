"""Cycle 2: every completion becomes one line, in the success or the failure stream."""

from pathlib import Path

from app.agent.values import Ending, TurnEnded
from app.cycles.home import OpenHome
from app.providers.values import Message, ToolSpec
from app.sessions.trajectory import TrajectoryFiles, to_line


def trajectory_folder(open_home: OpenHome) -> Path:
    """Where the two streams are written: the settings' folder, else the home's own."""
    chosen = open_home.settings.trajectories.folder.strip()
    return Path(chosen).expanduser() if chosen else open_home.home.trajectories


def record_turn(
    open_home: OpenHome,
    system: str,
    tools: tuple[ToolSpec, ...],
    messages: tuple[Message, ...],
    session: str,
    turn: str,
    ended: TurnEnded,
) -> None:
    """Append one line for this turn, unless recording is off. Raises AppError when the folder cannot be written."""
    if not open_home.settings.trajectories.record:
        return
    completed = ended.ending is Ending.DONE
    at = open_home.clock()
    line = to_line(system, tools, messages, session, turn, ended.model, completed=completed, at=at)
    TrajectoryFiles(trajectory_folder(open_home)).append(line)
