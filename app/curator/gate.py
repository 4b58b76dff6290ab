"""The gate of scheduled runs: enabled, not paused, interval over, first run deferred, idle long enough."""

from datetime import datetime, timedelta

from app.curator.state import CuratorState
from app.curator.values import Gate, Thresholds

#: A run that was cut short is made up for after this long, never at once: what broke it may break the next one too.
MAKE_UP_AFTER = timedelta(hours=24)
#: After this many runs in a row without an end the schedule goes back to its interval.
MOST_ATTEMPTS = 2


def check_gate(
    state: CuratorState, thresholds: Thresholds, now: datetime, *, enabled: bool, idle_s: float, running: bool = False
) -> tuple[Gate, str, datetime | None]:
    """Which gate holds a run, the sentence for it, and when the next run is due (None when none is planned)."""
    if not enabled:
        return Gate.DISABLED, "The curator is switched off in the settings.", None
    if running:
        return Gate.RUNNING, "A run is under way.", None
    if state.paused:
        return Gate.PAUSED, "The curator is paused. Resume it to plan the next run.", None
    interval = timedelta(hours=thresholds.interval_hours)
    if state.last_run_at is None:
        text = f"Nothing happens before {_days(interval)}: the first run waits one whole interval."
        return Gate.FIRST_RUN_DEFERRED, text, now + interval
    # A last run in the future means that the clock was wrong then: count from now, so that no week is skipped.
    began = min(state.last_run_at, now)
    due = began + interval
    if state.unfinished and state.attempts < MOST_ATTEMPTS:
        due = min(due, began + MAKE_UP_AFTER)
    if now < due and due < began + interval:
        text = f"The last run was cut short before it was finished. It is made up for in {_days(due - now)}."
        return Gate.NOT_DUE, text, due
    if now < due:
        gate = Gate.NOT_DUE if state.run_count else Gate.FIRST_RUN_DEFERRED
        return gate, f"The next run is due in {_days(due - now)}.", due
    missing = thresholds.min_idle_hours * 3600 - idle_s
    if missing > 0:
        return Gate.NOT_IDLE, f"A run is due; it starts after {_days(timedelta(seconds=missing))} without use.", due
    return Gate.OPEN, "A run is due.", due


def _days(span: timedelta) -> str:
    minutes = max(1, round(span.total_seconds() / 60))
    if minutes < 120:
        return f"{minutes} minute{'s' if minutes != 1 else ''}"
    hours = round(minutes / 60)
    if hours < 48:
        return f"{hours} hours"
    return f"{round(hours / 24)} days"
