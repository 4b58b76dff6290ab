"""Working copies of cases, homes made from them, and the command line that works on one."""

import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from app.cli.main import run

DATA = Path(__file__).parent / "data"
PROJECT = Path(__file__).parents[2]
#: Long enough that nothing in a case is young, and that a clock of its own is easy to see.
NOW = "2026-06-15T12:00:00+00:00"


def later(now: str, days: float = 0.0, minutes: float = 0.0) -> str:
    """A time after `now`."""
    return (datetime.fromisoformat(now) + timedelta(days=days, minutes=minutes)).isoformat()


@dataclass
class Answer:
    """What one command said. `data` is its JSON document."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        try:
            return json.loads(self.out)
        except ValueError:
            raise AssertionError(f"no JSON (exit {self.code}): {self.out[:300]!r} {self.err[:2000]}") from None

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass
class Melete:
    """The command line on one home. `now` is its clock, None the real one."""

    home: Path
    now: str | None = NOW
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def skills(self) -> Path:
        return self.home / "skills"

    def arguments(self, *args: str) -> list[str]:
        clock = ["--now", self.now] if self.now else []
        head, tail = (args, ()) if "--" not in args else (args[: args.index("--")], args[args.index("--") :])
        return ["--home", str(self.home), *head, "--json", *clock, *tail]

    def __call__(self, *args: str) -> Answer:
        """Run one command in this process."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(self.arguments(*args))
        return Answer(code, out.getvalue(), err.getvalue())

    def done(self, *args: str) -> Any:
        """Run one command that must go well and return its document."""
        answer = self(*args)
        assert answer.code == 0, (args, answer.code, answer.out, answer.err)
        return answer.data

    def start(self, *args: str) -> subprocess.Popen[str]:
        """Start one command in a process of its own."""
        environ = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "app", *self.arguments(*args)]
        running = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ, encoding="utf-8"
        )
        self.started.append(running)
        return running

    def process(self, *args: str, timeout: float = 60) -> Answer:
        """Run one command in a process of its own."""
        started = self.start(*args)
        out, err = started.communicate(timeout=timeout)
        return Answer(started.returncode, out, err)

    def rows(self, *args: str) -> dict[str, dict[str, Any]]:
        """The skills of `list` by their path."""
        return {row["path"]: row for row in self.done("list", *args)["skills"]}

    def live(self) -> set[str]:
        """The names of the skills that are not archived."""
        return {row["name"] for row in self.rows().values() if row["state"] != "archived"}

    def archived(self) -> set[str]:
        """The names of the archived skills."""
        return {row["name"] for row in self.rows().values() if row["state"] == "archived"}

    def tool(self, name: str, arguments: object, origin: str = "review") -> dict[str, Any]:
        """One tool call; its document, whatever came of it."""
        answer = self("tool", name, json.dumps(arguments), "--origin", origin)
        assert not any(word in answer.err for word in ("Traceback", "bug in Melete")), answer.err
        return answer.data

    def settings(self, text: str) -> None:
        """Write melete.toml."""
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "melete.toml").write_text(text, encoding="utf-8")

    def usage(self) -> dict[str, Any]:
        """The usage records as they stand."""
        return json.loads((self.skills / ".usage.json").read_text(encoding="utf-8"))

    def record(self, **records: dict[str, Any]) -> None:
        """Change usage records; dashes of names are written as underscores here."""
        path = self.skills / ".usage.json"
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        for name, change in records.items():
            known.setdefault(name.replace("_", "-"), {}).update(change)
        path.write_text(json.dumps(known, indent=1), encoding="utf-8")

    def state(self) -> dict[str, Any]:
        """The curator's state file."""
        return json.loads((self.skills / ".curator_state").read_text(encoding="utf-8"))


class Cases:
    """Working copies of cases below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.started: list[subprocess.Popen[str]] = []

    def copy(self, case: str) -> Path:
        """The case's files, with what git cannot hold made by its setup.sh."""
        target = self._folder / case
        if not target.exists():
            shutil.copytree(DATA / case, target, symlinks=True)
            if (target / "setup.sh").exists():
                subprocess.run(["bash", str(target / "setup.sh"), str(target)], check=True, capture_output=True)
        return target

    def home(self, case: str, now: str | None = None) -> Melete:
        """A case that brings a home, at the case's own time."""
        copy = self.copy(case)
        clock = copy / "now.txt"
        time = clock.read_text().strip() if clock.exists() else NOW
        return Melete(copy / "home", now or time, self.started)

    def library(self, case: str, *, managed: bool = True, now: str | None = NOW) -> Melete:
        """A case that brings a library: it becomes the home's skills, made by a review unless said otherwise."""
        copy = self.copy(case)
        melete = Melete(copy / "home", now, self.started)
        melete.home.mkdir(parents=True)
        (copy / "library").rename(melete.skills)
        if managed:
            names = [path.parent.name for path in melete.skills.rglob("SKILL.md")]
            records = {name: {"created_by": "agent"} for name in names}
            (melete.skills / ".usage.json").write_text(json.dumps(records))
        return melete

    def json(self, case: str, file: str) -> Any:
        """One JSON file of a case."""
        return json.loads((DATA / case / file).read_text(encoding="utf-8"))


def scenario_of(calls: list[dict[str, Any]], *, read: tuple[str, ...] = ()) -> dict[str, Any]:
    """Calls as a scenario: the skills in `read` are opened first, then one call an answer, then a closing text."""
    steps = [{"tool": "skill_view", "input": {"name": name}} for name in read] + calls
    responses = []
    for number, call in enumerate(steps):
        event = {"tool": call["tool"], "id": f"tu_{number:03d}", "input": call.get("input", {})}
        when = {"tool_result_for": f"tu_{number - 1:03d}"} if number else {}
        responses.append({"name": f"call-{number:03d}", "when": when, "events": [event, {"stop": "tool_use"}]})
    last = {"tool_result_for": f"tu_{len(steps) - 1:03d}"}
    responses.append({"name": "end", "when": last, "events": [{"text": "Nothing more."}, {"stop": "end_turn"}]})
    return {"responses": responses}


def results_of(requests: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """All tool results a service was sent, by the call's id."""
    found: dict[str, dict[str, Any]] = {}
    for request in requests:
        for message in request["messages"]:
            blocks = message["content"] if isinstance(message["content"], list) else []
            found.update({block["tool_use_id"]: block for block in blocks if block.get("type") == "tool_result"})
    return found


def picture(folder: Path) -> dict[str, tuple[str, int, int, str]]:
    """Everything below a folder: kind, mode, time, and content or target."""
    found = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        if path.is_symlink():
            found[str(path.relative_to(folder))] = ("link", 0, 0, str(path.readlink()))
        elif path.is_dir():
            found[str(path.relative_to(folder))] = ("folder", facts.st_mode, 0, "")
        else:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            found[str(path.relative_to(folder))] = ("file", facts.st_mode, facts.st_mtime_ns, content)
    return found
