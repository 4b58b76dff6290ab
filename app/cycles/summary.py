"""The one line a review leaves in the chat: what it changed, said once, from results that really are changes."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app.agent.values import ToolEnded

_PREFIX = "Self-improvement review: "
_TELLING = frozenset({"memory", "skill_manage"})
_STORES = {"user": "user profile", "memory": "memory"}
_WORDS = {
    "create": "created",
    "patch": "improved",
    "edit": "rewrote",
    "write_file": "added a file to",
    "remove_file": "removed a file from",
    "delete": "archived",
}
_PLANS = {
    "create": "create",
    "patch": "improve",
    "edit": "rewrite",
    "write_file": "add a file to",
    "remove_file": "remove a file from",
    "delete": "archive",
}


def actions_of(events: Iterable[ToolEnded]) -> tuple[dict[str, Any], ...]:
    """What these calls changed or put up for approval; results that are odd, failed or repeated say nothing."""
    found: list[dict[str, Any]] = []
    for event in events:
        action = read_action(event.call.name, event.call.input or {}, event.result.content)
        if action is not None:
            found.append(action | {"entry": event.entry, "proposal": event.proposal})
    return tuple(found)


def read_action(tool: str, arguments: Mapping[str, Any], result: str) -> dict[str, Any] | None:
    """One call's effect as plain values, None when it changed nothing or its result cannot be read."""
    if tool not in _TELLING:
        return None
    try:
        data = json.loads(result)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    waiting = data.get("verdict") == "propose"
    if data.get("success") is not True and not waiting:
        return None
    return {
        "tool": tool,
        "action": str(arguments.get("action", "")),
        "target": str(data.get("name") or arguments.get("name") or arguments.get("target") or "memory"),
        "waiting": waiting,
        "message": str(data.get("message", "")),
    }


def summary_line(actions: Iterable[Mapping[str, Any]]) -> str:
    """The line without its icon, empty when there is nothing to tell. Repeats are said once, in order."""
    parts = list(dict.fromkeys(_say(action) for action in actions))
    return _PREFIX + " · ".join(parts) if parts else ""


def _say(action: Mapping[str, Any]) -> str:
    verb, target = str(action["action"]), str(action["target"])
    if action["tool"] == "memory":
        store = _STORES.get(target, "memory")
        return f"waits to update your {store}" if action["waiting"] else f"updated your {store}"
    if action["waiting"]:
        return f"waits to {_PLANS.get(verb, verb)} {target}"
    return f"{_WORDS.get(verb, verb)} {target}"
