"""What the home says about its skills outside their folders, read together: usage, forwards, sources, switches."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from app.files import read_plain_file
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.forwards import read_forwards
from app.skills.names import folded, nfc
from app.skills.usage import UsageFile, UsageRecords
from app.skills.values import Forward, Notice, Source

_MOST_CONFIG = 1 << 20
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class Sidecars:
    """The sidecars of one home. `bundled` maps folded names to the hash of what was shipped (empty when unknown), `hub`
    holds folded names, `hub_ids` ids of installed skills.

    `disabled` holds folded ids and names that are not offered to the agent.
    """

    records: UsageRecords
    forwards: Mapping[str, Forward]
    bundled: Mapping[str, str]
    hub: frozenset[str]
    hub_ids: frozenset[str]
    disabled: frozenset[str]
    notices: tuple[Notice, ...]

    def source(self, skill_id: str, name: str) -> Source:
        """Where a skill of the home came from; the shipped and the installed lists name skill or folder."""
        if not (self.bundled or self.hub or self.hub_ids):
            return Source.LOCAL
        keys = {folded(name), folded(skill_id.rpartition("/")[2])}
        if skill_id in self.hub_ids or keys & self.hub:
            return Source.HUB
        return Source.BUNDLED if keys & self.bundled.keys() else Source.LOCAL

    def shipped_hash(self, skill_id: str, name: str) -> str:
        """The hash a shipped skill had when it was shipped; empty when it is unknown."""
        return self.bundled.get(folded(skill_id.rpartition("/")[2])) or self.bundled.get(folded(name)) or ""

    def enabled(self, skill_id: str, name: str) -> bool:
        """Whether a skill is offered to the agent."""
        return not self.disabled or (folded(skill_id) not in self.disabled and folded(name) not in self.disabled)


def read_sidecars(home: Home, settings: LibrarySettings) -> Sidecars:
    """Read all sidecars. A missing one is empty, a damaged one a notice."""
    records, usage_notice = UsageFile(home.usage).look()
    forwards, forwards_notice = read_forwards(home.forwards)
    hub, hub_ids, hub_notice = _read_hub(home)
    disabled = {folded(text) for text in settings.disabled} | _hermes_disabled(home)
    notices = tuple(one for one in (usage_notice, forwards_notice, hub_notice) if one is not None)
    return Sidecars(records, forwards, _read_bundled(home), hub, hub_ids, frozenset(disabled), notices)


def _read_bundled(home: Home) -> dict[str, str]:
    """The list of shipped skills, one `name:hash` a line (older lists: a name a line)."""
    try:
        text = read_plain_file(home.bundled_manifest).decode("utf-8", "replace")
    except OSError:
        return {}  # without the list every skill is simply local
    rows = [line.strip().partition(":") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {folded(name.strip()): value.strip() for name, _, value in rows}


def _read_hub(home: Home) -> tuple[frozenset[str], frozenset[str], Notice | None]:
    try:
        data = read_plain_file(home.hub_lock)
    except OSError:
        return frozenset(), frozenset(), None
    try:
        loaded = json.loads(data)
    except (ValueError, RecursionError):
        text = f"{home.hub_lock} is not readable as JSON. Installed skills are shown as local until it is repaired."
        return frozenset(), frozenset(), Notice(f"hub:{home.hub_lock}", "The list of installed skills is damaged", text)
    rows = loaded.get("installed") if isinstance(loaded, dict) else None
    names, ids = set(), set()
    for name, row in rows.items() if isinstance(rows, dict) else ():
        names.add(folded(str(name)))
        path = row.get("install_path") if isinstance(row, dict) else None
        if isinstance(path, str):
            ids.add(nfc(path.strip("/").removeprefix("skills/")))
    return frozenset(names), frozenset(ids), None


def _hermes_disabled(home: Home) -> set[str]:
    """The names switched off in a Hermes home's own settings (`skills.disabled`); the file is read, never written."""
    try:
        with home.hermes_config.open("rb") as stream:
            loaded: Any = yaml.load(stream.read(_MOST_CONFIG), Loader=_LOADER)
    except (OSError, yaml.YAMLError, RecursionError):
        return set()  # nothing is switched off by a file that cannot be read
    section = loaded.get("skills") if isinstance(loaded, dict) else None
    names = section.get("disabled") if isinstance(section, dict) else None
    return {folded(name) for name in names if isinstance(name, str)} if isinstance(names, list) else set()
