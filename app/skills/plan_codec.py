"""A plan as JSON: contents are named by where they are staged and by the tree ids the history keeps them under."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.errors import AppError, Kind
from app.history.values import Blob, BlobKind, Origin, Record
from app.skills.plan import MoveFolder, NewFolder, Plan, RemoveFolder, Step, WriteFile

_VERSION = 1


def encode_plan(plan: Plan, trees: Mapping[str, str | None]) -> dict[str, Any]:
    """The plan as JSON values. Step number n is staged as `stage/<id>/<n>`; `trees` gives the changes by tree id."""
    return {
        "version": _VERSION,
        "id": plan.id,
        "steps": [_step(step) for step in plan.steps],
        "usage": {key: None if fields is None else dict(fields) for key, fields in plan.usage.items()},
        "forwards": {name: dict(row) for name, row in plan.forwards.items()},
        "trees": dict(trees),
        "record": {
            "origin": plan.record.origin.value,
            "action": plan.record.action,
            "ids": list(plan.record.ids),
            "reason": plan.record.reason,
            "session": plan.record.session,
            "run": plan.record.run,
            "detail": dict(plan.record.detail),
        },
    }


def decode_plan(data: Any, stage: Path) -> tuple[Plan, dict[str, str | None]]:  # noqa: ANN401 - JSON
    """The plan (without its changes' contents) and its trees. Raises AppError(CORRUPT) when it is damaged."""
    try:
        if data["version"] != _VERSION:
            raise ValueError(f"version {data['version']}")
        raw = data["record"]
        record = Record(
            Origin(raw["origin"]),
            raw["action"],
            tuple(raw["ids"]),
            raw["reason"],
            raw["session"],
            raw["run"],
            dict(raw["detail"]),
        )
        steps = tuple(_read_step(item, stage / str(number)) for number, item in enumerate(data["steps"]))
        plan = Plan(str(data["id"]), record, steps, dict(data["usage"]), dict(data["forwards"]))
        return plan, dict(data["trees"])
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        text = f"The plan of an interrupted action cannot be read ({error}). It is kept as a copy and not carried on."
        raise AppError(Kind.CORRUPT, "An interrupted action was left", text) from error


def _step(step: Step) -> dict[str, Any]:
    if isinstance(step, NewFolder):
        return {"do": "new", "folder": step.folder}
    if isinstance(step, MoveFolder):
        return {"do": "move", "source": step.source, "target": step.target}
    if isinstance(step, RemoveFolder):
        return {"do": "remove", "folder": step.folder, "for_good": step.for_good}
    kind = None if step.after is None else step.after.kind.value
    return {"do": "write", "folder": step.folder, "path": step.path, "before": step.before, "kind": kind}


def _read_step(item: Mapping[str, Any], staged: Path) -> Step:
    if item["do"] == "new":
        return NewFolder(item["folder"], {})
    if item["do"] == "move":
        return MoveFolder(item["source"], item["target"])
    if item["do"] == "remove":
        return RemoveFolder(item["folder"], bool(item["for_good"]))
    if item["do"] != "write":
        raise ValueError(f"unknown step {item['do']}")
    after = None if item["kind"] is None else Blob(staged.read_bytes(), BlobKind(item["kind"]))
    return WriteFile(item["folder"], item["path"], item["before"], after)
