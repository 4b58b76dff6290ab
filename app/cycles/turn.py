"""One chat turn: from the user's text to the stored answer, its trajectory line and the snapshot for a review."""

from collections.abc import Callable, Generator

from app.agent.loop import nothing_queued, run_loop
from app.agent.values import AgentEvent, Ending, LoopLimits, ToolEnded, TurnEnded
from app.cancel import CancelToken
from app.cycles.attach import holds_file
from app.cycles.desk import Desk, chat_desk
from app.cycles.failed import store_failure
from app.cycles.home import OpenHome
from app.cycles.recorder import TurnRecorder
from app.cycles.running import turn_running
from app.cycles.trajectory import record_turn
from app.cycles.values import ReviewSnapshot, ToolNote, TurnResult, TurnStarted
from app.engine.titles import title_from
from app.errors import AppError
from app.providers.base import Provider
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState, SessionInfo, StoredMessage
from app.settings import Settings

#: A user message longer than this is taken for a pasted document: its words are not the user's own.
PASTED_CHARS = 4000
UNTRUSTED = "untrusted"

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
    *,
    again: bool = False,
) -> TurnEvents:
    """Play one turn. The user's message is stored before the model is asked; every ending is stored, too.

    `again` tries a message once more: when it is the last of the session and nothing answered it, its turn goes on.
    Yields TurnStarted, then the agent's events; returns the TurnResult. Raises AppError when the session cannot be
    stored: nothing was asked then.
    """
    session = _session(open_home, provider, session_id, text)
    with turn_running(open_home.home, session.id):
        return (yield from _play(open_home, provider, session, text, token, queued, again=again))


def _play(
    open_home: OpenHome,
    provider: Provider,
    session: SessionInfo,
    text: str,
    token: CancelToken,
    queued: Callable[[], tuple[str, ...]],
    *,
    again: bool,
) -> TurnEvents:
    words = Message(Role.USER, (Text(text),))
    earlier = conversation(open_home, session.id)
    stored = _unanswered(open_home, session.id, words) if again else None
    if stored is not None:
        earlier, turn = earlier[:-1], stored.turn
        yield TurnStarted(session, turn, stored, again=True)
    else:
        turn = open_home.sessions.start_turn(session.id)
        number = open_home.sessions.add_message(session.id, turn, words, MessageState.COMPLETE)
        yield TurnStarted(session, turn, stored_message(open_home, session.id, number))
    desk = chat_desk(open_home, session.id, turn, text)
    desk.dispatcher.untrusted = bool(open_home.counters.get(session.id, UNTRUSTED)) or not _own(text)
    system = open_home.sessions.freeze_system(session.id, open_home.system_prompt(text))
    recorder = TurnRecorder(open_home.sessions, session.id, turn)
    calls: list[ToolNote] = []
    messages = (*earlier, words)
    limits = limits_from(open_home.settings)
    ended = TurnEnded(Ending.FAILED)

    def joined() -> tuple[str, ...]:
        texts = queued()
        desk.own_words = "\n".join((desk.own_words, *texts))
        return texts

    for event in run_loop(provider, system, messages, desk.specs, desk.call, token, limits, "chat", queued=joined):
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
    return open_home.sessions.create(title_from(text), provider.model)


def _own(text: str) -> bool:
    """Whether a message is the user's own words: neither as long as a pasted document, nor with a file in it."""
    return len(text) <= PASTED_CHARS and not holds_file(text)


def _unanswered(open_home: OpenHome, session: str, words: Message) -> StoredMessage | None:
    """The session's last message when it is these words of the user; lines about failures do not count."""
    said = [item for item in open_home.sessions.messages(session) if item.kind == "message"]
    return said[-1] if said and said[-1].message == words else None


def conversation(open_home: OpenHome, session: str) -> tuple[Message, ...]:
    """The messages a model gets to see again, in order; lines of reviews and curator runs are not among them."""
    return tuple(item.message for item in open_home.sessions.messages(session) if item.kind == "message")


def stored_message(open_home: OpenHome, session: str, number: int) -> StoredMessage:
    """One message just stored, as it stands in the session."""
    return next(item for item in reversed(open_home.sessions.messages(session)) if item.id == number)


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
        open_home.counters.add(session.id, UNTRUSTED)
    sessions.end_turn(session.id, turn, ended.ending, ended.usage, desk.skills_used, ended.model)
    system = sessions.system(session.id) or ""
    told = store_failure(open_home, session.id, turn, ended)
    notice = ""
    try:
        record_turn(open_home, system, desk.specs, messages, session.id, turn, ended)
    except AppError as error:
        notice = f"{error.title}: {error.text}"
    snapshot = None
    if ended.ending in {Ending.DONE, Ending.LIMIT}:
        whole = conversation(open_home, session.id)
        snapshot = ReviewSnapshot(session.id, turn, system, whole, desk.specs, untrusted)
    reply = next((m.text for m in reversed(messages) if m.role is Role.ASSISTANT and m.text.strip()), "")
    return TurnResult(sessions.get(session.id), turn, reply, ended, calls, snapshot, notice, told)
