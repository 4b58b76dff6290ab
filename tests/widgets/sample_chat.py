"""Values a chat is fed with in tests and pictures."""

from datetime import UTC, datetime

from app.history.values import Origin
from app.proposals.values import Change, Group, Proposal, ProposalState
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState, StoredMessage
from app.skills.values import Action
from app.text.values import FileDiff, FileStatus, Hunk, Line, LineKind

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def stored(number, role, *blocks, kind="message", data="", state=MessageState.COMPLETE):
    blocks = tuple(Text(block) if isinstance(block, str) else block for block in blocks)
    return StoredMessage(number, "s", "t", Message(role, blocks), state, NOW, kind, data)


def turns(count):
    """A conversation of `count` questions with answers of a few lines."""
    pairs = [
        (
            stored(2 * at, Role.USER, f"question {at}"),
            stored(2 * at + 1, Role.ASSISTANT, f"answer {at}\n\n" + "words " * 120),
        )
        for at in range(count)
    ]
    return tuple(message for pair in pairs for message in pair)


def change(number="c1", **more):
    diff = FileDiff("SKILL.md", FileStatus.MODIFIED, (Hunk("h", 1, 0, 1, 1, (Line(LineKind.ADDED, "x", None, 1),)),))
    given = {"base": "b", "result": "r", "files": (diff,), **more}
    return Change(number, "testing/one", Action.EDIT, "g", "Change one", "because", **given)


def proposal(*changes, state=ProposalState.PENDING, number="p1"):
    group = Group("g", "Change one", changes or (change(),))
    return Proposal(number, Origin.CHAT, state, NOW, "Change one", "You asked for it.", (group,), "base")
