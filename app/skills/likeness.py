"""How much of two skill folders is the same."""

import difflib

from app.history.values import Snapshot

#: From here on two folders count as one that was moved or brought back.
SAME_CONTENT = 0.9


def likeness(one: Snapshot, other: Snapshot) -> float:
    """How much of two folders is the same, 0 to 1, by bytes: equal files count whole, texts of one path by lines."""
    total = sum(len(blob.data) for blob in (*one.values(), *other.values()))
    if total == 0:
        return 1.0 if one.keys() == other.keys() else 0.0
    shared = 0.0
    for path in one.keys() & other.keys():
        a, b = one[path].data, other[path].data
        shared += len(a) + len(b) if a == b else _alike(a, b) * (len(a) + len(b))
    return shared / total


def _alike(one: bytes, other: bytes) -> float:
    left, right = one.splitlines(keepends=True), other.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    same = sum(len(line) for block in matcher.get_matching_blocks() for line in left[block.a : block.a + block.size])
    return 2 * same / (len(one) + len(other))
