"""Checking a trajectory file line by line, with a sentence for each thing a reader of such files would trip over."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.clock import read_time
from app.errors import AppError, Kind
from app.sessions.envelope import parse_json

_ROLES = ("system", "human", "gpt", "tool")
_THINK = re.compile(r"\A<think>\n(?:.*\n)??</think>(?=\n|\Z)", re.DOTALL)
_CALL = re.compile(r"<tool_call>\n(.*?)\n</tool_call>", re.DOTALL)
_RESPONSE = re.compile(r"<tool_response>\n(.*?)\n</tool_response>", re.DOTALL)
_TAG = re.compile(r"</?(?:think|tool_call|tool_response|REASONING_SCRATCHPAD)>")
_MOST_PROBLEMS = 200


def check_file(path: Path) -> tuple[str, ...]:
    """The problems of a trajectory file, each with its line number; empty when every line is as it should be.

    At most 200 are listed. Raises AppError(NOT_FOUND, STORAGE) when the file cannot be read.
    """
    problems: list[str] = []
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                problems += [f"Line {number}: {problem}" for problem in check_line(line)]
                if len(problems) >= _MOST_PROBLEMS:
                    return (*problems[:_MOST_PROBLEMS], f"Line {number}: there are more problems; fix these first.")
    except FileNotFoundError as error:
        text = f"There is no file {path}. Give the path of a .jsonl file."
        raise AppError(Kind.NOT_FOUND, "Nothing to check", text) from error
    except OSError as error:
        raise AppError(Kind.STORAGE, "Nothing was checked", f"{path} cannot be read: {error.strerror}.") from error
    return tuple(problems)


def check_line(line: bytes) -> Iterator[str]:
    """The problems of one line."""
    if not line.endswith(b"\n"):
        yield "it does not end with a line break, so it may be cut off."
    try:
        data = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        yield f"it is not UTF-8 text (byte {error.start})."
        return
    except (ValueError, RecursionError) as error:
        yield f"it is not valid JSON ({error})."
        return
    if not isinstance(data, dict):
        yield "it is not a JSON object."
        return
    yield from _fields(data)
    rows = data.get("conversations")
    if isinstance(rows, list):
        yield from _rows(rows)


def _fields(data: dict[str, Any]) -> Iterator[str]:
    if not isinstance(data.get("conversations"), list) or not data["conversations"]:
        yield '"conversations" is not a list of rows.'
    if read_time(data.get("timestamp")) is None:
        yield '"timestamp" is not an ISO time.'
    if not isinstance(data.get("model"), str):
        yield '"model" is not a text.'
    if not isinstance(data.get("completed"), bool):
        yield '"completed" is neither true nor false.'


def _rows(rows: list[Any]) -> Iterator[str]:
    before = ""
    for place, row in enumerate(rows, 1):
        role = row.get("from") if isinstance(row, dict) else None
        if not isinstance(row, dict) or role not in _ROLES or not isinstance(row.get("value"), str):
            yield f'row {place} has no "from" (system, human, gpt, tool) and text "value".'
            before = ""
            continue
        if (role == "system") != (place == 1):
            yield f"row {place} is {role}; the first row, and no other, is system."
        if role == "tool" and before != "gpt":
            yield f"row {place} is a tool row that follows no gpt row."
        if role == "gpt":
            yield from (f"row {place}: {problem}" for problem in _answer(row["value"]))
        if role == "tool":
            yield from (f"row {place}: {problem}" for problem in _responses(row["value"]))
        before = role


def _answer(value: str) -> Iterator[str]:
    think = _THINK.match(value)
    if think is None:
        yield "it does not begin with a <think> block."
    rest = value[think.end() :] if think else value
    for found in _CALL.finditer(rest):
        call = parse_json(found.group(1))
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            yield "a call is not a JSON object with a name."
        elif not isinstance(call.get("arguments"), dict):
            yield f"the arguments of {call['name']} are not an object."
    inner = _TAG.search(think.group()[len("<think>") : -len("</think>")]) if think else None
    if inner or _TAG.search(_CALL.sub("", rest)):
        yield "a tag stands where none belongs, so the row cannot be taken apart."


def _responses(value: str) -> Iterator[str]:
    bodies = [parse_json(found.group(1)) for found in _RESPONSE.finditer(value)]
    if not bodies or _RESPONSE.sub("", value).strip():
        yield "it is not made of <tool_response> blocks alone."
    for body in bodies:
        if not isinstance(body, dict) or not {"tool_call_id", "name", "content"} <= body.keys():
            yield "a response is not a JSON object with tool_call_id, name and content."
