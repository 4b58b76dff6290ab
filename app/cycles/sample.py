"""The sample library: about sixty believable skills with siblings, ages and uses, for a first look and for the tour."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.clock import format_time
from app.paths import resources_dir


@dataclass(frozen=True, slots=True)
class SampleSkill:
    """One sample: its id, the files below its folder, and its usage record."""

    id: str
    name: str
    files: Mapping[str, bytes]
    record: Mapping[str, Any]


def sample_skills(now: datetime) -> tuple[SampleSkill, ...]:
    """All samples, their ages counted back from `now`; the same every time for the same time."""
    rows = tomllib.loads((resources_dir() / "sample" / "skills.toml").read_text(encoding="utf-8"))["skill"]
    return tuple(_sample(row, now) for row in rows)


def _sample(row: Mapping[str, Any], now: datetime) -> SampleSkill:
    name = row["name"]
    files = {"SKILL.md": _text(row).encode()}
    for other in row["related"][:1]:
        note = f"# Beside {other}\n\nUse `{other}` when the question is about that part of {row['category']}.\n"
        files[f"references/{other}.md"] = note.encode()
    return SampleSkill(f"{row['category']}/{name}", name, files, _record(row, now))


def _text(row: Mapping[str, Any]) -> str:
    title = row["name"].replace("-", " ").capitalize()
    head = ["---", f"name: {row['name']}", f"description: {row['description']}"]
    if row["related"]:
        head += ["metadata:", f"  related_skills: {', '.join(row['related'])}"]
    body = [f"# {title}", "", "## Steps", ""]
    body += [f"{number}. {step}." for number, step in enumerate(row["steps"], 1)]
    body += ["", "## Pitfalls", "", *(f"- {pitfall}." for pitfall in row["pitfalls"])]
    if row["related"]:
        body += ["", f"See also [{row['related'][0]}](references/{row['related'][0]}.md)."]
    return "\n".join([*head, "---", "", *body]) + "\n"


def _record(row: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    used = format_time(now - timedelta(days=row["idle_days"]))
    return {
        "created_by": "agent" if row["managed"] else None,
        "_melete_author": "agent" if row["managed"] else "user",
        "use_count": row["uses"],
        "view_count": row["uses"] + row["uses"] // 2,
        "patch_count": row["uses"] // 4,
        "last_used_at": used,
        "last_viewed_at": used,
        "last_patched_at": None,
        "created_at": format_time(now - timedelta(days=row["age_days"])),
        "state": "active",
        "pinned": row["pinned"],
        "archived_at": None,
    }
