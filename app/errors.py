"""The two kinds of trouble: an AppError the user can act on, and everything else, which is a bug.

Every edge (files, database, provider) sorts foreign exceptions into AppError or lets them rise. A lane turns
whatever ends a job into one Failure value, which is all that views ever see.
"""

import traceback
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of trouble an AppError is, for exit codes and for the next step a view offers."""

    INVALID = "invalid"
    NOT_FOUND = "not_found"
    REFUSED = "refused"
    BUSY = "busy"
    CORRUPT = "corrupt"
    STORAGE = "storage"
    PROVIDER = "provider"
    USAGE = "usage"


class AppError(Exception):
    """Something the user can do something about.

    `title` is a few words, `text` a sentence that says what happened and what to do, `action` the id of an action
    that leads on (or empty), `detail` what a bug report would want.
    """

    def __init__(self, kind: Kind, title: str, text: str, *, action: str = "", detail: str = "") -> None:
        super().__init__(f"{title}: {text}")
        self.kind = kind
        self.title = title
        self.text = text
        self.action = action
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Failure:
    """How a job failed, in words. `reason` is the provider taxonomy's code (rate_limit, auth, …) or empty.

    `retry` says whether trying again can help; `is_bug` that the program itself is at fault.
    """

    title: str
    text: str
    detail: str = ""
    is_bug: bool = False
    action: str = ""
    reason: str = ""
    retry: bool = False


def failure_from(error: BaseException) -> Failure:
    """Turn any exception into the value a view can show; the traceback of a bug goes into `detail`."""
    if isinstance(error, AppError):
        return Failure(error.title, error.text, error.detail, action=error.action)
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return Failure("Something went wrong in Melete", f"{type(error).__name__}: {error}", "".join(lines), is_bug=True)
