"""Turns whatever a service or the network throws into one Failure with a reason code and a sentence.

The codes follow the taxonomy in use among agents; only those this program can tell apart are here. Rate limits are
looked for before overflows, certificates before connections: their texts overlap.
"""

import email.utils
import time
from enum import StrEnum

from app.errors import Failure
from app.providers.values import Usage


class Reason(StrEnum):
    """Why a request failed."""

    AUTH = "auth"
    BILLING = "billing"
    RATE_LIMIT = "rate_limit"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    CERTIFICATE = "ssl_cert_verification"
    CONTEXT_OVERFLOW = "context_overflow"
    TOO_LARGE = "payload_too_large"
    MODEL_NOT_FOUND = "model_not_found"
    CONTENT_POLICY = "content_policy_blocked"
    THINKING_SIGNATURE = "thinking_signature"
    FORMAT = "format_error"
    INCOMPLETE = "incomplete_response"
    EMPTY = "empty_response"
    UNKNOWN = "unknown"


class ProviderError(Exception):
    """A request that failed. `retry_after` is the service's own wish in seconds, `usage` what was billed anyway."""

    def __init__(self, failure: Failure, *, retry_after: float | None = None, usage: Usage | None = None) -> None:
        super().__init__(failure.text)
        self.failure = failure
        self.retry_after = retry_after
        self.usage = usage or Usage()


_SETTINGS = "settings.model"

#: Reason → (title, sentence, whether trying again can help, id of the action that leads on).
_SAID: dict[Reason, tuple[str, str, bool, str]] = {
    Reason.AUTH: ("The key was refused", "Check the key for this service in Settings → Model.", False, _SETTINGS),
    Reason.BILLING: (
        "The account cannot pay for this",
        "The service says there is no credit left. Add credit there, or choose another model.",
        False,
        _SETTINGS,
    ),
    Reason.RATE_LIMIT: ("Too many requests", "The service asks to slow down. Try again in a while.", True, ""),
    Reason.OVERLOADED: ("The service is overloaded", "It has too much to do right now. Try again.", True, ""),
    Reason.SERVER_ERROR: ("The service had an error", "The fault is on its side. Try again.", True, ""),
    Reason.TIMEOUT: ("The service went silent", "Nothing came for too long. Try again.", True, ""),
    Reason.CONNECTION: (
        "The service cannot be reached",
        "Check the network and the address in Settings → Model, then try again.",
        True,
        _SETTINGS,
    ),
    Reason.CERTIFICATE: (
        "The connection is not safe",
        "The service's certificate could not be verified. Check the address and this computer's clock.",
        False,
        _SETTINGS,
    ),
    Reason.CONTEXT_OVERFLOW: (
        "The conversation is too long",
        "It no longer fits into the model's window. Start a new session or choose a model with a larger one.",
        False,
        _SETTINGS,
    ),
    Reason.TOO_LARGE: (
        "The request is too large",
        "The service does not take a conversation of this size. Start a new session.",
        False,
        "",
    ),
    Reason.MODEL_NOT_FOUND: (
        "The model is unknown",
        "The service does not know this model, or the address is not its own. Check Settings → Model.",
        False,
        _SETTINGS,
    ),
    Reason.CONTENT_POLICY: (
        "The model declined",
        "The service stopped the answer for reasons of its policy. Say it in another way.",
        False,
        "",
    ),
    Reason.THINKING_SIGNATURE: (
        "Old reasoning was refused",
        "The service did not accept reasoning of an earlier answer. It is left out now.",
        True,
        "",
    ),
    Reason.FORMAT: (
        "The request was not accepted",
        "The service found a fault in the request. Check the address in Settings → Model.",
        False,
        _SETTINGS,
    ),
    Reason.INCOMPLETE: ("The answer broke off", "The connection ended in the middle of it. Try again.", True, ""),
    Reason.EMPTY: ("The answer was empty", "The model said nothing. Try again or say it in another way.", True, ""),
    Reason.UNKNOWN: ("The request failed", "The service gave no reason that is known here. Try again.", True, ""),
}

_BY_TYPE = {
    "overloaded_error": Reason.OVERLOADED,
    "rate_limit_error": Reason.RATE_LIMIT,
    "authentication_error": Reason.AUTH,
    "permission_error": Reason.AUTH,
    "billing_error": Reason.BILLING,
    "not_found_error": Reason.MODEL_NOT_FOUND,
    "request_too_large": Reason.TOO_LARGE,
    "timeout_error": Reason.TIMEOUT,
    "api_error": Reason.SERVER_ERROR,
}
_BY_STATUS = {
    401: Reason.AUTH,
    402: Reason.BILLING,
    403: Reason.AUTH,
    404: Reason.MODEL_NOT_FOUND,
    405: Reason.MODEL_NOT_FOUND,
    408: Reason.TIMEOUT,
    413: Reason.TOO_LARGE,
    429: Reason.RATE_LIMIT,
    504: Reason.TIMEOUT,
    529: Reason.OVERLOADED,
}
_IN_TEXT = (
    (("credit balance", "billing", "insufficient_quota", "insufficient quota"), Reason.BILLING),
    (("rate limit", "too many requests"), Reason.RATE_LIMIT),
    (
        ("prompt is too long", "context length", "context window", "context size", "maximum context"),
        Reason.CONTEXT_OVERFLOW,
    ),
    (("thinking", "signature"), Reason.THINKING_SIGNATURE),
    (("model", "not found"), Reason.MODEL_NOT_FOUND),
    (("content policy", "content filtering", "usage policy"), Reason.CONTENT_POLICY),
)
_ALL_WORDS = (Reason.THINKING_SIGNATURE, Reason.MODEL_NOT_FOUND)


def failure(reason: Reason, said: str = "", *, detail: str = "") -> Failure:
    """The failure for a reason; `said` is the service's own sentence, shown after ours."""
    title, text, retry, action = _SAID[reason]
    quote = f" It said: “{_short(said)}”" if said.strip() else ""
    return Failure(title, text + quote, detail, action=action, reason=reason.value, retry=retry)


def classify(error: BaseException) -> Failure:
    """Sort an exception of the client library, the network or the parser into one Failure.

    An error event inside a stream that began with 200 carries its kind only in its type; errors while reading are
    those of the HTTP library, not of the client. Both are told apart here.
    """
    if isinstance(error, ProviderError):
        return error.failure
    if isinstance(error, UnicodeDecodeError):
        return failure(Reason.INCOMPLETE, detail=repr(error))
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        kind, said = getattr(error, "type", None), getattr(error, "api_message", None)
        return classify_status(status, kind if isinstance(kind, str) else "", said if isinstance(said, str) else "")
    return failure(_network_reason(error), detail=repr(error))


def classify_status(status: int, kind: str, said: str) -> Failure:
    """Sort an error answer by its HTTP status, the error's type and its words."""
    return failure(_status_reason(status, kind, said.lower()), said, detail=f"status {status}, type {kind or 'none'}")


def retry_after(headers: object) -> float | None:
    """Seconds the service asks to wait, from `retry-after-ms` or `retry-after` (seconds or a date); None if unsaid."""
    get = getattr(headers, "get", None)
    if get is None:
        return None
    try:
        if (milliseconds := get("retry-after-ms")) is not None:
            return max(0.0, float(milliseconds) / 1000)
        value = get("retry-after")
        return None if value is None else max(0.0, float(value))
    except ValueError:
        parsed = email.utils.parsedate_tz(value) if isinstance(value, str) else None
        return max(0.0, email.utils.mktime_tz(parsed) - time.time()) if parsed else None


def _status_reason(status: int, kind: str, said: str) -> Reason:
    if 300 <= status < 400:  # the address leads elsewhere, and a key does not follow it
        return Reason.FORMAT
    if status in (400, 422) or kind == "invalid_request_error":
        return _reason_in(said) or Reason.FORMAT
    if kind in _BY_TYPE and not (kind == "api_error" and status in _BY_STATUS):  # that type says nothing of its own
        return _BY_TYPE[kind]
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return Reason.SERVER_ERROR
    if 400 <= status < 500:
        return _reason_in(said) or Reason.FORMAT
    return _reason_in(said) or Reason.UNKNOWN


def _reason_in(said: str) -> Reason | None:
    for words, reason in _IN_TEXT:
        test = all if reason in _ALL_WORDS else any
        if test(word in said for word in words):
            return reason
    return None


def _network_reason(error: BaseException) -> Reason:
    seen: BaseException | None = error
    while seen is not None:
        if "CERTIFICATE_VERIFY_FAILED" in str(seen):
            return Reason.CERTIFICATE
        seen = seen.__cause__ or seen.__context__
    names = {cls.__name__ for cls in type(error).__mro__}
    if names & {"ReadTimeout", "WriteTimeout", "PoolTimeout"}:
        return Reason.TIMEOUT
    if names & {"ConnectError", "ConnectTimeout", "APIConnectionError", "ProxyError", "UnsupportedProtocol"}:
        return _connection_reason(error)
    if names & {"ReadError", "RemoteProtocolError", "DecodingError", "WriteError", "CloseError"}:
        return Reason.INCOMPLETE
    return Reason.UNKNOWN


def _connection_reason(error: BaseException) -> Reason:
    """The client library wraps every network error before the answer began into one of two classes."""
    cause = error.__cause__
    if type(error).__name__ == "APITimeoutError":
        return Reason.CONNECTION if type(cause).__name__ == "ConnectTimeout" else Reason.TIMEOUT
    return Reason.CONNECTION


def _short(text: str, limit: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
