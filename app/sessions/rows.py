"""Rows of the database as values, and the one query that sums up a session for the list."""

import sqlite3

from app.clock import parse_time
from app.providers.values import Usage
from app.sessions.blocks import load_message
from app.sessions.values import MessageState, SessionInfo, StoredMessage

_SEPARATOR = "\x1f"

#: One row per session with everything the list shows; to be followed by WHERE, ORDER BY and LIMIT.
SUMMARY = """
SELECT s.id, s.title, s.model, s.started_at, s.updated_at, s.parent,
  (SELECT count(*) FROM turn WHERE session = s.id AND id <> '') AS turns,
  (SELECT count(*) FROM message WHERE session = s.id AND kind = 'message') AS messages,
  (SELECT ending FROM turn WHERE session = s.id AND ending <> '' AND id <> '' ORDER BY number DESC LIMIT 1) AS outcome,
  (SELECT group_concat(skill, char(31))
    FROM (SELECT DISTINCT skill FROM turn_skill WHERE session = s.id ORDER BY skill)) AS skills,
  b.input, b.output, b.cache_read, b.cache_write, b.cost
FROM session AS s LEFT JOIN (
  SELECT session, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,
    sum(cache_write) AS cache_write, sum(cost) AS cost
  FROM booking GROUP BY session
) AS b ON b.session = s.id
"""


def info_from(row: sqlite3.Row) -> SessionInfo:
    """A row of SUMMARY as a value."""
    return SessionInfo(
        id=row["id"],
        title=row["title"],
        started_at=parse_time(row["started_at"]),
        updated_at=parse_time(row["updated_at"]),
        model=row["model"],
        turns=row["turns"],
        messages=row["messages"],
        usage=usage_from(row),
        outcome=row["outcome"] or "",
        skills=tuple(row["skills"].split(_SEPARATOR)) if row["skills"] else (),
        parent=row["parent"],
    )


def usage_from(row: sqlite3.Row) -> Usage:
    """The five sums of a booking; none booked is zero."""
    return Usage(
        input=row["input"] or 0,
        output=row["output"] or 0,
        cache_read=row["cache_read"] or 0,
        cache_write=row["cache_write"] or 0,
        cost=row["cost"] or 0.0,
    )


def message_from(row: sqlite3.Row) -> StoredMessage:
    """A row of `message` as a value."""
    return StoredMessage(
        id=row["id"],
        session=row["session"],
        turn=row["turn"],
        message=load_message(row["role"], row["blocks"]),
        state=MessageState(row["state"]),
        at=parse_time(row["at"]),
        kind=row["kind"],
        data=row["data"],
    )
