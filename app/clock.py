"""The clock as a value, so that a run can be played at any time (`--now`) and tests need not wait."""

from collections.abc import Callable
from datetime import UTC, datetime

#: Gives the current time, always aware and in UTC.
Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The real time in UTC."""
    return datetime.now(UTC)


def fixed_clock(moment: datetime) -> Clock:
    """A clock that stands still at `moment`."""
    return lambda: moment


def parse_time(text: str) -> datetime:
    """Read an ISO 8601 time; a time without a zone is taken as UTC. Raises ValueError on anything else."""
    moment = datetime.fromisoformat(text.strip())
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{text!r} lies outside the calendar in UTC") from error


def format_time(moment: datetime) -> str:
    """Write a time as ISO 8601 in UTC with a numeric offset, to the microsecond when there is one."""
    return moment.astimezone(UTC).isoformat()


def read_time(value: object) -> datetime | None:
    """A time from a sidecar: None for anything that is not a readable ISO time (a damaged record is no data)."""
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        return parse_time(value)
    except ValueError:
        return None
