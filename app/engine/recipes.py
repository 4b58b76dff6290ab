"""Working recipes: steps or commands the user wrote and reported as working, with what they are for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.lessons import LONGEST_MESSAGE
from app.engine.skilltext import capital, shorten, slug, steps_text, topic_words
from app.engine.transcript import Turn
from app.text.units import sentences

_SUCCESS = (
    *(
        "worked",
        "works",
        "did the trick",
        "did it",
        "solved (?:it|the problem)",
        "fixed (?:it|the problem)",
        "fixes it",
    ),
    *("is fixed", "is solved", "runs now"),
)
_WORKED = re.compile(
    r"\b(?:that|this|it|which|everything|now it|these steps|those steps)\s+(?:all |finally |really |just |now )*"
    rf"(?:{'|'.join(_SUCCESS)})\b"
    r"|^\W*(?:worked|works now|works like a charm|solved|fixed it|problem solved)\b",
    re.IGNORECASE | re.MULTILINE,
)
_DOUBT = (
    *("not", "never", r"\w+n't", "no longer", "almost", "nearly", "half", "if", "until", "unless", "hope", "whether"),
    *("should have", "would have", "only sometimes"),
)
_NOT_WORKED = re.compile(
    rf"\b(?:{'|'.join(_DOUBT)})\b[^.!?\n]*\b(?:work|works|worked|fixed|solved)\b"
    r"|\b(?:worked|works|fixed|solved)\b[^.!?\n]*\?|\bworks on my machine\b",
    re.IGNORECASE,
)
_STATED = re.compile(r"\b(?:this is|that is|here is|here's|that's) how (?:we|i)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"^[ \t]*\d{1,3}[.)][ \t]+\S.*"
    r"(?:\n(?![ \t]*\d{1,3}[.)][ \t])(?:[ \t]+\S.*|[ \t]*(?=\n[ \t]+\S)))*",
    re.MULTILINE,
)
_INLINE_NUMBERED = re.compile(r"(?:(?<=\s)|\A)1[.)]\s+\S.*?\s2[.)]\s+\S.*", re.DOTALL)
_CODE = re.compile(r"^(```|~~~)[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"`([^`\n]{3,200})`")
_WHAT = r"(?P<what>[^.:;!?\n]{4,80})"
#: Phrases that are followed by what somebody does ("rotate the logs").
_DOING = (
    re.compile(rf"\bhow (?:to|we|i|you)(?: can| always| usually)?\s+{_WHAT}", re.IGNORECASE),
    re.compile(rf"\b(?:steps|recipe|procedure|commands?|checklist) to\s+{_WHAT}", re.IGNORECASE),
    re.compile(r"^\W*(?:in order )?to\s+(?P<what>[^.:;!?,\n]{4,80})\s*[,:]", re.IGNORECASE | re.MULTILINE),
)
#: Phrases that are followed by a thing ("log rotation").
_THING = (
    re.compile(rf"\b(?:steps|recipe|procedure|commands?|checklist) for\s+{_WHAT}", re.IGNORECASE),
    re.compile(r"^#+\s+(?P<what>[^\n]{4,80})$", re.MULTILINE),
)
_BEFORE_COLON = re.compile(
    r"^(?!\W*(?:here|this|that|these|what|i|it|so|ok|first|then|run|do)\b)(?P<what>[^.:;!?\n]{4,60}):\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_ASKED = re.compile(
    r"\bhow (?:do|can|should|would|to)(?: (?:i|we|you|one))?\s+(?P<what>[^.:;!?\n]{4,80})", re.IGNORECASE
)
_LEAD_ARTICLES = re.compile(r"\b(?:the|a|an|my|our|your|this|that)\s+", re.IGNORECASE)
_LOOK_BACK = 6
_LONGEST_SPAN = 160


@dataclass(frozen=True, slots=True)
class Recipe:
    """What worked: its purpose in the user's words, and the steps as Markdown, exactly as written.

    `doing` says whether the purpose is what somebody does ("rotate the logs") or a thing ("log rotation").
    """

    purpose: str
    steps: str
    span: str
    doing: bool = True

    @property
    def name(self) -> str:
        """A skill name from the first words of the purpose that carry meaning, or from its first words at all."""
        telling = topic_words(self.purpose, 4)
        return slug("-".join(telling if len(telling) > 1 else self.purpose.split()[:4]))

    @property
    def title(self) -> str:
        """The purpose as a heading."""
        return capital(self.purpose)

    @property
    def description(self) -> str:
        """What the skill does and when to use it, in the user's words."""
        when = "you want to" if self.doing else "the task is about"
        return f"{self.title}: steps that worked. Use when {when} {shorten(self.purpose, 200)}."

    @property
    def body(self) -> str:
        """The Markdown of a new skill."""
        return f"# {self.title}\n\n## Steps\n\n{self.steps}\n"


def recipe_of(turns: Sequence[Turn]) -> Recipe | None:
    """The recipe that the last turn's message confirms, from that message or from one shortly before it."""
    if not turns:
        return None
    last = turns[-1].said[:LONGEST_MESSAGE]
    plain = _CODE.sub("", last)
    stated = bool(_STATED.search(plain))
    worked = bool(_WORKED.search(plain)) and not _NOT_WORKED.search(plain)
    if not stated and not worked:
        return None
    for back, turn in enumerate(reversed(turns[-_LOOK_BACK:])):
        said = turn.said[:LONGEST_MESSAGE]
        steps = steps_in(said)
        if steps:
            purpose, doing = _purpose(said, _before(turns, len(turns) - 1 - back))
            return Recipe(purpose, steps, _confirmation(last), doing) if purpose else None
        if stated and not worked:
            return None
    return None


def steps_in(said: str) -> str:
    """The numbered steps and code blocks of a message, as they stand; commands in a sentence as steps; or nothing."""
    bare = "\n".join(line for line in said.splitlines() if not line.lstrip().startswith(">"))
    code = [found.group() for found in _CODE.finditer(bare)]
    text = _CODE.sub("", bare)
    numbered = [found.group().rstrip() for found in _NUMBERED.finditer(text)]
    if len(numbered) >= 2 and not code:
        return "\n".join(numbered)
    if len(numbered) >= 2:
        return _from_first_to_last(bare)
    inline = _INLINE_NUMBERED.search(text)
    if inline:
        return steps_text(_without_confirmation(inline.group()))
    if code:
        return "\n\n".join(code)
    commands = _COMMAND.findall(text)
    if len(commands) >= 2:
        told = [part for part in sentences(text) if _COMMAND.search(part)]
        return "\n".join(f"{number}. {part}" for number, part in enumerate(told, 1))
    return ""


def _from_first_to_last(text: str) -> str:
    """Everything from the first numbered line to the last step or block, so that code stays with its step."""
    first = _NUMBERED.search(text)
    ends = [found.end() for rule in (_NUMBERED, _CODE) for found in rule.finditer(text)]
    return text[first.start() : max(ends)].strip("\n") if first else ""


def _without_confirmation(text: str) -> str:
    parts = [part for part in re.split(r"(?<=[.!])\s+(?!\d)", text) if not _WORKED.search(part)]
    return " ".join(parts) or text


def _before(turns: Sequence[Turn], place: int) -> str:
    return turns[place - 1].said[:LONGEST_MESSAGE] if place > 0 else ""


def _purpose(said: str, asked_before: str) -> tuple[str, bool]:
    """What the steps are for and whether that is something to do; empty when nobody said it."""
    text = _CODE.sub("", said)
    tries = [(rule, text, True) for rule in _DOING] + [(rule, text, False) for rule in _THING]
    tries += [(_ASKED, said, True), (_ASKED, asked_before, True), (_BEFORE_COLON, text, False)]
    for rule, where, doing in tries:
        found = rule.search(where)
        what = found.group("what") if found else ""
        if topic_words(what, 1) and not _WORKED.search(what):
            return _tidy(what), doing
    return "", False


def _tidy(text: str) -> str:
    words = _LEAD_ARTICLES.sub(lambda found: found.group().lower(), " ".join(text.split()))
    return words.strip(" \"'`*_#,")


def _confirmation(said: str) -> str:
    """The words that say it works, with the rest of their line when that is short."""
    found = _WORKED.search(said) or _STATED.search(said)
    if found is None:
        return ""
    line = said[said.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0].strip()
    return line if len(line) <= _LONGEST_SPAN else found.group().strip()
