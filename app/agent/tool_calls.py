"""Runs single tool calls for the loop: whatever goes wrong with one becomes its result, never the turn's end."""

import json
import logging
from collections.abc import Callable, Sequence

from app.agent.values import ToolOutcome
from app.cancel import Cancelled, CancelToken
from app.errors import AppError
from app.providers.values import ToolResult, ToolUse

_LOG = logging.getLogger(__name__)

_TARGET_KEYS = ("name", "query", "session", "old_text", "content", "category")
_TARGET_LENGTH = 80


def target_of(call: ToolUse) -> str:
    """What a call is about, for one line of text: its first telling argument."""
    for key in _TARGET_KEYS:
        value = (call.input or {}).get(key)
        if isinstance(value, str) and value.strip():
            line = " ".join(value.split())
            return line if len(line) <= _TARGET_LENGTH else line[: _TARGET_LENGTH - 1] + "…"
    return ""


def outcome_of(
    call: ToolUse, call_tool: Callable[[ToolUse, CancelToken], ToolOutcome], token: CancelToken, cut_at: int | None
) -> ToolOutcome:
    """Run one call. `cut_at` is the token limit when the answer was cut by it: then nothing is run."""
    if cut_at is not None:
        return _error(
            call,
            f"Not run: the answer reached its limit of {cut_at} tokens, so this call may be incomplete. "
            "Repeat it in smaller parts.",
        )
    if call.input is None:
        raw = call.raw if len(call.raw) <= 200 else call.raw[:200] + "…"
        return _error(call, f"Not run: the arguments are not a JSON object. They began: {raw}")
    try:
        return call_tool(call, token)
    except Cancelled:
        return stopped_outcome(call)
    except AppError as error:
        return _error(call, f"{error.title}: {error.text}")
    except Exception:  # noqa: BLE001 - one tool's bug: the model gets an answer, the log the traceback, the turn goes on
        _LOG.exception("the tool %s failed", call.name)
        return _error(call, f"The tool {call.name} failed because of a fault in the program. Do not repeat this call.")


def stopped_outcome(call: ToolUse) -> ToolOutcome:
    """The result of a call that the user's stop kept from running to its end."""
    return _error(call, "Interrupted: the user stopped the turn. Look at the present state before repeating this.")


class Repeats:
    """Counts identical calls that keep failing within one turn."""

    def __init__(self) -> None:
        self._failed: dict[str, int] = {}

    def note(self, calls: Sequence[ToolUse], results: Sequence[ToolResult], limit: int, *, cut: bool = False) -> str:
        """Count one round; the reason to end when a call failed for the `limit`-th time, else "".

        Calls that the token limit cut count as identical: they are cut at another place each time.
        """
        for call, result in zip(calls, results, strict=True):
            key = f"{call.name} {'(cut)' if cut else _arguments(call)}"
            if not result.is_error:
                self._failed.pop(key, None)
                continue
            self._failed[key] = self._failed.get(key, 0) + 1
            if self._failed[key] >= limit:
                if cut:
                    ends = "Ended because the answer broke off at its limit of tokens, in the middle of a call"
                    return f"{ends} of {call.name}, {limit} times. Raise “Longest answer” in the settings."
                about = f" ({target_of(call)})" if target_of(call) else ""
                return f"Ended because the same call of {call.name}{about} failed {limit} times."
        return ""


def _arguments(call: ToolUse) -> str:
    return call.raw if call.input is None else json.dumps(call.input, sort_keys=True, default=str)


def _error(call: ToolUse, text: str) -> ToolOutcome:
    content = json.dumps({"success": False, "error": text}, ensure_ascii=False)
    return ToolOutcome(ToolResult(call.id, call.name, content, is_error=True), target=target_of(call))
