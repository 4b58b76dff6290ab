"""Links and copies of skills in other agents' folders: made, taken away and looked after, never over anything else.

Each is written down in the home, so that what was put there can be told from what was there, and taken back.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import AppError, Kind
from app.exchange.packing import write_out
from app.exchange.values import Agent, LinkMode, LinkState, Placed
from app.files import read_plain_file, write_atomic
from app.history.trees import hash_files
from app.history.values import Blob, BlobKind
from app.history.walk import read_folder
from app.skills.moving import remove_folder

_LIMIT = 64_000_000
_PLAIN = (BlobKind.FILE, BlobKind.EXECUTABLE)


@dataclass(frozen=True, slots=True)
class Note:
    """What the home remembers of one link or copy: `target` is the skill's real folder, `hash` a copy's content."""

    skill: str
    agent: str
    path: str
    mode: LinkMode
    target: str
    hash: str = ""


def store_problem(agent: Agent, skills: Path) -> str:
    """Why nothing may be linked into an agent's folder: it is the library itself, or one lies in the other."""
    store, folder = os.path.realpath(skills), os.path.realpath(agent.folder)
    if store == folder:
        return f"{agent.name} reads this library itself, from {agent.folder}. Nothing has to be linked."
    if folder.startswith(store + os.sep) or store.startswith(folder + os.sep):
        return f"{agent.folder} and the library lie inside each other. A link would lead in a circle."
    return ""


def place_problem(agent: Agent, real: Path, name: str) -> str:
    """Why a skill at `real` cannot be put into the agent's folder under this name; empty when it can."""
    path = agent.folder / name
    if os.path.realpath(agent.folder) == os.path.realpath(real.parent) and real.name == name:
        return f"It lies in {agent.folder} already."
    if not os.path.lexists(path):
        return ""
    if path.is_symlink() and os.path.realpath(path) == os.path.realpath(real):
        return f"{path} leads to it already."
    return f"{path} is there already and is not replaced. Move it away, or import it into the library."


def put_link(agent: Agent, real: Path, name: str, files: Mapping[str, Blob], mode: LinkMode) -> LinkMode:
    """Link (or copy, where links are not followed or not possible) a skill into an agent's folder; says which it was.

    Raises AppError(STORAGE) when neither can be written, AppError(REFUSED) when links were asked for and are not
    possible there.
    """
    path = agent.folder / name
    try:
        agent.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"{agent.folder} cannot be made: {error.strerror}. Change its permissions and try again."
        raise AppError(Kind.STORAGE, "Not linked", text) from error
    if mode is LinkMode.LINK or (mode is LinkMode.AUTO and agent.links):
        try:
            path.symlink_to(real, target_is_directory=True)
            return LinkMode.LINK
        except (OSError, RuntimeError) as error:
            if mode is LinkMode.LINK:
                text = f"Links cannot be made in {agent.folder} ({error}). Copy the skill instead (--mode copy)."
                raise AppError(Kind.REFUSED, "No links there", text) from error
    write_out(path, files, replace=False)
    return LinkMode.COPY


def take_away(note: Note, *, force: bool = False) -> None:
    """Remove a link or a copy that was put there. A copy that was changed there, or anything else, stays.

    Raises AppError(REFUSED) with the reason when it stays.
    """
    state, path = state_of(note), Path(note.path)
    if state is LinkState.MISSING:
        return
    if note.mode is LinkMode.LINK:
        if not path.is_symlink():
            text = f"{path} is no link any more. It is left alone; remove it yourself if it is not needed."
            raise AppError(Kind.REFUSED, "Not a link", text)
        path.unlink()
        return
    if state is LinkState.CHANGED and not force:
        text = f"{path} was changed there since it was copied. Import it, or remove it with --force."
        raise AppError(Kind.REFUSED, "Changed there", text)
    remove_folder(path, for_good=True)


def state_of(note: Note) -> LinkState:
    """Whether a link still leads where it should, a copy still is what was copied and what the library has."""
    path = Path(note.path)
    if not os.path.lexists(path):
        return LinkState.MISSING
    if note.mode is LinkMode.LINK:
        if not path.is_symlink():
            return LinkState.CHANGED
        return LinkState.OK if (path / "SKILL.md").exists() or path.is_dir() else LinkState.BROKEN
    if path.is_symlink() or _hash(path) != note.hash:
        return LinkState.CHANGED
    if not Path(note.target).is_dir():
        return LinkState.BROKEN
    return LinkState.OK if _hash(Path(note.target)) == note.hash else LinkState.OUTDATED


def foreign_links(agents: Iterable[Agent], known: Iterable[str]) -> list[Placed]:
    """Links in the agents' folders that were not made here, broken ones included; each folder is looked at once."""
    found: list[Placed] = []
    seen: set[str] = set()
    mine = {_spelled(Path(path)) for path in known}
    for agent in agents:
        real = os.path.realpath(agent.folder)
        if real in seen or not os.path.isdir(real):  # noqa: PTH112 - a real path is a text here
            continue
        seen.add(real)
        for path in sorted(Path(real).iterdir()):
            if path.is_symlink() and _spelled(path) not in mine:
                state = LinkState.OK if path.exists() else LinkState.BROKEN
                target = str(path.readlink())
                found.append(Placed(agent.id, agent.folder / path.name, path.name, LinkMode.LINK, state, target))
    return found


def copied(real: Path) -> dict[str, Blob]:
    """The files of a skill that a copy gets: everything but links and generated folders. Raises AppError(STORAGE)."""
    walk = read_folder(real, limit=_LIMIT)
    return {path: blob for path, blob in walk.files.items() if blob.kind in _PLAIN}


def read_notes(path: Path) -> tuple[Note, ...]:
    """What the home remembers; nothing when there is no list. Raises AppError(CORRUPT) when it is damaged."""
    try:
        loaded = json.loads(read_plain_file(path))
        return tuple(_note(row) for row in loaded["links"])
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        text = f"{path} cannot be read ({error}). Move it away; links that stand are then shown as made by others."
        raise AppError(Kind.CORRUPT, "The list of links is damaged", text) from error


def write_notes(path: Path, notes: Iterable[Note]) -> None:
    """Remember exactly these. Raises AppError(STORAGE)."""
    rows = [
        {
            "skill": note.skill,
            "agent": note.agent,
            "path": note.path,
            "mode": str(note.mode),
            "target": note.target,
            "hash": note.hash,
        }
        for note in sorted(notes, key=lambda one: one.path)
    ]
    write_atomic(path, json.dumps({"version": 1, "links": rows}, indent=1).encode() + b"\n")


def _spelled(path: Path) -> str:
    """A path with the links of its folder resolved, its own last part left as it is."""
    return str(Path(os.path.realpath(path.parent)) / path.name)


def _note(row: Mapping[str, Any]) -> Note:
    texts = {key: str(row[key]) for key in ("skill", "agent", "path", "target", "hash")}
    return Note(mode=LinkMode(row["mode"]), **texts)


def _hash(folder: Path) -> str:
    try:
        return hash_files(copied(folder))
    except AppError:
        return ""  # what cannot be read differs from everything
