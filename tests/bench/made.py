"""A library for measuring: thousands of different skills in categories, one of them with a huge generated folder."""

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

_LISTS = """
build check clean convert deploy explain find fix format guard index join log measure merge plan plot
tables tests pipelines caches images queues reports routes schemas secrets sheets tokens traces
pytest docker postgres nginx pandas kafka redis terraform webpack celery airflow grafana
ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo za
"""
VERBS, THINGS, TOOLS, _PARTS = (line.split() for line in _LISTS.strip().splitlines())
CATEGORIES = 50


def _vocabulary(count: int) -> tuple[list[str], list[float]]:
    """Made-up words with the frequencies of a natural language: the n-th is used n times less than the first."""
    pick = random.Random(0)
    words = ["".join(pick.choices(_PARTS, k=pick.randint(1, 4))) + pick.choice("nrstl") for _ in range(count)]
    return words, [1 / (place + 3) for place in range(count)]


WORDS, WEIGHTS = _vocabulary(4000)


def skill_name(number: int) -> str:
    """A name that tells the skills apart; neighbours in number share a tool."""
    verb, thing = VERBS[number % len(VERBS)], THINGS[number // len(VERBS) % len(THINGS)]
    return f"{verb}-{thing}-{TOOLS[number // CATEGORIES % len(TOOLS)]}-{number}"


def verb_of(number: int) -> str:
    """The verb in a skill's name."""
    return VERBS[number % len(VERBS)]


def skill_id(number: int) -> str:
    """Where a skill stands below `skills/`."""
    return f"{TOOLS[number % len(TOOLS)]}-{number % CATEGORIES:02d}/{skill_name(number)}"


def skill_text(number: int, more: str = "") -> str:
    """A SKILL.md of about two and a half kilobytes."""
    pick = random.Random(number)
    name, other = skill_name(number), skill_name(max(0, number - CATEGORIES))
    words = pick.choices(WORDS, WEIGHTS, k=260)
    lines = [" ".join(words[at : at + 13]).capitalize() + "." for at in range(0, 260, 13)]
    steps = "\n".join(
        f"{place}. `{word} --{word[:4]}` {line}"
        for place, (word, line) in enumerate(zip(words, lines, strict=False), 1)
    )
    related = f"\n    related_skills: [{other}]" if number % 4 == 0 else ""
    about = (
        f"version: 1.{number % 9}.0\nauthor: Ada\nlicense: MIT\nplatforms: [linux, macos]\nmetadata:\n  hermes:\n"
        f"    tags: [{verb_of(number)}, {words[3]}, {words[4]}]\n    category: {words[7]}{related}\n"
    )
    body = "\n".join(f"- {line}" for line in lines[8:14])
    return (
        f"---\nname: {name}\ndescription: {lines[0][:-1]}. Use when {lines[1].lower()}\n{about}---\n\n"
        f"# {name.replace('-', ' ').capitalize()}\n\n{lines[2]}\n\n## Steps\n\n{steps}\n\n"
        f"## Pitfalls\n\n{body}\n{more}\n```sh\n{words[5]} --all | {words[6]}\n```\n"
    )


def make_library(root: Path, count: int, generated_files: int = 0) -> None:
    """Write `count` skills and their usage records below `root/skills`; old enough to be trusted by the next look."""
    skills = root / "skills"
    records = {}
    now = datetime.now(UTC)
    for number in range(count):
        folder = skills / skill_id(number)
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_text(number), encoding="utf-8")
        if number % 5 == 0:
            (folder / "references").mkdir()
            (folder / "references" / "notes.md").write_text(skill_text(number)[200:900], encoding="utf-8")
        used = (now - timedelta(days=number % 80)).isoformat()
        records[skill_name(number)] = {
            "created_by": "agent",
            "created_at": (now - timedelta(days=200)).isoformat(),
            "use_count": number % 40,
            "view_count": number % 60,
            "patch_count": number % 7,
            "last_used_at": used,
            "state": "active",
            "pinned": number % CATEGORIES == 44,
        }
    (skills / ".usage.json").write_text(json.dumps(records), encoding="utf-8")
    _generated(skills / skill_id(0) / "node_modules", generated_files)


def _generated(folder: Path, count: int) -> None:
    for number in range(count):
        if number % 100 == 0:
            place = folder / f"package-{number // 100}"
            place.mkdir(parents=True)
        (place / f"file-{number % 100}.js").write_bytes(b"x")
