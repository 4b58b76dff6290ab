"""The rules the service applies to a conversation; a broken one is answered with 400."""

import re

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def violations(request, signed):
    """Sentences about everything in this request that the service would refuse."""
    messages = request.get("messages") or []
    found = list(_frame(request, messages))
    seen = set()
    for index, message in enumerate(messages):
        found += [f"message {index}: {text}" for text in _message(messages, index, message, seen)]
        found += [f"message {index}: {text}" for text in _reasoning(message, signed)]
    found += _running_turn(messages, signed)
    return found


def blocks(content):
    """A message's content as a list of blocks."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def _frame(request, messages):
    if not isinstance(request.get("max_tokens"), int):
        yield "max_tokens missing"
    if not messages:
        yield "messages is empty"
    elif messages[0].get("role") != "user":
        yield "the first message is not from the user"
    names = [tool.get("name") for tool in request.get("tools") or []]
    if len(names) != len(set(names)):
        yield "tool names repeat"
    for name in names:
        if not _NAME.fullmatch(name or ""):
            yield f"bad tool name {name!r}"
    marks = str(request).count("'cache_control'")
    if marks > 4:
        yield f"{marks} cache breakpoints"


def _message(messages, index, message, seen):
    role, content = message.get("role"), blocks(message.get("content"))
    last = index == len(messages) - 1
    if not content and not (role == "assistant" and last):
        yield "empty content"
    if any(block.get("type") == "text" and not (block.get("text") or "").strip() for block in content):
        yield "a blank text block"
    uses = [block for block in content if block.get("type") == "tool_use"]
    results = [block for block in content if block.get("type") == "tool_result"]
    if (role == "user" and uses) or (role == "assistant" and results):
        yield f"a block that the {role} cannot send"
    for block in uses:
        if block.get("id") in seen:
            yield f"tool_use id {block.get('id')} repeats"
        seen.add(block.get("id"))
        if not re.fullmatch(r"[a-zA-Z0-9_-]+", block.get("id") or "") or not _NAME.fullmatch(block.get("name") or ""):
            yield f"bad id or name of a tool_use: {block.get('id')!r} {block.get('name')!r}"
        if not isinstance(block.get("input"), dict):
            yield "the tool input is not an object"
    if uses:
        yield from _answers(messages, index, uses)
        kinds = [block.get("type") for block in content]
        if "thinking" in kinds and kinds[-1] != "tool_use":
            yield "a block after tool_use in a thinking turn"
    before = blocks(messages[index - 1].get("content")) if index else []
    asked = [block.get("id") for block in before if block.get("type") == "tool_use"]
    for block in results:
        if block.get("tool_use_id") not in asked:
            yield f"tool_result {block.get('tool_use_id')} without its tool_use"
    if last and role == "assistant" and content and content[-1].get("type") == "text":
        text = content[-1]["text"]
        if text != text.rstrip():
            yield "the final assistant text ends in blanks"


def _answers(messages, index, uses):
    after = messages[index + 1] if index + 1 < len(messages) else {}
    content = blocks(after.get("content")) if after.get("role") == "user" else []
    given = [block.get("tool_use_id") for block in content if block.get("type") == "tool_result"]
    for block in uses:
        if given.count(block.get("id")) != 1:
            yield f"tool_use {block.get('id')} has {given.count(block.get('id'))} results in the next message"
    kinds = [block.get("type") == "tool_result" for block in content]
    if kinds != sorted(kinds, reverse=True):
        yield "a tool_result after other content in the next message"


def _reasoning(message, signed):
    for block in blocks(message.get("content")):
        if block.get("type") == "thinking":
            wanted = signed.thinking.get(block.get("signature"))
            if wanted is None:
                yield "thinking with an unknown signature"
            elif wanted != block.get("thinking"):
                yield "thinking text changed"
        if block.get("type") == "redacted_thinking" and block.get("data") not in signed.redacted:
            yield "redacted thinking changed"


def _running_turn(messages, signed):
    if len(messages) < 2 or messages[-1].get("role") != "user":
        return []
    last = blocks(messages[-2].get("content"))
    ids = [block.get("id") for block in last if block.get("type") == "tool_use"]
    needed = next((signed.needed[identity] for identity in ids if signed.needed.get(identity)), [])
    given = [
        block.get("signature") or block.get("data")
        for block in last
        if block.get("type") in ("thinking", "redacted_thinking")
    ]
    return [] if given == needed or not needed else ["thinking blocks of the running tool turn are missing"]
