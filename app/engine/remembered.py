"""What the system prompt says the agent remembers, as entries to quote and to compare with."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.engine.transcript import Transcript
from app.text.similarity import terms

_SECTION = re.compile(r"^# Memory[ \t]*\n(.*?)(?=^# Skills[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"<memory target=\"(user|memory)\"[^>]*>\n?(.*?)</memory>", re.DOTALL)
_TITLE = re.compile(r"^═{3,}\n(.*)\n═{3,}$", re.MULTILINE)
_SEPARATOR = re.compile(r"^§[ \t]*$", re.MULTILINE)
_NEGATIONS = frozenset({"not", "never", "no", "none", "without", "don't", "cannot", "can't", "avoid", "stop"})
_WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One remembered statement and the store it stands in ("user" or "memory")."""

    target: str
    text: str


def entries(system: str) -> tuple[Entry, ...]:
    """The entries of the memory part of a system prompt, in order; blocked ones (in square brackets) are left out."""
    found = _SECTION.search(system)
    block = found.group(1) if found else system
    tagged = [(target, body) for target, body in _TAGGED.findall(block)]
    if not tagged and found:
        tagged = list(_titled(block))
    return tuple(
        Entry(target, text)
        for target, body in tagged
        for text in (part.strip() for part in _SEPARATOR.split(body))
        if text and not text.startswith("[BLOCKED")
    )


def known(transcript: Transcript) -> tuple[Entry, ...]:
    """Entries of the system prompt and what the turns before this one added (or asked to add); removed ones are out."""
    found = list(entries(transcript.system))
    for done in (done for turn in transcript.before for done in turn.of("memory")):
        if not done.result.ok:
            continue
        if done.given("action") in {"remove", "replace"} and not done.result.waiting:
            found = [entry for entry in found if done.given("old_text") not in entry.text]
        if done.given("content") and done.given("action") != "remove":
            found.append(Entry(done.given("target") or "memory", done.given("content")))
    return tuple(found)


def says_already(found: Iterable[Entry], text: str) -> bool:
    """Whether an entry says at least what `text` says: all its words, and no other negation."""
    wanted, turned = frozenset(terms(text)), negations(text)
    plain = _plain(text)
    return any(
        plain in _plain(entry.text)
        or (bool(wanted) and wanted <= frozenset(terms(entry.text)) and turned == negations(entry.text))
        for entry in found
    )


def negations(text: str) -> int:
    """How many words of a text turn its meaning around."""
    return sum(word in _NEGATIONS for word in _WORD.findall(text.casefold().replace("’", "'")))


def _titled(block: str) -> Iterator[tuple[str, str]]:
    """The two stores below titles between double rules, as MEMORY.md and USER.md are shown to a model."""
    titles = list(_TITLE.finditer(block))
    if not titles:
        yield "memory", block
    for number, title in enumerate(titles):
        end = titles[number + 1].start() if number + 1 < len(titles) else len(block)
        yield "user" if title.group(1).startswith("USER") else "memory", block[title.end() : end]


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
