"""Folders of other agents on this machine, to be offered at the first start; they are only looked at, never written."""

from collections.abc import Sequence
from pathlib import Path

_KNOWN = (
    ("Claude", ".claude/skills"),
    ("Hermes", ".hermes/skills"),
    ("Codex", ".codex/skills"),
    ("Shared agents", ".agents/skills"),
    ("Gemini", ".gemini/skills"),
    ("Copilot", ".copilot/skills"),
    ("OpenCode", ".config/opencode/skills"),
    ("Cursor", ".cursor/skills"),
)


def agent_folders(user_home: Path) -> Sequence[tuple[str, str]]:
    """Name and path of each known skills folder below the user's own folder that exists and holds something."""
    found = []
    for name, below in _KNOWN:
        folder = user_home / below
        try:
            if folder.is_dir() and any(folder.iterdir()):
                found.append((name, str(folder)))
        except OSError:
            continue
    return found
