"""Questions: the skill that fits best is read and its best section quoted; else memory, else earlier conversations."""

import math
import re
from dataclasses import dataclass

from app.engine import wording
from app.engine.chat_memory import matching
from app.engine.chat_skills import session_hits, show
from app.engine.intents import Intent, mentioned
from app.engine.listing import fitting, listed_rows, listing_step, telling
from app.engine.remembered import known
from app.engine.step import Call, Step
from app.engine.transcript import Result, Transcript
from app.text.sections import Label, Section, split
from app.text.similarity import terms
from app.text.suspicious import instruction_like

_LONGEST_QUOTE = 2200
#: Skills named with an @ that are opened for one message.
_MOST_NAMED = 3
_PERSONAL = re.compile(r"\b(?:i|my|me|mine|we|our|us)\b", re.IGNORECASE)
_UNHELPFUL = frozenset({Label.RELATED, Label.WHEN, Label.TITLE})
#: What a word in a heading counts more than one in the text.
_HEADING = 1.5
#: What a word of the skill's own name counts, and how much a procedure is preferred.
_NAMED = 0.2
_STEPS = 0.7


@dataclass(frozen=True, slots=True)
class Quote:
    """A section of a skill that answers a question, how well it fits, and the headings of the other sections."""

    skill: str
    section: Section
    score: float
    others: tuple[str, ...]


def question(transcript: Transcript, intent: Intent) -> Step:
    """The next step towards an answer: list, read, quote; search conversations when no skill fits."""
    told = _from_memory(transcript, intent.text)
    if told:
        return Step(told)
    turn = transcript.now
    named = mentioned(turn.said)[:_MOST_NAMED] if "skill_view" in transcript.tools else ()
    if named and not turn.of("skill_view"):
        return Step("", tuple(Call("skill_view", {"name": name}) for name in named))
    viewed = [done for done in turn.of("skill_view") if done.result.ok and done.result.string("content")]
    listing = None if named and viewed else listing_step(transcript, intent.text)
    if listing is not None:
        return listing
    tried = any(done.given("name") not in named for done in turn.of("skill_view"))
    if not viewed and not tried and "skill_view" in transcript.tools:
        wanted = fitting(listed_rows(turn), intent.text)
        if wanted:
            return Step("", tuple(Call("skill_view", {"name": name}) for name in wanted))
    quotes = [quote for done in viewed for quote in [best_section(done.result, intent.text)] if quote is not None]
    if quotes:
        return Step(_told(max(quotes, key=lambda quote: quote.score)))
    if named and viewed:
        return show(transcript, intent)
    return _from_sessions(transcript, intent.text)


def remark(transcript: Transcript, intent: Intent) -> Step:
    """A text that is no question may still name a skill, or a task a skill covers; conversations are not searched."""
    if mentioned(transcript.now.said):
        return question(transcript, intent)
    listing = listing_step(transcript, intent.text)
    if listing is not None:
        return listing
    wanted = fitting(listed_rows(transcript.now), intent.text)
    if wanted and "skill_view" in transcript.tools:
        return question(transcript, intent)
    return Step(wording.NOTED)


def best_section(viewed: Result, text: str) -> Quote | None:
    """The section of a skill that shares most with the question; its procedure when none shares anything."""
    name = viewed.string("name")
    sections = [s for s in split(viewed.string("content")).sections if s.body.strip() and not instruction_like(s.body)]
    useful = [s for s in sections if s.label not in _UNHELPFUL] or sections
    if not useful:
        return None
    wanted = frozenset(terms(telling(text)))
    # Words of the name found the skill; they tell nothing about the section.
    weight = {t: _NAMED if t in frozenset(terms(name.replace("-", " "))) else 1.0 for t in wanted}
    words = [(frozenset(terms(s.heading)), frozenset(terms(s.body))) for s in useful]
    spread = {t: sum(t in heading | body for heading, body in words) for t in wanted}
    rare = {t: weight[t] * math.log((1 + len(words)) / (0.5 + spread[t])) for t in wanted}
    procedures = [s for s in useful if s.label is Label.STEPS] or useful[:1]
    scores = [
        sum(rare[t] * ((t in heading) * _HEADING + (t in body)) for t in wanted) + _STEPS * (s in procedures)
        for s, (heading, body) in zip(useful, words, strict=True)
    ]
    best = max(range(len(useful)), key=lambda number: (scores[number], -number))
    others = tuple(s.heading for s in sections if s.heading and s is not useful[best] and s.label is not Label.TITLE)
    return Quote(name, useful[best], scores[best], others)


def _told(quote: Quote) -> str:
    heading = quote.section.heading or "the beginning"
    body = quote.section.body.strip("\n")
    cut = ""
    if len(body) > _LONGEST_QUOTE:
        body = _first_lines(body)
        cut = "\n\n(The section goes on.)"
    also = f" It also has: {', '.join(quote.others[:8])}." if quote.others else ""
    return (
        f"From the skill **{quote.skill}**, section *{heading}*:\n\n{wording.quoted(body)}{cut}\n\n"
        f"`show {quote.skill}` displays the whole skill.{also}"
    )


def _first_lines(body: str) -> str:
    """The lines of a text up to the longest quotation, never ending inside a code block."""
    kept: list[str] = []
    size, fences = 0, 0
    for line in body.split("\n"):
        if size + len(line) > _LONGEST_QUOTE and fences % 2 == 0:
            break
        kept.append(line)
        size += len(line) + 1
        fences += line.lstrip().startswith(("```", "~~~"))
    return "\n".join(kept).rstrip()


def _from_memory(transcript: Transcript, text: str) -> str:
    if not _PERSONAL.search(text) or transcript.now.done or len(terms(text)) > 6:
        return ""
    found = [entry for entry in matching(known(transcript), text, 0.5) if not instruction_like(entry.text)]
    if not found:
        return ""
    rows = "\n".join(f"- “{' '.join(entry.text.split())}”" for entry in found[:5])
    return f"From my memory, in the words it was kept in:\n\n{rows}"


def _from_sessions(transcript: Transcript, text: str) -> Step:
    found = transcript.now.of("session_search")
    if not found and "session_search" in transcript.tools:
        return Step("", tuple(Call("session_search", {"query": words, "limit": 15}) for words in _searches(text)))
    wanted = frozenset(terms(telling(text)))
    hits = [hit for done in found if done.result.ok for hit in session_hits(done.result, transcript.now.said)]
    fitting_hits = [hit for hit in dict.fromkeys(hits) if len(wanted & frozenset(terms(hit))) * 2 >= len(wanted)]
    if fitting_hits:
        return Step("No skill covers this, but earlier conversations do:\n\n" + "\n".join(fitting_hits[:3]))
    return Step(f"{wording.UNKNOWN}{_nearest(transcript, text)}\n\n{wording.UNKNOWN_NEXT}")


def _searches(text: str) -> tuple[str, ...]:
    """All telling words, and the two longest alone: a message has to hold every word it is searched by."""
    words = telling(text).split()
    longest = sorted(words, key=lambda word: -len(word))[:2]
    both = " ".join(word for word in words if word in longest)
    return tuple(dict.fromkeys((" ".join(words[:8]), both))) if words else (text[:200],)


def _nearest(transcript: Transcript, text: str) -> str:
    names = fitting(listed_rows(transcript.now), text, 0.04)
    return " The nearest skills by their words: " + ", ".join(f"`{name}`" for name in names) + "." if names else ""
