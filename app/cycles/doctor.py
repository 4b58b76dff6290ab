"""Looks whether a home is well, and mends what can be mended without losing anything."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from app.cycles.exchange_links import all_links, broken
from app.cycles.home import OpenHome
from app.cycles.model import is_basic
from app.cycles.trajectory import trajectory_folder
from app.cycles.values import Check
from app.errors import AppError
from app.providers.keys import KeyStore
from app.sessions.checking import check_file
from app.skills.usage import UsageFile


def examine(open_home: OpenHome, keys: KeyStore, *, fix: bool = False) -> tuple[Check, ...]:
    """Every check, each with what to do; with `fix` what is safe is mended first and checked again."""
    if fix:
        _mend(open_home)
    checks = (_settings, _home, _library, _usage, _history, _database, _search, _trajectories, _links)
    return (*(_guarded(check, open_home) for check in checks), _model(open_home, keys))


def _guarded(check: Callable[[OpenHome], Check], open_home: OpenHome) -> Check:
    try:
        return check(open_home)
    except AppError as error:
        return Check(check.__name__.removeprefix("_"), ok=False, message=error.title, fix=error.text)


def _mend(open_home: OpenHome) -> None:
    journal = open_home.live.journal
    journal.recover()
    if journal.waiting():
        journal.drop()  # what is on disk stays; the rest of the plan is kept beside it
    open_home.history.housekeep()


def _settings(open_home: OpenHome) -> Check:
    problems = open_home.settings.problems
    text = "; ".join(problems) or "the settings can be read"
    return Check("settings", not problems, text, f"Edit {open_home.home.settings}." if problems else "")


def _home(open_home: OpenHome) -> Check:
    home = open_home.home
    with open_home.lock.hold("doctor"):
        places = (home.root, home.skills, home.memories)
    shut = [str(place) for place in places if place.is_dir() and not os.access(place, os.W_OK | os.X_OK)]
    if shut:
        return Check("home", ok=False, message=f"{', '.join(shut)} cannot be written.", fix="Change the permissions.")
    return Check("home", ok=True, message=f"{home.root} can be written")


def _library(open_home: OpenHome) -> Check:
    library = open_home.library()
    broken = [skill.id for skill in library.skills if skill.broken]
    notices = [notice.text for notice in library.notices]
    if not broken and not notices:
        return Check("library", ok=True, message=f"{len(library.skills)} skills, none broken")
    text = " ".join([*notices, *([f"broken: {', '.join(broken)}."] if broken else [])])
    return Check("library", ok=False, message=text, fix="`melete validate` shows file, line and reason.")


def _usage(open_home: OpenHome) -> Check:
    _, notice = UsageFile(open_home.home.usage).look()
    if notice is None:
        return Check("usage", ok=True, message="usage records can be read")
    return Check("usage", ok=False, message=notice.title, fix=notice.text)


def _history(open_home: OpenHome) -> Check:
    count = len(open_home.history.entries())
    waiting = open_home.live.journal.waiting()
    if waiting:
        return Check("history", ok=False, message="an interrupted action waits", fix="Run `melete doctor --fix`.")
    return Check("history", ok=True, message=f"{count} entries")


def _database(open_home: OpenHome) -> Check:
    rows = open_home.database.read("PRAGMA quick_check(1)")
    ok = rows[0][0] == "ok"
    if ok and open_home.database.read_only:
        fix = f"Change the permissions of {open_home.database.path}."
        return Check("database", ok=False, message="The database can only be read.", fix=fix)
    fix = "" if ok else "Restart Melete: the damaged file is set aside and what can be read is saved."
    return Check("database", ok, "the database is whole" if ok else str(rows[0][0]), fix)


def _search(open_home: OpenHome) -> Check:
    version = sqlite3.sqlite_version
    return Check("search", ok=True, message=f"SQLite {version}, {open_home.settings.search.engine}")


def _trajectories(open_home: OpenHome) -> Check:
    folder = trajectory_folder(open_home)
    problems = [problem for path in _streams(folder) for problem in check_file(path)]
    fix = f"The lines are kept; move {folder} away to begin anew." if problems else ""
    return Check("trajectories", not problems, problems[0] if problems else f"{folder}", fix)


def _links(open_home: OpenHome) -> Check:
    lost = broken(all_links(open_home))
    if not lost:
        return Check("links", ok=True, message="no link leads nowhere")
    names = ", ".join(str(one.path) for one in lost)
    fix = "`melete link --check` shows them; `melete unlink` takes away what was linked from here."
    return Check("links", ok=False, message=f"links that do not do what they should: {names}", fix=fix)


def _streams(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl")) if folder.is_dir() else []


def _model(open_home: OpenHome, keys: KeyStore) -> Check:
    model = open_home.settings.model
    if is_basic(open_home.settings, keys):
        return Check("model", ok=True, message="the built-in engine, no key needed")
    try:
        known = bool(keys.read(keys.address(model.base_url)))
    except AppError as error:
        return Check("model", ok=False, message=error.title, fix=error.text)
    fix = "" if known else "Enter a key in Settings, Model, or set ANTHROPIC_API_KEY."
    return Check("model", known, f"{model.name}: {'a key is known' if known else 'no key'}", fix)
