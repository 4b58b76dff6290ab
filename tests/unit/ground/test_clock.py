"""Times come in any zone and go out in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.clock import fixed_clock, format_time, parse_time, read_time, system_clock


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), st.integers(-14, 14))
def test_a_time_written_and_read_is_the_same_moment(naive, hours):
    moment = naive.replace(tzinfo=timezone(timedelta(hours=hours)))
    again = parse_time(format_time(moment))
    assert again == moment
    assert again.tzinfo is UTC


def test_a_time_without_a_zone_is_utc():
    assert parse_time(" 2026-06-01T12:00:00 ") == datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Invalid isoformat"),
        ("yesterday", "Invalid isoformat"),
        ("2026-13-01", "month"),
        ("0001-01-01T00:00:00+14:00", "outside the calendar"),
        ("9999-12-31T23:59:59-14:00", "outside the calendar"),
    ],
)
def test_what_is_no_time_is_refused_and_reads_as_none(text, why):
    with pytest.raises(ValueError, match=why):
        parse_time(text)
    assert read_time(text) is None


@pytest.mark.parametrize("value", [None, 5, 1.5, [], {}, True])
def test_other_values_read_as_none(value):
    assert read_time(value) is None


def test_clocks_are_aware():
    assert system_clock().tzinfo is UTC
    moment = datetime(2026, 6, 1, tzinfo=UTC)
    assert fixed_clock(moment)() is moment
