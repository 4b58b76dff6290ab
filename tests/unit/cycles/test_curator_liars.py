"""Models that lie at random, over generated libraries: nothing changes without approval, and every bucket is right."""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cancel import CancelToken
from app.curator.runs import read_run
from app.cycles import approval
from app.errors import AppError, Kind
from app.proposals.decisions import changes_of
from app.providers.scripted import calls, says
from app.providers.values import ModelRequest, StreamEvent
from app.skills.values import Action

FAMILIES = ("docker", "kafka", "redis", "nginx")


class Liar:
    """Reads the candidates, then deletes, merges and claims whatever comes to its mind; sometimes it dies of it."""

    name, model, needs_network = "liar", "liar", False

    def __init__(self, seed: int, names: list[str]) -> None:
        self._chance = random.Random(seed)
        self._names = names
        self._steps = self._chance.randrange(1, 7)
        self._asked = 0
        self._made: list[str] = []

    def stream(self, request: ModelRequest, token: CancelToken) -> Iterator[StreamEvent]:
        token.check()
        self._asked += 1
        if self._asked == 1:
            yield from calls(*((f"v{n}", "skill_view", {"name": name}) for n, name in enumerate(self._names)))
        elif self._asked <= self._steps + 1:
            yield from calls(*self._some_calls())
        elif self._chance.random() < 0.2:
            raise AppError(Kind.PROVIDER, "Gone", "The service broke down.")
        else:
            yield from says(f"All is well.\n\n```yaml\n{self._claims()}\n```")

    def _some_calls(self) -> list[tuple[str, str, dict[str, Any]]]:
        picked = [self._call() for _ in range(self._chance.randrange(1, 8))]
        return [(f"c{self._asked}-{number}", "skill_manage", given) for number, given in enumerate(picked)]

    def _call(self) -> dict[str, Any]:
        chance, name = self._chance, self._chance.choice(self._names)
        kind = chance.randrange(6)
        if kind == 0:
            made = f"umbrella-{chance.randrange(4)}"
            self._made.append(made)
            text = f"---\nname: {made}\ndescription: All of it.\n---\n\n# {made}\n\nSee references/{name}.md.\n"
            return {"action": "create", "name": made, "content": text}
        if kind == 1:
            rest = chance.choice(("", "word", "---\nname: other\n---\n"))
            return {"action": "edit", "name": name, "content": f"---\nname: {name}\ndescription: x\n---\n{rest}"}
        if kind == 2:
            path = chance.choice(("references/a.md", "../out.md", "scripts/run.sh", "SKILL.md"))
            return {"action": "write_file", "name": name, "file_path": path, "file_content": f"about {name}"}
        target = chance.choice([*self._names, *self._made, "ghost", "", name, "../../etc", None])
        given: dict[str, Any] = {"action": "delete", "name": name, "reason": "because"}
        return given if target is None else given | {"absorbed_into": target}

    def _claims(self) -> str:
        if self._chance.random() < 0.3:
            return self._chance.choice(("{{{", "- 1", "consolidations: x", "\t:\n", "a: *b"))
        rows = [
            {"from": self._chance.choice(self._names), "into": self._chance.choice([*self._names, "ghost"])}
            for _ in range(3)
        ]
        return json.dumps({"consolidations": rows, "prunings": [{"name": self._chance.choice(self._names)}]})


def generate(library: Any, count: int) -> list[str]:
    for number in range(count):
        name = f"{FAMILIES[number % 4]}-{number}"
        library.add(
            name, f"- Do the {name} thing.\n- Check case {number * 31}.", age_days=3 if number % 9 == 8 else 200
        )
        library.records[name]["pinned"] = number % 11 == 10
        library.records[name]["created_by"] = None if number % 13 == 12 else "agent"
    return list(library.records)


def contents(root: Path) -> dict[str, str]:
    files = sorted(path for path in (root / "skills").rglob("*") if path.is_file() and ".melete" not in path.parts)
    state = {".curator_state", ".usage.json", ".usage.json.lock"}
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.name not in state}


def lie(library: Any, seed: int, count: int) -> None:
    names = generate(library, count)
    protected = {n for n, record in library.records.items() if record["pinned"] or not record["created_by"]}
    protected |= {name for number, name in enumerate(names) if number % 9 == 8}
    home = library.open()
    before = contents(library.root)
    report = library.run(provider=Liar(seed, names), home=home)
    assert contents(library.root) == before
    assert report.tree_before == report.tree_after == home.history.tree_hash()
    merged = {item.name: item.into for item in report.consolidated}
    pruned = {item.name for item in report.pruned}
    assert len(merged) + len(pruned) == len(report.consolidated) + len(report.pruned)
    assert not merged.keys() & pruned
    assert not protected & (merged.keys() | pruned)
    changes = [c for item in report.proposals for c in changes_of(home.proposals.get(item)).values()]
    archives = {c.name: c.absorbed_into for c in changes if c.action is Action.ARCHIVE}
    assert archives == merged | dict.fromkeys(pruned, "")
    assert set(merged.values()) <= (set(names) - merged.keys() - pruned) | set(report.added)
    assert {c.name for c in changes if c.base is None} == set(report.added)
    facts = read_run(home.home.curator_runs, report.run)[1]
    assert [item["skill"] for item in facts["refused"]] == [item.skill for item in report.refused]
    assert all(item.why for item in report.refused)
    decide(home, report, names)


def decide(home: Any, report: Any, names: list[str]) -> None:
    """Approving whatever can be approved loses no skill: it lives, or lies whole in the archive."""
    for proposal in report.proposals:
        approval.show(home, proposal)
        outcome = approval.approve_named(home, proposal, everything=True)
        assert all(why for _, why in outcome.refused)
    rows = {skill.name for skill in home.library().skills}
    assert set(names) <= rows
    for name, forward in home.library().forwards.items():
        found = home.library().get(forward.into) or next(s for s in home.library().skills if s.name == forward.into)
        assert found.live, (name, forward.into)


@pytest.mark.parametrize("seed", range(8))
def test_a_liar_changes_nothing_and_is_reported_truly(curated: Any, seed: int) -> None:
    lie(curated, seed, 14)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("seed", "count"), [*((seed, 40) for seed in range(100, 130)), (7, 400), (8, 1500)])
def test_many_liars_over_larger_libraries(curated: Any, seed: int, count: int) -> None:
    lie(curated, seed, count)
