"""Where everything lives: the home's files by name, the program's own resources, and the platform's default home."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds everything, and the name of each file in it (design: on disk)."""

    root: Path

    @property
    def settings(self) -> Path:
        """The user's settings, TOML."""
        return self.root / "melete.toml"

    @property
    def database(self) -> Path:
        """Sessions, messages and search (SQLite)."""
        return self.root / "melete.db"

    @property
    def scan_cache(self) -> Path:
        """What was read of each skill (see skills/scan_cache); may be deleted at any time."""
        return self.root / "melete.cache.jsonl"

    @property
    def history(self) -> Path:
        """The content history (bare git objects)."""
        return self.root / "history.git"

    @property
    def lock(self) -> Path:
        """The lock of the one writer at a time."""
        return self.root / ("melete.lock" if self.is_hermes else ".lock")

    @property
    def skills(self) -> Path:
        """The library."""
        return self.root / "skills"

    @property
    def archive(self) -> Path:
        """Archived skills, whole folders."""
        return self.skills / ".archive"

    @property
    def journal(self) -> Path:
        """Staged folders and the plan of the action under way."""
        return self.skills / ".melete"

    @property
    def usage(self) -> Path:
        """The usage sidecar."""
        return self.skills / ".usage.json"

    @property
    def curator_state(self) -> Path:
        """The curator's own bookkeeping."""
        return self.skills / ".curator_state"

    @property
    def bundled_manifest(self) -> Path:
        """Which skills were shipped, with the hash of what was shipped."""
        return self.skills / ".bundled_manifest"

    @property
    def hub_lock(self) -> Path:
        """Which skills were installed from elsewhere."""
        return self.skills / ".hub" / "lock.json"

    @property
    def own_hub_lock(self) -> Path:
        """The list of skills imported here; a Hermes home's own list is read, never written."""
        return self.root / "melete.hub.json" if self.is_hermes else self.hub_lock

    @property
    def agents(self) -> Path:
        """Agents the user added to the table of agents."""
        return self.root / "melete.agents.toml"

    @property
    def links(self) -> Path:
        """Which skills were linked or copied into other agents' folders."""
        return self.root / "melete.links.json"

    @property
    def quarantine(self) -> Path:
        """What was fetched and is not yet judged."""
        return self.journal / "quarantine"

    @property
    def forwards(self) -> Path:
        """Where absorbed skills went."""
        return self.skills / ".forwards.json"

    @property
    def memories(self) -> Path:
        """MEMORY.md, USER.md and their archive."""
        return self.root / "memories"

    @property
    def trajectories(self) -> Path:
        """The two trajectory streams."""
        return self.root / "trajectories"

    @property
    def logs(self) -> Path:
        """The program's log."""
        return self.root / "logs"

    @property
    def curator_runs(self) -> Path:
        """One folder per curator run with its report."""
        return self.logs / "curator"

    @property
    def hermes_config(self) -> Path:
        """A Hermes home's own settings; read, never written."""
        return self.root / "config.yaml"

    @property
    def is_hermes(self) -> bool:
        """Whether this folder belongs to a Hermes agent (its settings or its database are there)."""
        return self.hermes_config.is_file() or (self.root / "state.db").is_file()


def default_home() -> Path:
    """`MELETE_HOME`, else the platform's folder for user data."""
    chosen = os.environ.get("MELETE_HOME", "").strip()
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("melete", appauthor=False))


def resources_dir() -> Path:
    """Themes, icons and prompts: inside the wheel, or beside the package in a checkout."""
    return _shipped("_resources", "resources")


def bundled_dir() -> Path:
    """The skills that ship with Melete: inside the wheel, or beside the package in a checkout."""
    return _shipped("_bundled", "skills")


def _shipped(inside: str, beside: str) -> Path:
    package = Path(__file__).resolve().parent
    packed = package / inside
    return packed if packed.is_dir() else package.parent / beside
