"""What stays in a conversation of a turn that did not end well: why, and what can be done about it."""

import json

from app.agent.values import Ending, TurnEnded
from app.cycles.home import OpenHome
from app.errors import Failure
from app.providers.values import Message, Role, Text
from app.redact import redact
from app.sessions.values import MessageState, StoredMessage


def store_failure(open_home: OpenHome, session: str, turn: str, ended: TurnEnded) -> StoredMessage | None:
    """Store the reason of a failed turn, or of one that reached a limit, as a line no model sees; None for all others.

    Raises AppError when the session cannot be written.
    """
    if ended.ending not in {Ending.FAILED, Ending.LIMIT}:
        return None
    failure = ended.failure or Failure("The answer failed", ended.reason)
    data = {
        "title": failure.title,
        "text": failure.text,
        "detail": redact(failure.detail),
        "retry": ended.ending is Ending.FAILED,
        "action": failure.action,
    }
    words = Message(Role.ASSISTANT, (Text(f"{failure.title}. {failure.text}"),))
    number = open_home.sessions.add_message(
        session, turn, words, MessageState.COMPLETE, "error", json.dumps(data, ensure_ascii=False)
    )
    return next(item for item in reversed(open_home.sessions.messages(session)) if item.id == number)
