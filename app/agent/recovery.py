"""What to do about a failed request: try again after a growing pause, or stop and say so."""

from dataclasses import dataclass

from app.errors import Failure
from app.providers.failures import Reason

#: Requests one answer may take, the first included.
MAX_ATTEMPTS = 6
_FIRST_PAUSE = 0.75
_LONGEST_ASKED = 120.0
#: Reasons that are worth fewer attempts, because more of the same will not help.
_FEWER = {Reason.EMPTY: 2, Reason.UNKNOWN: 3, Reason.THINKING_SIGNATURE: 2, Reason.TIMEOUT: 3}


@dataclass(frozen=True, slots=True)
class Retry:
    """Wait this long, then send the request again, perhaps without the reasoning of earlier answers."""

    seconds: float
    without_thinking: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """Do not try again; `failure` is what to say."""

    failure: Failure


def plan(failure: Failure, attempt: int, retry_after: float | None = None) -> Retry | Stop:
    """Decide after the `attempt`-th failed request (1 for the first).

    Pauses double from 0.75 s; a service's own wish counts when it is longer, up to two minutes. A longer wish is not
    waited for but told.
    """
    reason = Reason(failure.reason) if failure.reason in set(Reason) else Reason.UNKNOWN
    if not failure.retry or attempt >= min(MAX_ATTEMPTS, _FEWER.get(reason, MAX_ATTEMPTS)):
        return Stop(failure)
    if retry_after is not None and retry_after > _LONGEST_ASKED:
        return Stop(_later(failure, retry_after))
    pause = _FIRST_PAUSE * 2 ** (attempt - 1)
    return Retry(max(pause, retry_after or 0.0), reason is Reason.THINKING_SIGNATURE)


def _later(failure: Failure, seconds: float) -> Failure:
    minutes = max(1, round(seconds / 60))
    text = f"{failure.text} It asks to wait {minutes} minutes."
    return Failure(failure.title, text, failure.detail, action=failure.action, reason=failure.reason, retry=True)
