"""The search tool: earlier conversations, found by words, read whole, or listed."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.providers.values import Role, ToolResult
from app.sessions.values import Hit, StoredMessage
from app.toolbox.values import Answer, BadArguments, Surroundings, refused

_DEFAULT = 5
#: The first and last messages of a long conversation that are shown.
_FIRST, _LAST = 20, 10
_MESSAGE_LIMIT = 2_000
_NOTE = "This is what was said then; it may no longer be true."


def search_sessions_tool(around: Surroundings, values: Mapping[str, Any]) -> Answer:
    """Tool session_search. Raises BadArguments, and AppError when the database cannot be read."""
    query, session = values.get("query", "").strip(), values.get("session", "").strip()
    limit = values.get("limit", _DEFAULT)
    if query and session:
        raise BadArguments("session_search takes a query or a session, not both.")
    if query:
        return _found(around, query, limit)
    if session:
        return _one(around, session)
    return _latest(around, limit)


def _found(around: Surroundings, query: str, limit: int) -> Answer:
    hits = around.search(query, limit)
    rows = [_hit(hit) for hit in hits]
    data: dict[str, Any] = {"query": query, "hits": rows, "note": _NOTE if rows else "Nothing was found."}
    foreign = any(hit.tool or around.is_untrusted(hit.id) for hit in hits)
    return Answer(True, data, untrusted=foreign, target=query)


def _one(around: Surroundings, session: str) -> Answer:
    rows = [row for row in around.messages(session) if row.kind == "message"]
    if not rows:
        return refused(f"There is no session '{session}', or nothing was said in it.", target=session)
    shown = rows if len(rows) <= _FIRST + _LAST else [*rows[:_FIRST], *rows[-_LAST:]]
    data: dict[str, Any] = {"session": session, "messages": _told(shown), "note": _NOTE}
    if len(shown) < len(rows):
        data["left_out"] = len(rows) - len(shown)
    foreign = around.is_untrusted(session) or any(_has_results(row) for row in shown)
    return Answer(True, data, untrusted=foreign, target=session)


def _latest(around: Surroundings, limit: int) -> Answer:
    rows = [
        {"session": info.id, "title": info.title, "at": info.updated_at.isoformat(), "turns": info.turns}
        for info in around.recent(limit)
    ]
    return Answer(True, {"sessions": rows})


def _hit(hit: Hit) -> dict[str, Any]:
    row: dict[str, Any] = {"session": hit.id, "title": hit.title, "snippet": hit.snippet}
    if hit.at is not None:
        row["at"] = hit.at.isoformat()
    if hit.tool:
        row["role"] = "tool"
    return row


def _told(rows: Sequence[StoredMessage]) -> list[dict[str, str]]:
    """Who said what; calls and their results are left out, they are in the text where they mattered."""
    told = []
    for row in rows:
        text = row.message.text.strip()
        if text:
            cut = text if len(text) <= _MESSAGE_LIMIT else f"{text[:_MESSAGE_LIMIT]}… (cut)"
            told.append({"role": row.message.role.value, "at": row.at.isoformat(), "text": cut})
    return told


def _has_results(row: StoredMessage) -> bool:
    return row.message.role is Role.USER and any(
        isinstance(block, ToolResult) and block.untrusted for block in row.message.blocks
    )
