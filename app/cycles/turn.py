"""Cycle 0: one chat turn, from the user's text to the stored answer, its trajectory line and the snapshot for a review."""

import secrets
from collections.abc import Callable, Generator

from app.agent.loop import nothing_queued, run_loop
from app.agent.values import AgentEvent, Ending, LoopLimits, ToolEnded, TurnEnded
from app.cancel import CancelToken
from app.cycles.desk import Desk, chat_desk
from app.cycles.home import OpenHome
from app.cycles.recorder import TurnRecorder
from app.cycles.trajectory import record_turn
from app.cycles.values import ReviewSnapshot, ToolNote, TurnResult, TurnStarted
from app.errors import AppError
from app.history.values import Origin
from app.providers.base import Provider
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState, SessionInfo
from app.settings import Settings

#: A user message longer than this is taken for a pasted document: its words are not the user's own.
PASTED_CHARS = 4000
_TITLE_CHARS = 60

TurnEvents = Generator[AgentEvent | TurnStarted, None, TurnResult]


def limits_from(settings: Settings) -> LoopLimits:
    """The loop's limits for a chat turn."""
    model = settings.model
    return LoopLimits(model.max_iterations, model.max_tokens, model.stall_seconds, model.timeout_seconds)


def run_turn(
    open_home: OpenHome,
    provider: Provider,
    session_id: str | None,
    text: str,
    token: CancelToken,
    queued: Callable[[], tuple[str, ...]] = nothing_queued,
) -> TurnEvents:
    """Play one turn. The user's message is stored before the model is asked; every ending is stored, too.

    Yields TurnStarted, then the agent's events; returns the TurnResult. Raises AppError when the session cannot be
    stored: nothing was asked then.
    """
    session = _session(open_home, provider, session_id, text)
    turn = secrets.token_hex(6)
    words = Message(Role.USER, (Text(text),))
    earlier = open_home.sessions.conversation(session.id)
    number = open_home.sessions.add_message(session.id, turn, words, MessageState.COMPLETE)
    yield TurnStarted(session, turn, open_home.sessions.message(number))
    desk = chat_desk(open_home, Origin.CHAT, session.id, turn)
    desk.dispatcher.untrusted = open_home.sessions.is_untrusted(session.id) or len(text) > PASTED_CHARS
    system = open_home.sessions.system_prompt(session.id)
    recorder = TurnRecorder(open_home.sessions, session.id, turn)
    calls: list[ToolNote] = []
    messages = (*earlier, words)
    limits = limits_from(open_home.settings)
    ended = TurnEnded(Ending.FAILED)
    for event in run_loop(provider, system, messages, desk.specs, desk.call, token, limits, "chat", queued=queued):
        recorder.take(event)
        if isinstance(event, ToolEnded):
            calls.append(_note(event))
        elif isinstance(event, TurnEnded):
            ended = event
        yield event
    return _finish(open_home, desk, session, turn, ended, (words, *recorder.messages), tuple(calls))


def _session(open_home: OpenHome, provider: Provider, session_id: str | None, text: str) -> SessionInfo:
    if session_id is not None:
        return open_home.sessions.get(session_id)
    return open_home.sessions.create(title_from(text), provider.model, open_home.system_prompt(text))


def title_from(text: str) -> str:
    """A session's first title: the first line of the first message, cut at a word."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "New session")
    if len(line) <= _TITLE_CHARS:
        return line
    return line[:_TITLE_CHARS].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _note(event: ToolEnded) -> ToolNote:
    given = event.call.input or {}
    target = str(given.get("name") or given.get("query") or given.get("target") or "")
    return ToolNote(event.call.name, target, not event.result.is_error, event.entry, event.proposal)


def _finish(
    open_home: OpenHome,
    desk: Desk,
    session: SessionInfo,
    turn: str,
    ended: TurnEnded,
    messages: tuple[Message, ...],
    calls: tuple[ToolNote, ...],
) -> TurnResult:
    sessions = open_home.sessions
    untrusted = desk.dispatcher.untrusted
    if untrusted:
        sessions.mark_untrusted(session.id)
    sessions.end_turn(session.id, turn, ended.ending, ended.usage, desk.skills_used)
    system = sessions.system_prompt(session.id)
    notice = ""
    try:
        record_turn(open_home, system, desk.specs, messages, session.id, turn, ended)
    except AppError as error:
        notice = f"{error.title}: {error.text}"
    snapshot = None
    if ended.ending in {Ending.DONE, Ending.LIMIT}:
        whole = sessions.conversation(session.id)
        snapshot = ReviewSnapshot(session.id, turn, system, whole, desk.specs, untrusted)
    reply = next((m.text for m in reversed(messages) if m.role is Role.ASSISTANT and m.text.strip()), "")
    return TurnResult(sessions.get(session.id), turn, reply, ended, calls, snapshot, notice)
