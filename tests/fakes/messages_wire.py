"""Short forms of streamed answers, written out as the events of the Messages API.

{"text": s} {"text_parts": [..]} {"thinking": s, "signature": s} {"redacted": s}
{"tool": name, "id": id, "input": {..}} or "parts": [raw json pieces]; "open": true leaves a block without its stop
{"stop": reason} {"ping": 1} {"error": [type, message]} {"raw": {..}} {"rawtext": ".."} {"sleep_ms": n}
{"no_start": 1} as the first entry leaves out message_start; the id "auto" makes a new id each time.
"""

import itertools
import json

_COUNT = itertools.count(1)


class Signed:
    """What this service signed: reasoning by signature, encrypted reasoning, and which calls they belong to."""

    def __init__(self):
        self.thinking = {}
        self.redacted = set()
        self.needed = {}


def expand(events, model, signed, usage=None):
    """Short forms -> full events."""
    events = list(events)
    if events and events[0].get("no_start"):
        events, out = events[1:], []
    else:
        message = {
            "id": f"msg_{next(_COUNT)}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 11, "output_tokens": 1} | (usage or {}),
        }
        out = [{"type": "message_start", "message": message}]
    for index, event in _numbered(events):
        out += _block(event, index, signed) if index is not None else _single(event)
    return out


def wire(event):
    """One event as the bytes on the line."""
    if event["type"] == "__raw__":
        return event["text"].encode()
    data = json.dumps(event, ensure_ascii=event.get("__ascii__", False))
    return f"event: {event['type']}\ndata: {data}\n\n".encode("utf-8", "surrogatepass")


def _numbered(events):
    index = 0
    for event in events:
        if any(key in event for key in ("text", "text_parts", "thinking", "redacted", "tool")):
            yield index, event
            index += 1
        else:
            yield None, event


def _block(event, index, signed):
    start, deltas = _content(event, signed)
    out = [{"type": "content_block_start", "index": index, "content_block": start}]
    out += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    if not event.get("open"):
        out.append({"type": "content_block_stop", "index": index})
    return out


def _content(event, signed):
    if "thinking" in event:
        signed.thinking[event["signature"]] = event["thinking"]
        half = len(event["thinking"]) // 2
        pieces = (event["thinking"][:half], event["thinking"][half:])
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
        deltas.append({"type": "signature_delta", "signature": event["signature"]})
        return {"type": "thinking", "thinking": "", "signature": ""}, deltas
    if "redacted" in event:
        signed.redacted.add(event["redacted"])
        return {"type": "redacted_thinking", "data": event["redacted"]}, []
    if "tool" in event:
        identity = f"tu_auto_{next(_COUNT)}" if event["id"] == "auto" else event["id"]
        parts = event.get("parts") or ["", json.dumps(event.get("input", {}), ensure_ascii=False)]
        start = {"type": "tool_use", "id": identity, "name": event["tool"], "input": {}}
        return start, [{"type": "input_json_delta", "partial_json": part} for part in parts]
    pieces = event.get("text_parts", [event.get("text")])
    return {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]


def _single(event):
    if "stop" in event:
        delta = {"stop_reason": event["stop"], "stop_sequence": None}
        return [
            {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 7}},
            {"type": "message_stop"},
        ]
    if "ping" in event:
        return [{"type": "ping"}]
    if "error" in event:
        return [{"type": "error", "error": {"type": event["error"][0], "message": event["error"][1]}}]
    if "raw" in event:
        return [event["raw"]]
    if "rawtext" in event:
        return [{"type": "__raw__", "text": event["rawtext"]}]
    return [{"type": "__sleep__", "ms": event["sleep_ms"]}]
