"""What a user's message teaches, by narrow patterns at the start of a sentence, always in the user's own words.

Wide patterns invent facts (measured: ten of them raised false alarms on half of the hard sentences), so these know
only explicit commands, stated preferences and corrections. Quoted and pasted text is never looked at.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.engine.skilltext import capital
from app.text.units import sentences


class Kind(StrEnum):
    """What sort of lesson a sentence is."""

    FACT = "fact"
    NAME = "name"
    RULE = "rule"
    PREFERENCE = "preference"
    CORRECTION = "correction"


_NAMING = re.compile(r"^(?:(?:please )?(?:call|address) me|my name is|you can call me)\s+\S.{0,60}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: `text` is what would be kept, `span` the literal words of the user it rests on.

    `target` is the memory store it would go to. `old` and `new` are set when a correction replaces one thing by
    another.
    """

    kind: Kind
    text: str
    span: str
    target: str = "user"
    old: str = ""
    new: str = ""

    @property
    def naming(self) -> bool:
        """Whether it says how the user is called."""
        return self.kind is Kind.NAME

    @staticmethod
    def names_user(text: str) -> bool:
        """Whether a remembered statement says how the user is called."""
        return bool(_NAMING.match(text.strip().rstrip(".!")))


_POLITE = (
    *("please", "also", "and", "but", "so", "ok(?:ay)?", "hey", "btw", "by the way", "oh", "hi", "hello", "thanks"),
    *("great", "yes", "well", "one more thing", "another thing"),
)
_LEAD = rf"^(?:(?:{'|'.join(_POLITE)})\b[,.:!]*\s+)*"


def _rule(pattern: str, *, lead: bool = True) -> re.Pattern[str]:
    """A rule for a whole sentence, after polite openings; `rest` is what is kept."""
    return re.compile(f"{_LEAD if lead else '^'}{pattern}", re.IGNORECASE)


_FACT = _rule(
    r"(?:(?:you should |could you |can you )?(?:please )?"
    r"(?:remember|memori[sz]e|note|keep in mind|bear in mind|don't forget|do not forget|make a note|take note)"
    r"(?: this| of this| of the fact)?(?: that\b|\s*[:,]|(?= to\b| my\b| our\b| i\b| we\b))\s*)(?P<rest>\S.*)$"
)
_FROM_NOW = _rule(
    r"(?P<rest>(?:from now on|from here on|going forward|in (?:the )?future|from today(?: on)?)\b[,:]?\s+\S.*)$"
)
_NAME = _rule(r"(?P<rest>(?:call|address) me\s+\S.{0,60}|my name is\s+\S.{0,60}|you can call me\s+\S.{0,60})$")
_NO_RULE = "mind|heard|seen|been|had|thought|knew|wanted|wondered|again[.!]|ever|a|the"
_ALWAYS = _rule(rf"(?P<rest>(?:always|never)\s+(?!(?:{_NO_RULE})\b)\S.*)$")
_WHENEVER = _rule(r"(?P<rest>(?:when(?:ever)?|before|after|if|for)\b[^?]{3,120}?,?\s+(?:always|never)\s+\S.*)$")
_NOT_AGAIN = _rule(r"(?P<rest>(?:don't|do not|stop)\s+\S.{3,160}?\b(?:again|any ?more|ever|in (?:the )?future))\W*$")
_PREFERENCE = _rule(
    r"(?P<rest>(?:i (?:really |strongly |generally |usually |always |much )?prefer|i'd (?:really )?(?:prefer|rather)"
    r"|i would (?:prefer|rather)|i (?:always|never) want"
    r"|i (?:like|want) (?:my|your|the) (?:answers|replies|code|reports|summaries|commits|texts)"
    r"|my preference is)\s+(?!not to say)\S.*)$"
)
_NO = (
    *("no", "nope", "wrong", "not quite", "sorry, no", "actually", "correction", "this is (?:wrong|not right)"),
    "that(?:'s| is)(?: not right| wrong| not correct| incorrect)",
)
_CORRECTION = _rule(rf"(?:(?:{'|'.join(_NO)})\b[,.:;! -]+)+(?P<rest>\S.*)$", lead=False)
_FORGOT = _rule(r"(?:but )?(?P<rest>you (?:forgot|missed|left out|skipped)\s+(?P<what>\S.*))$")
_SHOULD = _rule(
    r"(?P<rest>(?:it should be|the (?:right|correct) (?:\w+ ){1,3}is|use|it(?:'s| is))\s+\S.*"
    r"\b(?:instead(?: of)?|rather than|not)\b.*)$"
)
#: After a word such as "no" the rest must tell how it is, not ask or thank.
_TELLS = re.compile(
    r"\b(?:use|run|should|must|need|needs|is|are|isn't|not|instead|first|before|after|add|put|call|set|with)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"^(?:thanks|thank you|problem|worries|idea|i don't|i do not|it's fine|that's all|need)\b", re.IGNORECASE
)
_NOT = r"(?:,?\s*(?:and )?not|instead of|rather than)"
_NEW, _OLD = r"(?P<new>\S.{0,80}?)", r"(?P<old>\S.{0,80}?)"
_INSTEAD = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:use|run|write|say|call|take|put)\s+{_NEW}\s*{_NOT}\s+{_OLD}\s*[.!]*$",
        rf"\b(?:it's|it is|it should be|should be|is)\s+{_NEW}\s*{_NOT}\s+{_OLD}\s*[.!]*$",
        rf"\bnot\s+{_OLD},?\s+but\s+{_NEW}\s*[.!]*$",
        rf"\breplace\s+{_OLD}\s+(?:with|by)\s+{_NEW}\s*[.!]*$",
    )
)
_FENCED = re.compile(r"^(```|~~~).*?(?:^\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_ATTACHED = re.compile(
    r"^(?:#+ )?Attached Context\b.*\Z|^<(?:file|context|attachment|document)\b.*?(?:^</|\Z)", re.MULTILINE | re.DOTALL
)
_LONGEST = 400
#: What a person types is shorter; the rest of a longer message is a pasted document.
LONGEST_MESSAGE = 8000
_OWN = re.compile(r"\b(?:i|i'm|my|me|mine|i've|i'd)\b", re.IGNORECASE)


def explicit(said: str) -> tuple[Lesson, ...]:
    """What the user orders to be kept: remember that, from now on, call me."""
    return tuple(lesson for sentence in own_sentences(said) for lesson in [_explicit(sentence)] if lesson is not None)


def implied(said: str, *, answered: bool) -> tuple[Lesson, ...]:
    """Stated preferences and rules, and corrections when the assistant has `answered` before."""
    found = []
    for sentence in own_sentences(said):
        lesson = None if _explicit(sentence) else _stated(sentence) or (_corrected(sentence) if answered else None)
        if lesson is not None:
            found.append(lesson)
    return tuple(found)


def own_sentences(said: str) -> Iterator[str]:
    """The sentences a user wrote, without code, quotations, attachments, questions and overlong ones."""
    bare = _ATTACHED.sub("", _FENCED.sub("", said[:LONGEST_MESSAGE]))
    for line in bare.splitlines():
        if line.lstrip().startswith((">", "|")):
            continue
        for sentence in sentences(line):
            if len(sentence) <= _LONGEST and not sentence.rstrip(" \"')”").endswith("?"):
                yield sentence


def _explicit(sentence: str) -> Lesson | None:
    found = _NAME.match(sentence)
    if found:
        return _lesson(Kind.NAME, found.group("rest"))
    found = _FROM_NOW.match(sentence)
    if found:
        return _lesson(Kind.RULE, found.group("rest"))
    found = _FACT.match(sentence)
    if found:
        rest = found.group("rest")
        if Lesson.names_user(rest):
            return _lesson(Kind.NAME, rest)
        text = f"Remember {rest}" if rest.casefold().startswith("to ") else rest
        return _lesson(Kind.FACT, rest, text, "user" if _OWN.search(rest) else "memory")
    return None


def _stated(sentence: str) -> Lesson | None:
    for kind, rule in (
        (Kind.PREFERENCE, _PREFERENCE),
        (Kind.RULE, _ALWAYS),
        (Kind.RULE, _WHENEVER),
        (Kind.RULE, _NOT_AGAIN),
    ):
        found = rule.match(sentence)
        if found:
            return _lesson(kind, found.group("rest"))
    return None


def _corrected(sentence: str) -> Lesson | None:
    found = _FORGOT.match(sentence)
    if found:
        return _lesson(Kind.CORRECTION, found.group("rest"), f"Do not forget {found.group('what')}", "memory")
    found = _CORRECTION.match(sentence) or _SHOULD.match(sentence)
    if found is None:
        return None
    rest = found.group("rest")
    if _SMALL_TALK.match(rest) or not _TELLS.search(rest) or len(rest.split()) < 3:
        return None
    return _lesson(Kind.CORRECTION, rest, target="memory")


def _lesson(kind: Kind, span: str, text: str = "", target: str = "user") -> Lesson:
    span = span.strip()
    kept = capital(" ".join((text or span).split()).rstrip())
    old, new = _replacement(span) if kind is Kind.CORRECTION else ("", "")
    return Lesson(kind, kept, span, target, old, new)


def _replacement(span: str) -> tuple[str, str]:
    for rule in _INSTEAD:
        found = rule.search(span)
        if found:
            return _bare(found.group("old")), _bare(found.group("new"))
    return "", ""


def _bare(text: str) -> str:
    return text.strip().strip("`\"'“”‘’").rstrip(",;:").strip("`\"'“”‘’ ")
