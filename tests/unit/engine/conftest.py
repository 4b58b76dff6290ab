"""A small tool room that keeps real state, so that the engine is driven the way a turn drives it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.cancel import CancelToken
from app.engine.builtin import BuiltinEngine
from app.providers.values import (
    Completed,
    Message,
    ModelRequest,
    Role,
    StopReason,
    Text,
    TextDelta,
    ToolResult,
    ToolSpec,
    ToolUse,
)
from app.skills.parse import parse_skill
from app.text.similarity import terms

TOOLS = ("skills_list", "skill_view", "skill_manage", "memory", "session_search")


@dataclass
class Room:
    """Skills as files by path, memory entries, conversations to search, and every call that was made."""

    skills: dict[str, dict[str, str]] = field(default_factory=dict)
    memory: dict[str, list[str]] = field(default_factory=lambda: {"user": [], "memory": []})
    hits: list[dict[str, str]] = field(default_factory=list)
    forwards: dict[str, str] = field(default_factory=dict)
    refuse: dict[str, str] = field(default_factory=dict)
    propose: bool = False
    list_limit: int = 1000
    tools: tuple[str, ...] = TOOLS
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    system: str = "You are the assistant."
    read: set[str] = field(default_factory=set)

    def add(self, name: str, description: str, body: str, **files: str) -> None:
        text = f"---\nname: {name}\ndescription: {description}\n---\n\n{body}"
        self.skills[name] = {"SKILL.md": text, **{path.replace("__", "/"): data for path, data in files.items()}}

    def remembers(self, *, user: tuple[str, ...] = (), memory: tuple[str, ...] = ()) -> None:
        blocks = [("user", user), ("memory", memory)]
        inner = "\n".join(f'<memory target="{t}">\n' + "\n§\n".join(e) + "\n</memory>" for t, e in blocks if e)
        self.system = f"You are the assistant.\n\n# Memory\n\n{inner}\n\n# Skills\n\nnone\n"

    def say(self, text: str, task: str = "chat") -> str:
        """Play one turn to its end and give the last answer."""
        self.messages.append(Message(Role.USER, (Text(text),)))
        self.read = set()
        for _ in range(12):
            done = self._answer(task)
            self.messages.append(done.message)
            if done.stop is StopReason.END_TURN:
                return done.message.text
            uses = [block for block in done.message.blocks if isinstance(block, ToolUse)]
            assert uses
            self.messages.append(Message(Role.USER, tuple(self._call(use) for use in uses)))
        raise AssertionError("the turn did not end")

    def review(self, prompt: str = "# Review of this conversation\n\nmemory and skills") -> str:
        """Review the conversation in a copy, as the fork does."""
        before, self.messages = self.messages, list(self.messages)
        self.calls.clear()
        try:
            return self.say(prompt, "review")
        finally:
            self.messages = before

    def writes(self) -> list[tuple[str, dict[str, Any]]]:
        return [call for call in self.calls if call[0] in {"skill_manage", "memory"}]

    def _answer(self, task: str) -> Completed:
        tools = tuple(ToolSpec(name, "", {}) for name in self.tools)
        request = ModelRequest(self.system, tuple(self.messages), tools, 8192, task)
        events = list(BuiltinEngine().stream(request, CancelToken()))
        done = events[-1]
        assert isinstance(done, Completed)
        assert sum(isinstance(event, Completed) for event in events) == 1
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == done.message.text
        return done

    def _call(self, use: ToolUse) -> ToolResult:
        given = dict(use.input or {})
        self.calls.append((use.name, given))
        data = getattr(self, f"_{use.name}")(given)
        return ToolResult(use.id, use.name, json.dumps(data), is_error="error" in data)

    def _skills_list(self, given: Mapping[str, Any]) -> dict[str, Any]:
        rows = []
        for name, files in self.skills.items():
            parsed = parse_skill(files["SKILL.md"].encode(), name)
            row = {"name": name, "description": parsed.description, "category": "work"}
            wanted = set(terms(given.get("query", "")))
            if not wanted or wanted & set(terms(f"{name} {parsed.description}")):
                rows.append(row)
        data: dict[str, Any] = {"success": True, "skills": rows[: self.list_limit], "count": len(rows)}
        return data | ({"left_out": len(rows) - self.list_limit} if len(rows) > self.list_limit else {})

    def _skill_view(self, given: Mapping[str, Any]) -> dict[str, Any]:
        name = self.forwards.get(given["name"], given["name"])
        if name not in self.skills:
            return {"success": False, "error": f"There is no skill {name}."}
        files = self.skills[name]
        path = given.get("file_path", "SKILL.md")
        self.read.add(f"{name}/{path}")
        data: dict[str, Any] = {"success": True, "name": name, "content": files[path]}
        if "file_path" in given:
            data["file_path"] = path
        else:
            data |= {"description": "", "files": sorted(files.keys() - {"SKILL.md"})}
        if name != given["name"]:
            data["forwarded_from"] = given["name"]
        return data

    def _session_search(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {"success": True, "hits": self.hits}

    def _memory(self, given: Mapping[str, Any]) -> dict[str, Any]:
        store = self.memory[given["target"]]
        if self.propose:
            return {"success": False, "waiting": True, "verdict": "propose", "message": "It waits.", "proposal": "p1"}
        if given["action"] != "add":
            found = [entry for entry in store if given["old_text"] in entry]
            if len(found) != 1:
                return {"success": False, "error": "No such entry."}
            store.remove(found[0])
        if given["action"] != "remove":
            if given["content"] in store:
                return {"success": False, "error": "That is there already."}
            store.append(given["content"])
        return {"success": True, "message": "Done."}

    def _skill_manage(self, given: Mapping[str, Any]) -> dict[str, Any]:
        name, action = given["name"], given["action"]
        if name in self.refuse:
            return {"success": False, "error": self.refuse[name]}
        if self.propose:
            return {"success": False, "waiting": True, "verdict": "propose", "message": "It waits.", "proposal": "p1"}
        if action == "create":
            if name in self.skills:
                return {"success": False, "error": f"{name} exists."}
            self.skills[name] = {"SKILL.md": given["content"]}
            self.read.add(f"{name}/SKILL.md")
        elif action == "write_file":
            self.skills[name][given["file_path"]] = given["file_content"]
        elif action == "delete":
            if given["absorbed_into"] not in {"", *self.skills} - {name}:
                return {"success": False, "error": "absorbed_into names no live skill."}
            del self.skills[name]
        else:
            assert f"{name}/SKILL.md" in self.read, "changed without reading"
            self._change(given)
        return {"success": True, "message": "Done."}

    def _change(self, given: Mapping[str, Any]) -> None:
        files = self.skills[given["name"]]
        if given["action"] == "edit":
            files["SKILL.md"] = given["content"]
            return
        text = files["SKILL.md"]
        assert text.count(given["old_string"]) == 1 or given.get("replace_all"), given["old_string"]
        files["SKILL.md"] = text.replace(given["old_string"], given["new_string"])


@pytest.fixture
def room() -> Room:
    """An empty room."""
    return Room()


@pytest.fixture
def stocked() -> Room:
    """A room with three skills."""
    room = Room()
    room.add(
        "pytest-flaky",
        "Find and mend flaky pytest tests. Use when a test fails now and then.",
        "# Flaky tests\n\n## Steps\n\n1. Run it alone: `pytest -x --count 50 path::test`\n2. Replace every sleep.\n\n"
        "## Pitfalls\n\n- A retry hides the fault.\n",
    )
    room.add(
        "invoice-email",
        "Send an invoice to a customer by email. Use when a project is finished.",
        "# Invoice by email\n\n## Steps\n\n1. Export the invoice as PDF with `make pdf`.\n2. Write two lines.\n",
    )
    room.add("trip-planning", "Plan a journey by train. Use for holidays.", "# Trips\n\n## Steps\n\n1. Book early.\n")
    return room
