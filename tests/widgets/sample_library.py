"""A believable library of some sixty skills, for pictures and tests."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.skills.values import Author, Finding, Library, Load, Severity, Skill, Source, State, Usage

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ROOT = Path("/home/ada/melete/skills")
TEXTS = {
    "python": [
        (
            "testing-python",
            "Write and run pytest suites: fixtures, markers, parametrised cases and useful failure output",
        ),
        ("pytest-flaky", "Find the cause of tests that fail sometimes: order, time, shared state, network"),
        ("packaging-wheels", "Build wheels and source distributions with hatchling and check them before a release"),
        ("type-hints", "Add strict type hints to an untyped code base, one module at a time"),
        ("profiling-cpu", "Measure where time goes with perf and py-spy before changing anything"),
        ("async-pitfalls", "Spot blocking calls, lost tasks and cancelled scopes in asyncio programs"),
        ("sqlite-tuning", "Indexes, WAL and query plans for SQLite under concurrent readers"),
        ("click-commands", "Small command lines with click: options, exit codes, and tests through CliRunner"),
        ("logging-setup", "Rotating logs with secrets masked, and levels that make sense"),
        ("dependency-audit", "Check what a dependency pulls in and whether it is still maintained"),
    ],
    "git": [
        ("git-bisect", "Find the commit that broke something with git bisect run"),
        ("commit-messages", "Short subject in the imperative, a body that says why"),
        ("rebase-safely", "Clean a branch before review without losing work; reflog as the way back"),
        ("large-files", "Keep binaries out of history; move those that slipped in"),
        ("release-notes", "Turn merged pull requests into notes a user can read"),
        ("hooks-and-ci", "Run the same checks locally and on the server"),
    ],
    "writing": [
        ("plain-english", "Short sentences, concrete words, one idea per paragraph"),
        ("meeting-notes", "Decisions first, then who does what by when; the discussion last"),
        ("status-reports", "Weekly report for Lena: three lines, numbers, one risk"),
        ("translate-german", "Translate product texts into German with the house's terms"),
        ("résumé-review", "Read a résumé with the eyes of a recruiter and suggest cuts"),
        ("会议纪要", "把会议录音整理成要点、决定和待办事项"),
    ],
    "ops": [
        ("docker-debug", "Look inside a container that will not start: entrypoint, user, mounts, limits"),
        ("nginx-tls", "Certificates, redirects and HSTS for a small site"),
        ("postgres-backup", "Nightly dumps, a restore test each week, and what to watch"),
        ("incident-log", "Keep a timeline during an incident and write the summary afterwards"),
        ("cron-jobs", "Timers that say when they fail"),
        ("ssh-access", "Keys, agents and jump hosts without copying secrets around"),
        ("disk-full", "Find what filled a disk and free it without breaking a service"),
    ],
    "data": [
        ("csv-cleaning", "Encodings, separators, stray quotes and dates in files people send"),
        ("pandas-joins", "Joins that do not multiply rows; checks before and after"),
        ("plotting", "Plain charts with labels that can be read in a report"),
        ("excel-reports", "Fill a spreadsheet template and keep its formulas"),
        ("duckdb-queries", "Query Parquet folders in place and explain the plan"),
        ("survey-analysis", "Weights, missing answers and honest error bars"),
    ],
    "web/frontend": [
        ("css-layout", "Grid first, flex inside, no fixed heights"),
        ("accessibility-check", "Keyboard path, names, contrast and focus before anything else"),
        ("playwright-tests", "Stable selectors, waits on conditions, traces on failure"),
        ("forms", "Labels, errors beside the field, nothing lost on reload"),
    ],
    "web/backend": [
        ("rest-design", "Resources, status codes and pagination that clients can rely on"),
        ("rate-limits", "Back off, honour Retry-After, and never hammer"),
        ("openapi", "Keep the description and the code in step"),
    ],
    "": [("scratch-notes", "Loose notes that have no home yet"), ("house-style", "How we name things here")],
}
ARCHIVED = [
    ("pytest-fixtures", "testing-python"),
    ("pytest-markers", "testing-python"),
    ("docker-volumes", "docker-debug"),
    ("old-jenkins", None),
    ("svn-import", None),
    ("bower", None),
    ("csv-excel", "csv-cleaning"),
]


def skills():
    """Every row of the sample."""
    found = []
    for category, items in TEXTS.items():
        for name, text in items:
            found.append(_skill(len(found), category, name, text))
    broken = Finding("front-matter.closed", Severity.ERROR, 1, "The front matter is opened with --- but never closed.")
    found.append(_skill(90, "ops", "terraform-plan", "", load=Load.SKIP, findings=(broken,)))
    for place, (name, into) in enumerate(ARCHIVED):
        found.append(
            _skill(
                100 + place,
                "",
                name,
                f"Folded into {into}" if into else "Unused for 94 days",
                id=f".archive/{name}",
                folder=ROOT / ".archive" / name,
                state=State.ARCHIVED,
                absorbed_into=into,
                pinned=False,
            )
        )
    return tuple(found)


def library():
    """The sample as a Library."""
    return Library(skills())


WAITING = {"python/testing-python": 3, "git/release-notes": 1, "data/csv-cleaning": 12}


def _skill(number, category, name, text, **more):
    skill_id = f"{category}/{name}" if category else name
    values = {
        "id": skill_id,
        "name": name,
        "category": category,
        "description": text,
        "folder": ROOT / skill_id,
        "root": ROOT,
        "state": State.STALE if number % 9 == 4 else State.ACTIVE,
        "pinned": number % 11 == 0,
        "enabled": number % 17 != 5,
        "source": (Source.LOCAL, Source.LOCAL, Source.HUB, Source.BUNDLED)[number % 4],
        "author": (Author.AGENT, Author.USER, Author.UNKNOWN)[number % 3],
        "managed": number % 3 == 0,
        "usage": Usage(True, number * 7 % 41, number % 9, number % 5, NOW - timedelta(days=number * 3 % 80)),
        "size": 2_000 + number * 371,
        "file_count": 1 + number % 4,
        "catalogue_tokens": 30 + number,
        "body_tokens": 400 + number * 23,
        "modified_at": NOW - timedelta(days=number),
        "findings": (),
    }
    return Skill(**{**values, **more})
