"""Wishes to change a memory entry: what the store would look like, and whether the wish still fits what is there."""

from app.errors import AppError, Kind
from app.memory.entries import join_entries, locate
from app.memory.manager import MemoryWriter
from app.memory.values import MemoryBy, MemoryReceipt
from app.proposals.current import Current
from app.proposals.values import Change, MemoryAction, Proposal


def memory_sides(change: Change, current: Current) -> tuple[str, str, bool]:
    """A memory store before and after a wish, and whether the wish can be carried out as it stands."""
    step = change.memory
    if step is None:
        return "", "", False
    entries = list(current.entries(step.target))
    found = locate(entries, step.old_text) if step.old_text else ()
    fits = len(found) == 1 if step.old_text else step.text not in entries
    after = list(entries)
    if step.old_text and fits:
        after[found[0] : found[0] + 1] = [step.text] if step.text else []
    elif fits:
        after.append(step.text)
    return join_entries(entries), join_entries(after), fits


def write_wish(change: Change, proposal: Proposal, memory: MemoryWriter | None) -> MemoryReceipt:
    """Carry an approved wish out through memory's own door, with the origin it came from.

    Raises AppError(REFUSED) when no memory is open, and what the writer raises.
    """
    step = change.memory
    if step is None or memory is None:
        raise AppError(Kind.REFUSED, "Memory is not open", "This proposal changes memory, which is not open here.")
    by = MemoryBy(proposal.origin, proposal.session, proposal.turn, untrusted=proposal.untrusted, approved=True)
    if step.action is MemoryAction.ADD:
        return memory.add(step.target, step.text, by, step.span)
    if step.action is MemoryAction.REPLACE:
        return memory.replace(step.target, step.old_text, step.text, by, step.span)
    return memory.remove(step.target, step.old_text, by)
