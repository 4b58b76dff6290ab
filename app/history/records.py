"""The record of an entry: one line of ASCII JSON behind `Melete: `, the whole commit message.

Nothing else is ever read from a message, so a reason with line breaks or fake trailers cannot forge an origin.
"""

import json
from datetime import datetime
from typing import Any

from app.clock import format_time, read_time
from app.history.values import Origin, Record

_MARK = "Melete: "


def encode_record(record: Record, at: datetime) -> str:
    """The commit message for a record made at `at`."""
    body: dict[str, Any] = {
        "origin": record.origin.value,
        "action": record.action,
        "ids": list(record.ids),
        "at": format_time(at),
        "reason": record.reason,
        "session": record.session,
        "run": record.run,
        "detail": dict(record.detail),
    }
    kept = {key: value for key, value in body.items() if value not in (None, "", {})}
    return _MARK + json.dumps(kept, ensure_ascii=True, sort_keys=True, separators=(",", ":")) + "\n"


def decode_record(message: str) -> tuple[Record, datetime | None]:
    """The record and its time from a commit message.

    A message that no version of this program wrote is an `outside` record without ids: it is shown, never trusted.
    """
    line, _, rest = message.partition("\n")
    if not line.startswith(_MARK) or rest.strip():
        return _foreign(line), None
    try:
        body = json.loads(line[len(_MARK) :])
        origin, action = Origin(body["origin"]), str(body["action"])
        ids = tuple(str(item) for item in body["ids"])
        detail = body.get("detail", {})
    except (ValueError, KeyError, TypeError):
        return _foreign(line), None
    return (
        Record(
            origin=origin,
            action=action,
            ids=ids,
            reason=str(body.get("reason", "")),
            session=_text(body.get("session")),
            run=_text(body.get("run")),
            detail=detail if isinstance(detail, dict) else {},
        ),
        read_time(body.get("at")),
    )


def is_record(message: str) -> bool:
    """Whether a message is the record of an entry, and not of a named document or another program's."""
    return message.startswith(_MARK + "{")


def _foreign(line: str) -> Record:
    return Record(Origin.OUTSIDE, "unknown", (), reason=line[:200])


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
