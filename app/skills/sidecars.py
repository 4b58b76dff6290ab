"""What the home says about its skills outside their folders, read together: usage, forwards, sources, switches."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from app.files import read_plain_file
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.forwards import read_forwards
from app.skills.names import folded, nfc
from app.skills.usage import UsageFile, UsageRecords, hub_facts
from app.skills.values import Forward, Notice, Source

#: Marks the rows that were written here in the list of installed skills.
OURS = "_melete"

_MOST_CONFIG = 1 << 20
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class Sidecars:
    """The sidecars of one home. `bundled` maps folded names to the hash of what was shipped (empty when unknown), `hub`
    holds folded names and ids of skills that another program installed, `imported` those of skills imported here.

    `disabled` holds folded ids and names that are not offered to the agent. `usage_mark` tells the usage file's bytes.
    """

    records: UsageRecords
    forwards: Mapping[str, Forward]
    bundled: Mapping[str, str]
    hub: frozenset[str]
    imported: frozenset[str]
    disabled: frozenset[str]
    notices: tuple[Notice, ...]
    usage_mark: str = field(default="", compare=False)

    def source(self, skill_id: str, name: str, record: object) -> Source:
        """Where a skill of the home came from; the shipped and the installed lists name skill or folder.

        What was imported here says so in its usage record; the list counts only where that record is lost.
        """
        if hub_facts(record) is not None:
            return Source.HUB
        if not (self.bundled or self.hub or self.imported):
            return Source.LOCAL
        keys = {folded(name), folded(skill_id.rpartition("/")[2])}
        if {skill_id, *keys} & (self.hub if isinstance(record, dict) else self.hub | self.imported):
            return Source.HUB
        return Source.BUNDLED if keys & self.bundled.keys() else Source.LOCAL

    def shipped_hash(self, skill_id: str, name: str) -> str:
        """The hash a shipped skill had when it was shipped; empty when it is unknown."""
        return self.bundled.get(folded(skill_id.rpartition("/")[2])) or self.bundled.get(folded(name)) or ""

    def enabled(self, skill_id: str, name: str) -> bool:
        """Whether a skill is offered to the agent."""
        return not self.disabled or (folded(skill_id) not in self.disabled and folded(name) not in self.disabled)


def read_sidecars(home: Home, settings: LibrarySettings, before: Sidecars | None = None) -> Sidecars:
    """Read all sidecars. A missing one is empty, a damaged one a notice. What is as `before` is not parsed again."""
    mark, known = (before.usage_mark, before.records) if before is not None else ("", {})
    records, usage_notice, mark = UsageFile(home.usage).look_again(mark, known)
    forwards, forwards_notice = read_forwards(home.forwards)
    hub, imported, hub_notice = _read_hub(home.hub_lock)
    if home.own_hub_lock != home.hub_lock:
        imported |= _read_hub(home.own_hub_lock)[1]
    disabled = {folded(text) for text in settings.disabled} | _hermes_disabled(home)
    notices = tuple(one for one in (usage_notice, forwards_notice, hub_notice) if one is not None)
    return Sidecars(records, forwards, _read_bundled(home), hub, imported, frozenset(disabled), notices, mark)


def _read_bundled(home: Home) -> dict[str, str]:
    """The list of shipped skills, one `name:hash` a line (older lists: a name a line)."""
    try:
        text = read_plain_file(home.bundled_manifest).decode("utf-8", "replace")
    except OSError:
        return {}  # without the list every skill is simply local
    rows = [line.strip().partition(":") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {folded(name.strip()): value.strip() for name, _, value in rows}


def _read_hub(path: Path) -> tuple[frozenset[str], frozenset[str], Notice | None]:
    """Folded names and ids of the list of installed skills: those of other programs, and those written here."""
    try:
        data = read_plain_file(path)
    except OSError:
        return frozenset(), frozenset(), None
    try:
        loaded = json.loads(data)
    except (ValueError, RecursionError):
        text = f"{path} is not readable as JSON. Installed skills are shown as local until it is repaired."
        return frozenset(), frozenset(), Notice(f"hub:{path}", "The list of installed skills is damaged", text)
    rows = loaded.get("installed") if isinstance(loaded, dict) else None
    theirs: set[str] = set()
    ours: set[str] = set()
    for name, row in rows.items() if isinstance(rows, dict) else ():
        known = row if isinstance(row, dict) else {}
        group = ours if known.get(OURS) is True else theirs
        group.add(folded(str(name)))
        where = known.get("install_path")
        if isinstance(where, str):
            group.add(nfc(where.strip("/").removeprefix("skills/")))
    return frozenset(theirs), frozenset(ours), None


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
