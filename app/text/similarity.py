"""Which short texts are about the same thing: TF-IDF over name, description and headings, with the shared words.

Whole bodies make siblings harder to tell, so callers give `catalogue_text`. The threshold 0.15 was the best on 43
hand-grouped skills (precision 0.59, recall 0.77): good for candidates that somebody looks at, not for acting unseen.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.text.sections import Label, split
from app.text.units import triggers

#: Texts this alike are worth looking at together.
THRESHOLD = 0.15
_WORD = re.compile(r"[^\W_]+")
#: A root of three letters or more with a vowel, then an ending: -es after a hissing sound only, no -s after s, u or i.
_ENDING = re.compile(
    r"(?=[^\W\d_]{4})(?=.?.?.?[aeiouy])(\w{3,}?)(ings?|ies|ed|(?<=[sxz])es|(?<=[cs]h)es|(?<=[^sui])s)\Z"
)
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
#: In a library of some size, a word in more than this share of the texts tells nothing and costs the most time.
_COMMON_SHARE = 0.25
_COMMON_FROM = 40
#: Pairs are looked for through words in at most this many texts; then their likeness is counted over all words.
_RARE = 100
_SHARED_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A text like another one: its id, the cosine of the two (0 to 1) and the words they share, strongest first."""

    id: str
    score: float
    shared: tuple[str, ...]


class Similarity:
    """An index over texts by id. Building is linear; a query touches only texts that share a word with it."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        counts = {key: Counter(terms(text)) for key, text in texts.items()}
        frequency = Counter(term for count in counts.values() for term in count)
        total = len(counts)
        limit = total * _COMMON_SHARE if total >= _COMMON_FROM else total
        self._idf = {t: math.log((1 + total) / (1 + n)) + 1 for t, n in frequency.items() if n <= limit}
        self._vectors = {key: self._vector(count) for key, count in counts.items()}
        self._postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for key, vector in self._vectors.items():
            for term, weight in vector.items():
                self._postings[term].append((key, weight))

    def neighbours(self, key: str, threshold: float = THRESHOLD, limit: int = 10) -> list[Neighbour]:
        """The texts most like the one with this id, best first. Raises KeyError for an unknown id."""
        found = self._nearest(self._vectors[key], threshold)
        return [near for near in found if near.id != key][:limit]

    def query(self, text: str, threshold: float = 0.0, limit: int = 10) -> list[Neighbour]:
        """The texts most like any text, best first; texts that share no word with it are never listed."""
        return self._nearest(self._vector(Counter(terms(text))), threshold)[:limit]

    def score(self, one: str, other: str) -> float:
        """How alike two indexed texts are, 0 to 1. Raises KeyError for an unknown id."""
        first, second = self._vectors[one], self._vectors[other]
        return sum(weight * second.get(term, 0.0) for term, weight in first.items())

    def pairs(self, threshold: float) -> Iterable[tuple[str, str, float]]:
        """Every two texts that are this much alike, each pair once; texts that share only common words are no pair."""
        seen: set[str] = set()
        for key, vector in self._vectors.items():
            seen.add(key)
            scores: dict[str, float] = defaultdict(float)
            for term, weight in vector.items():
                if len(self._postings[term]) <= _RARE:
                    for other, other_weight in self._postings[term]:
                        scores[other] += weight * other_weight
            likely = [other for other, part in scores.items() if part >= threshold / 2 and other not in seen]
            exact = ((other, self.score(key, other)) for other in likely)
            yield from ((key, other, score) for other, score in exact if score >= threshold)

    def shared(self, one: str, other: str) -> tuple[str, ...]:
        """The words that two indexed texts turn on both, strongest first. Raises KeyError for an unknown id."""
        return self._shared(self._vectors[one], self._vectors[other])

    def clusters(self, threshold: float = THRESHOLD) -> list[tuple[str, ...]]:
        """Groups of two or more texts whose average likeness reaches the threshold; each id in one group at most.

        Average linkage: a chain of pairwise likeness does not pull strangers into one group. Ids inside a group and
        the groups themselves come in the order the texts were given.
        """
        pairs = sorted(self.pairs(threshold), key=lambda pair: -pair[2])
        likeness = {frozenset(pair[:2]): pair[2] for pair in pairs}
        group: dict[str, list[str]] = {key: [key] for key in self._vectors}
        for one, other, _ in pairs:
            first, second = group[one], group[other]
            if first is second:
                continue
            total = sum(likeness.get(frozenset((a, b)), 0.0) for a in first for b in second)
            if total / (len(first) * len(second)) >= threshold:
                first += second
                group.update(dict.fromkeys(second, first))
        order = {key: place for place, key in enumerate(self._vectors)}
        groups = {id(members): tuple(sorted(members, key=order.__getitem__)) for members in group.values()}
        return sorted((members for members in groups.values() if len(members) > 1), key=lambda m: order[m[0]])

    def _vector(self, count: Mapping[str, int]) -> dict[str, float]:
        raw = {t: (1 + math.log(n)) * self._idf[t] for t, n in count.items() if t in self._idf}
        length = math.sqrt(sum(weight * weight for weight in raw.values()))
        return {term: weight / length for term, weight in raw.items()} if length else {}

    def _nearest(self, vector: Mapping[str, float], threshold: float) -> list[Neighbour]:
        scores: dict[str, float] = defaultdict(float)
        for term, weight in vector.items():
            for key, other in self._postings.get(term, ()):
                scores[key] += weight * other
        best = sorted((key for key, score in scores.items() if score >= threshold), key=lambda k: (-scores[k], k))
        return [Neighbour(key, min(1.0, scores[key]), self._shared(vector, self._vectors[key])) for key in best]

    @staticmethod
    def _shared(one: Mapping[str, float], other: Mapping[str, float]) -> tuple[str, ...]:
        common = sorted(one.keys() & other.keys(), key=lambda term: (-one[term] * other[term], term))
        return tuple(common[:_SHARED_SHOWN])


def catalogue_text(name: str, description: str, body: str = "") -> str:
    """What a skill is compared by: its name, its description and the headings of its body.

    Headings that nearly every skill has (Steps, Pitfalls) are left out; they would make strangers look alike.
    """
    sections = [section for section in split(body).sections if section.heading]
    headings = [s.heading for s in sections if s.label in {Label.TITLE, Label.OTHER} or len(terms(s.heading)) > 1]
    return "\n".join([name.replace("-", " ").replace("_", " "), description, *headings])


def terms(text: str) -> list[str]:
    """The words of a text that count, folded and without plural and tense ends; unspaced scripts give pairs."""
    found: list[str] = []
    for unit in triggers(text):
        for word in _WORD.findall(unit.text.casefold()):
            found += _unspaced(word) if _UNSPACED.search(word) else [stem(word)]
    return found


def stem(word: str) -> str:
    """A crude root for comparing only: plural, -ing and -ed ends are cut where a vowel stays."""
    found = _ENDING.match(word)
    root = found.group(1) if found else word
    if found and found.group(2) == "ies":
        root += "y"
    if found and len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
        root = root[:-1]
    return root[:-1] if len(root) > 4 and root.endswith("e") else root


def _unspaced(word: str) -> list[str]:
    return [word] if len(word) < 3 else [word[i : i + 2] for i in range(len(word) - 1)]
