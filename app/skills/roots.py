"""The roots skills are read from: the home's own library first, then the folders of the settings in their order.

A folder that is missing, unreadable, no folder, or reached a second time is one notice each and is left out; whoever
scans again looks for it again.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from app.paths import Home
from app.settings import LibrarySettings
from app.skills.values import Notice

#: The key of the notice that the home's own library cannot be listed.
HOME_UNREADABLE = "root:home"


@dataclass(frozen=True, slots=True)
class Root:
    """One folder that holds skills. `real` is its path with every link resolved: skills are told apart by it."""

    path: Path
    in_home: bool
    real: str


def find_roots(home: Home, settings: LibrarySettings) -> tuple[tuple[Root, ...], tuple[Notice, ...]]:
    """The usable roots in order, and a notice for each folder of the settings that is not usable."""
    roots = [Root(home.skills, True, os.path.realpath(home.skills))]
    notices: list[Notice] = []
    trouble = _trouble(home.skills)
    if trouble and os.path.lexists(home.skills):
        notices.append(Notice(HOME_UNREADABLE, "The library cannot be read", f"{home.skills} {trouble}"))
    for text in settings.folders:
        if not text.strip():
            notices.append(Notice("root:", "A folder of the settings has no name", "Remove the empty line there."))
            continue
        path = folder_path(home, text)
        real = os.path.realpath(path)
        trouble = _trouble(path)
        if trouble:
            notices.append(Notice(f"root:{path}", "A folder of the settings is not there", f"{path} {trouble}"))
            continue
        same = next((root for root in roots if root.real == real), None)
        if same is not None:
            text = f"{path} is the same folder as {same.path}. Its skills are listed once."
            notices.append(Notice(f"root:{path}", "A folder is listed twice", text))
            continue
        roots.append(Root(path, False, real))
    return tuple(roots), tuple(notices)


def folder_path(home: Home, text: str) -> Path:
    """A folder of the settings as a path: `~` and `$NAME` are expanded, relative paths start at the home."""
    return home.root / os.path.expandvars(Path(text).expanduser())


def _trouble(path: Path) -> str:
    try:
        with os.scandir(path):
            return ""
    except FileNotFoundError:
        return "does not exist. It is looked for again from time to time."
    except NotADirectoryError:
        return "is not a folder. Name its folder in the settings."
    except OSError as error:
        return f"cannot be read: {error.strerror}. Change its permissions."
