"""Who may change which entry: the memory rows of the policy table, as one pure function."""

from enum import StrEnum

from app.history.values import Origin
from app.memory.threats import order, secret, unseen
from app.memory.values import MemoryBy, MemoryVerdict


class Action(StrEnum):
    """The three writes to a memory store."""

    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


def decide(action: Action, by: MemoryBy, text: str, owner: Origin | None) -> tuple[MemoryVerdict, str]:
    """The verdict and, unless it is ALLOW, its sentence; the first row that fits decides.

    `text` is the new text (empty for a removal), `owner` who wrote the entry that is changed. An entry nobody is known
    to have written may be changed like the agent's own: its text stays in the archive and the history.
    """
    trouble = unseen(text)
    if trouble:
        return MemoryVerdict.REFUSE, trouble
    if by.origin is Origin.USER or by.approved:
        return MemoryVerdict.ALLOW, ""
    if by.origin is Origin.CURATOR:
        return MemoryVerdict.REFUSE, "The curator looks after skills only and does not write memory."
    trouble = secret(text)
    if trouble:
        return MemoryVerdict.REFUSE, trouble
    trouble = order(text)
    if trouble:
        return MemoryVerdict.PROPOSE, f"The text reads like an order to the model: {trouble}. The user decides."
    if by.origin is Origin.REVIEW:
        return _of_review(action, by, owner)
    return MemoryVerdict.ALLOW, ""


def _of_review(action: Action, by: MemoryBy, owner: Origin | None) -> tuple[MemoryVerdict, str]:
    if by.untrusted:
        return MemoryVerdict.PROPOSE, "This turn holds text that is not the user's own, so the user decides."
    if by.hold:
        return MemoryVerdict.PROPOSE, "What reviews learn is held for approval, so the user decides."
    if action is not Action.ADD and owner is Origin.USER:
        return MemoryVerdict.PROPOSE, "This entry is the user's own, so the user decides."
    return MemoryVerdict.ALLOW, ""
