"""Word-level marks inside a difference: which parts of a changed line differ from its partner line."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from app.text.values import Line, LineKind

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
#: Longer lines and longer runs are shown without word marks: finding them would cost more than they help.
_LONGEST_LINE = 2000
_LONGEST_RUN = 200
#: Runs up to this many comparisons look for the best partners; beyond it the n-th line is the n-th line's partner.
_MOST_COMPARISONS = 400
#: Below this share of common words two lines are not versions of each other.
_ALIKE = 0.35


def mark_words(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The same lines with `spans` set on removed lines and the added lines that replace them."""
    result = list(lines)
    runs = [list(run) for _, run in groupby(range(len(lines)), key=lambda i: lines[i].kind is LineKind.CONTEXT)]
    for run in runs:
        removed = [i for i in run if lines[i].kind is LineKind.REMOVED]
        added = [i for i in run if lines[i].kind is LineKind.ADDED]
        if not removed or not added or max(len(removed), len(added)) > _LONGEST_RUN:
            continue
        for before, after in _partners([lines[i].text for i in removed], [lines[i].text for i in added]):
            old, new = removed[before], added[after]
            old_spans, new_spans = word_spans(lines[old].text, lines[new].text)
            result[old] = replace(lines[old], spans=old_spans)
            result[new] = replace(lines[new], spans=new_spans)
    return tuple(result)


def word_spans(old: str, new: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Character ranges that differ, in the old line and in the new one; empty for lines too long to compare."""
    if max(len(old), len(new)) > _LONGEST_LINE:
        return (), ()
    old_tokens, new_tokens = _TOKEN.findall(old), _TOKEN.findall(new)
    matcher = difflib.SequenceMatcher(None, old_tokens, new_tokens, autojunk=False)
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    old_starts, new_starts = _offsets(old_tokens), _offsets(new_tokens)
    old_spans = tuple((old_starts[a], old_starts[b]) for _, a, b, _, _ in changes if a < b)
    new_spans = tuple((new_starts[c], new_starts[d]) for _, _, _, c, d in changes if c < d)
    return old_spans, new_spans


def _offsets(tokens: Sequence[str]) -> list[int]:
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    return starts


def _partners(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    old_words, new_words = [_words(text) for text in old], [_words(text) for text in new]
    if len(old) == len(new) or len(old) * len(new) > _MOST_COMPARISONS:
        pairs = zip(range(len(old)), range(len(new)), strict=False)
        return [(a, b) for a, b in pairs if _alike(old_words[a], new_words[b]) >= _ALIKE]
    return _best_in_order(old_words, new_words)


def _best_in_order(old: Sequence[frozenset[str]], new: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    # Longest-common-subsequence style table, weighted by likeness, so that partners never cross.
    score = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for a in range(len(old) - 1, -1, -1):
        for b in range(len(new) - 1, -1, -1):
            alike = _alike(old[a], new[b])
            taken = alike + score[a + 1][b + 1] if alike >= _ALIKE else 0.0
            score[a][b] = max(taken, score[a + 1][b], score[a][b + 1])
    pairs = []
    a = b = 0
    while a < len(old) and b < len(new):
        if score[a][b] == score[a + 1][b]:
            a += 1
        elif score[a][b] == score[a][b + 1]:
            b += 1
        else:
            pairs.append((a, b))
            a, b = a + 1, b + 1
    return pairs


def _words(text: str) -> frozenset[str]:
    return frozenset(token for token in _TOKEN.findall(text[:_LONGEST_LINE]) if not token.isspace())


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    if not one and not other:
        return 1.0
    return 2 * len(one & other) / (len(one) + len(other))
