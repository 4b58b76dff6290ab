"""Cycle 1: after a turn, a fork with the same prompt, tools and messages re-reads it and writes memory and skills.

The fork never writes into the conversation it reviews; what it may call is restricted at dispatch, so that the request
stays byte for byte the one a prefix cache knows (design: the review fork).
"""

import json
from collections.abc import Generator

from app.agent.loop import run_loop
from app.agent.values import AgentEvent, Ending, LoopLimits, ToolEnded, TurnEnded
from app.cancel import CancelToken
from app.cycles.desk import Desk, review_desk
from app.cycles.home import OpenHome
from app.cycles.summary import actions_of, summary_line
from app.cycles.turn import UNTRUSTED, conversation, stored_message
from app.cycles.values import ReviewOutcome, ReviewSnapshot
from app.errors import AppError, Kind
from app.paths import resources_dir
from app.providers.base import Provider
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState
from app.toolbox.schemas import SPECS

_TURNS = "turns since review"
#: Set while a session's review is due and has not come to its end, so that one that was cut off is taken up again.
_OWED = "review owed"


def due(open_home: OpenHome, session: str) -> bool:
    """Count one turn of this session and say whether its review is due. Counters live in the database."""
    settings = open_home.settings.review
    if settings.mode == "off":
        return False
    if open_home.counters.add(session, _TURNS) < settings.every_turns:
        return False
    open_home.counters.reset(session, _TURNS)
    owe(open_home, session)
    return True


def owe(open_home: OpenHome, session: str) -> None:
    """Remember that this session's review is still to be made."""
    if not open_home.counters.get(session, _OWED):
        open_home.counters.add(session, _OWED)


def owed(open_home: OpenHome) -> tuple[ReviewSnapshot, ...]:
    """The reviews that were due and never came to their end, from what is stored; none while reviews are off."""
    found = []
    for session in open_home.counters.sessions(_OWED):
        try:
            found.append(snapshot_of(open_home, session))
        except AppError:  # the conversation was deleted, or nothing was said in it
            open_home.counters.reset(session, _OWED)
    return tuple(found) if open_home.settings.review.mode != "off" else ()


def snapshot_of(open_home: OpenHome, session: str, focus: str = "") -> ReviewSnapshot:
    """What a review of a stored conversation starts from: the same as right after its last turn.

    Raises AppError(NOT_FOUND) for an unknown session, AppError(REFUSED) for an empty one.
    """
    info = open_home.sessions.get(session)
    messages = conversation(open_home, info.id)
    if not messages:
        raise AppError(Kind.REFUSED, "Nothing to review", "This conversation is empty. Say something in it first.")
    turn = open_home.sessions.messages(info.id)[-1].turn
    system = open_home.sessions.freeze_system(info.id, open_home.system_prompt())
    untrusted = bool(open_home.counters.get(info.id, UNTRUSTED))
    return ReviewSnapshot(info.id, turn, system, messages, SPECS, untrusted, focus)


def review_prompt(focus: str = "") -> str:
    """The instruction of a review; a focus given by the user outranks the general guidance."""
    text = (resources_dir() / "prompts" / "review_combined.md").read_text(encoding="utf-8")
    if not focus.strip():
        return text
    return f"{text}\nFocus: {focus.strip()}\n"


def run_review(
    open_home: OpenHome, provider: Provider, snapshot: ReviewSnapshot, token: CancelToken
) -> Generator[AgentEvent, None, ReviewOutcome]:
    """Play one review. Applied changes stay when it is stopped; its usage is booked whatever happens.

    After an untrusted turn, or in mode `hold`, its writes end as one proposal.
    """
    settings = open_home.settings
    limits = LoopLimits(
        settings.review.max_iterations,
        settings.model.max_tokens,
        settings.model.stall_seconds,
        settings.model.timeout_seconds,
    )
    messages = (*snapshot.messages, Message(Role.USER, (Text(review_prompt(snapshot.focus)),)))
    changes: list[ToolEnded] = []
    ended = TurnEnded(Ending.FAILED)
    desk = review_desk(open_home, snapshot)
    try:
        system, specs = snapshot.system, snapshot.tools
        for event in run_loop(provider, system, messages, specs, desk.call, token, limits, "review"):
            if isinstance(event, ToolEnded):
                changes.append(event)
            elif isinstance(event, TurnEnded):
                ended = event
            yield event
        return _tell(open_home, desk, snapshot, tuple(changes), ended)
    finally:
        desk.close()


def _tell(
    open_home: OpenHome, desk: Desk, snapshot: ReviewSnapshot, changes: tuple[ToolEnded, ...], ended: TurnEnded
) -> ReviewOutcome:
    if ended.ending is not Ending.STOPPED:
        open_home.counters.reset(snapshot.session, _OWED)
    filed = desk.file_draft()
    actions = actions_of(changes)
    if desk.drafts and not filed:
        actions = ()  # what it wanted was rejected before, so nothing waits
    if filed:
        actions = tuple(
            item | {"proposal": item["proposal"] or filed[0]} if item["waiting"] else item for item in actions
        )
    entries = tuple(dict.fromkeys(str(item["entry"]) for item in actions if item["entry"]))
    proposals = tuple(dict.fromkeys([str(item["proposal"]) for item in actions if item["proposal"]] + list(filed)))
    open_home.sessions.book(snapshot.session, snapshot.turn, "review", ended.usage, ended.model)
    line = summary_line(actions)
    stored = None
    if line:
        data = json.dumps({"entries": entries, "proposals": proposals, "icon": "brain"})
        words = Message(Role.ASSISTANT, (Text(line),))
        number = open_home.sessions.add_message(
            snapshot.session, snapshot.turn, words, MessageState.COMPLETE, "review", data
        )
        stored = stored_message(open_home, snapshot.session, number)
    return ReviewOutcome(snapshot.session, snapshot.turn, line, actions, entries, proposals, ended.usage, ended, stored)
