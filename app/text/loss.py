"""The loss meter: which units of an absorbed skill are kept, reworded or dropped in the result of a merge."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from app.text.sections import cut_front
from app.text.similarity import terms
from app.text.units import triggers, units
from app.text.values import Fate, Loss, Unit, UnitFate, UnitKind

_MAIN = "SKILL.md"
#: From this share of common words (Dice, 0 to 1) a unit counts as reworded.
_REWORDED = 0.6
#: A support file counts as reworded when this share of its words is in one file, or of its lines anywhere.
_FILE_WORDS = 0.75
_FILE_LINES = 0.9
_NEGATIONS = frozenset({"not", "never", "no", "none", "without", "don't", "dont", "cannot", "can't", "avoid", "nor"})
_DECORATION = re.compile(r"[*_`~]+|\[([^\]]*)\]\([^)]*\)")
_WORD = re.compile(r"[^\W_][\w'’]*")


def measure(name: str, absorbed: Mapping[str, bytes], description: str, result: Mapping[str, bytes]) -> Loss:
    """What `result` keeps of the skill `name` whose files (path to bytes) and description are given.

    Every text of the result counts, wherever it moved. A description's trigger word is kept when the result's front
    matter has it (that is what makes a skill found), reworded when only a body does.
    """
    return Keeping(result).measure(name, absorbed, description)


class Keeping:
    """What one result of a merge keeps, to be asked about many absorbed skills: its texts are read once."""

    def __init__(self, result: Mapping[str, bytes]) -> None:
        self._pool = _Pool(result)

    def measure(self, name: str, absorbed: Mapping[str, bytes], description: str) -> Loss:
        """As the function `measure`, against this result."""
        main = _text(absorbed.get(_MAIN, b""))
        fates = [self._pool.fate(unit) for unit in units(main)]
        fates += [self._pool.file_fate(path, data) for path, data in sorted(absorbed.items()) if path != _MAIN]
        fates += [self._pool.trigger_fate(unit) for unit in triggers(description)]
        return Loss(name, tuple(fates))


@dataclass(frozen=True, slots=True)
class _Candidate:
    unit: Unit
    plain: str
    words: Counter[str]
    total: int
    negations: tuple[str, ...]
    numbers: frozenset[str]


class _Pool:
    """The result's units, findable by exact text and by shared words."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._bytes = {data: path for path, data in files.items()}
        by_path = {path: _text(data) for path, data in files.items() if b"\0" not in data}
        texts = list(by_path.values())
        self._words = {path: Counter(_WORD.findall(text)) for path, text in by_path.items() if path != _MAIN}
        front, _ = cut_front(_text(files.get(_MAIN, b"")))
        self._front = frozenset(terms(front))
        self._whole = frozenset(word for text in texts for word in terms(text))
        found = [unit for text in texts for unit in units(text)]
        self._lines = frozenset(line.strip() for text in texts for line in text.splitlines())
        self._candidates = [_candidate(unit, _plain(unit)) for unit in found]
        self._exact = {one.plain: one.unit for one in reversed(self._candidates)}
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, candidate in enumerate(self._candidates):
            for word in candidate.words:
                self._by_word[word].append(number)

    def fate(self, unit: Unit) -> UnitFate:
        """Kept when the same words stand somewhere, reworded when a unit has most of them, among them every number, and
        no other negation.
        """
        plain = _plain(unit)
        if plain in self._exact:
            return UnitFate(unit, Fate.KEPT, self._exact[plain].text)
        wanted = _candidate(unit, plain)
        best, closest = 0.0, None
        for number in self._likely(wanted.words, wanted.total):
            other = self._candidates[number]
            if wanted.negations != other.negations or not wanted.numbers <= other.words.keys():
                continue
            within = other.total >= wanted.total and plain in other.plain
            both = wanted.total + other.total
            if not within and 2 * min(wanted.total, other.total) < max(best, _REWORDED) * both:
                continue
            there = other.words
            common = sum([min(count, there[word]) for word, count in wanted.words.items() if word in there])
            if within and common == wanted.total:
                return UnitFate(unit, Fate.KEPT, other.unit.text)
            if 2 * common > best * both:
                best, closest = 2 * common / both, other.unit
        if closest is None or best < _REWORDED:
            return UnitFate(unit, Fate.DROPPED)
        return UnitFate(unit, Fate.REWORDED, closest.text)

    def _likely(self, words: Counter[str], total: int) -> list[int]:
        """Every candidate that can reach the share of a reworded unit.

        Dice d needs more than d / 2 / (1 - d / 2) of this unit's words in common, so a unit that has none of the
        rarest others cannot be one: the commonest words need not be looked up.
        """
        least = math.ceil(total * _REWORDED / (2 - _REWORDED))
        found: set[int] = set()
        left = total
        for word in sorted(words, key=lambda word: len(self._by_word.get(word, ()))):
            if left < least:
                break
            found.update(self._by_word.get(word, ()))
            left -= words[word]
        return sorted(found)

    def file_fate(self, path: str, data: bytes) -> UnitFate:
        """Kept when the same bytes lie under any path, reworded when nearly all its words or lines stand somewhere."""
        unit = Unit(UnitKind.FILE, path)
        if data in self._bytes:
            return UnitFate(unit, Fate.KEPT, self._bytes[data])
        lines = {line.strip() for line in _text(data).splitlines()} - {""}
        if not lines or b"\0" in data:
            return UnitFate(unit, Fate.DROPPED)
        words = Counter(_WORD.findall(_text(data)))
        for place, other in self._words.items():
            if (words & other).total() >= _FILE_WORDS * max(words.total(), other.total()):
                return UnitFate(unit, Fate.REWORDED, place)
        found = len(lines & self._lines) >= _FILE_LINES * len(lines)
        return UnitFate(unit, Fate.REWORDED, _MAIN) if found else UnitFate(unit, Fate.DROPPED)

    def trigger_fate(self, unit: Unit) -> UnitFate:
        """Kept in the front matter, reworded in a body, else dropped."""
        words = frozenset(terms(unit.text))
        if words <= self._front:
            return UnitFate(unit, Fate.KEPT, unit.text)
        if words <= self._whole:
            return UnitFate(unit, Fate.REWORDED, unit.text)
        return UnitFate(unit, Fate.DROPPED)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _candidate(unit: Unit, plain: str) -> _Candidate:
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(unit.text)]
    negations = tuple(sorted(word for word in words if word in _NEGATIONS))
    numbers = frozenset(word for word in words if not word.isalpha() and any(char.isdigit() for char in word))
    return _Candidate(unit, plain, Counter(words), len(words), negations, numbers)


def _plain(unit: Unit) -> str:
    """The words of a unit without decoration, folded; code keeps case and inner blanks, only its frame is cut."""
    if unit.kind is UnitKind.CODE:
        return "\n".join(line.rstrip() for line in unit.text.strip("\n").splitlines())
    bare = _DECORATION.sub(lambda found: found.group(1) or "", unit.text)
    return " ".join(bare.split()).casefold().rstrip(".:;,!。")
