"""Wishes to change a memory entry: what the store would look like, and whether the wish still fits what is there."""

from app.memory.entries import join_entries, locate
from app.proposals.current import Current
from app.proposals.values import Change


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
