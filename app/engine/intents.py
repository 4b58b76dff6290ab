"""What a chat message asks for, told by narrow patterns; everything else is a question or a remark."""

import re
from dataclasses import dataclass
from enum import StrEnum

from app.patterns import compiled


class Wish(StrEnum):
    """The kinds of request the built-in engine knows."""

    GREETING = "greeting"
    THANKS = "thanks"
    HELP = "help"
    LIST = "list"
    SHOW = "show"
    CREATE = "create"
    ADD = "add"
    DELETE = "delete"
    PIN = "pin"
    RESTORE = "restore"
    CURATOR = "curator"
    RECALL = "recall"
    FORGET = "forget"
    SEARCH = "search"
    QUESTION = "question"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class Intent:
    """A wish with the skill it names and the rest of the text it is about."""

    wish: Wish
    name: str = ""
    text: str = ""


_NAME = r"[\"'`“‘]?(?:@(?:skill:)?)?(?P<name>[\w][\w./ -]{0,80}?)[\"'`”’]?"
_SLUG = r"[\"'`“‘]?(?:@(?:skill:)?)?(?P<name>[\w][\w./-]{0,80})[\"'`”’]?"
_PLEASE = r"(?:(?:please|can you|could you|would you|now|ok(?:ay)?|hey|hi|hello)[\s,]+)*"
_END = r"\s*(?:please)?\s*[.!?]*\s*\Z"


def _any(*patterns: str) -> str:
    """One of these patterns."""
    return f"(?:{'|'.join(patterns)})"


_SHOW = _any("show", "open", "read", "view", "display", "print", "cat")
_SKILL_CALLED = _any("called", "named", "with the name", "for")
_REMOVE = _any("delete", "remove", "archive", "retire", "drop")
_OLD_TALK = r"(?: (?:in|through|my|our|the|all|past|earlier|old))* (?:sessions?|conversations?|chats?|history)"

_MENTION = re.compile(r"(?:^|(?<=[\s(]))@(?:skill:)?(\w(?:[\w./-]{0,79}\w)?+)(?![\w@])")

#: Tried in this order; the first that fits wins.
_PATTERNS: tuple[tuple[Wish, str], ...] = (
    (
        Wish.GREETING,
        _any(
            "hi", "hello", "hey", "good (?:morning|afternoon|evening|day)", "hallo", "servus", "moin", "hola", "bonjour"
        )
        + rf"(?: there| melete)?{_END}",
    ),
    (
        Wish.THANKS,
        rf"(?:many )?{_any('thanks', 'thank you', 'thx', 'cheers')}(?: (?:a lot|so much|very much|you))?{_END}",
    ),
    (
        Wish.HELP,
        _any("help(?: me)?", r"\?+", "/help", "who are you", "what are you", "how do you work")
        + _END
        + rf"|{_any('what (?:can|do) you (?:do|know how to do)', 'what can i (?:ask|say|do)(?: here)?')}{_END}",
    ),
    (
        Wish.LIST,
        r"(?:list|show|give me|display)(?: me)?(?: all)?(?: of)?(?: (?:my|the|your))?(?: installed| available)? skills"
        + _END
        + r"|(?:what|which) skills (?:do (?:you|i|we) have|are there|are installed|are available|exist|can you use)"
        + rf"{_END}|/?skills{_END}",
    ),
    (
        Wish.CREATE,
        (
            rf"(?:create|make|write|add|save|start)(?: me)?(?: an?| the)?(?: new)? skill (?:{_SKILL_CALLED})?\s*{_NAME}"
            r"\s*(?::|\bthat says\b|\bwith(?: the)? steps\b:?|\n|\Z)\s*(?P<text>.*)\Z"
        ),
    ),
    (
        Wish.ADD,
        (
            rf"(?:add|append|put|write)(?: this| that| the following)? (?:to|into)(?: the| my)?(?: skill)? {_SLUG}"
            r"(?: skill)?\s*(?::|\bthat\b|\n)\s*(?P<text>.+)\Z"
        ),
    ),
    (Wish.DELETE, rf"{_REMOVE}(?: the| my)? skill (?:called |named )?{_SLUG}{_END}"),
    (Wish.DELETE, rf"{_REMOVE}(?: the| my)? {_SLUG} skill{_END}"),
    (Wish.PIN, rf"(?:un)?pin(?: the| my)?(?: skill)? {_SLUG}(?: skill)?{_END}"),
    (Wish.RESTORE, rf"(?:restore|unarchive|bring back)(?: the| my)?(?: skill)? {_SLUG}(?: skill)?{_END}"),
    (
        Wish.CURATOR,
        (
            rf"(?:run|start|call|launch)(?: the)? curator(?: now)?{_END}"
            rf"|(?:clean up|consolidate|curate|tidy)(?: up)?(?: my| the) (?:skills|library)(?: now)?{_END}"
        ),
    ),
    (
        Wish.RECALL,
        (
            r"(?:what|which things|everything) (?:do|did|have) you (?:remember(?:ed)?|know|learn(?:ed)?|stored?)"
            rf"(?: (?:about|of) (?:me|us|my work))?{_END}"
            rf"|(?:show|list|display)(?: me)?(?: my| the| your)? (?:memory|memories){_END}"
            rf"|what is in (?:your|my|the) memory{_END}|do you remember me{_END}|/?memory{_END}"
        ),
    ),
    (
        Wish.FORGET,
        (
            r"(?:forget|unlearn|(?:remove|delete) from (?:your |my |the )?memory)(?: that| about|:)?\s+"
            r"(?P<text>(?!it\b|about it\b).+)\Z"
        ),
    ),
    (
        Wish.SEARCH,
        (
            rf"(?:search|look|find){_OLD_TALK}(?: for| about)? (?P<text>.+)\Z"
            r"|(?:what|when|where|why|how) did (?:we|i|you) (?:say|talk|discuss|decide|mention|write|do|agree)"
            r"(?: on| about)?(?: about| with| for)? (?P<said>.+)\Z"
            r"|(?:did|have) (?:we|i) (?:ever )?(?:talk(?:ed)?|discuss(?:ed)?|mention(?:ed)?|spoken)(?: about)?"
            r" (?P<ever>.+)\Z"
        ),
    ),
    (Wish.SHOW, rf"{_SHOW}(?: me)?(?: the| my)?(?: skill)?(?: called| named)? {_SLUG}(?: skill)?{_END}"),
    (Wish.SHOW, rf"(?:what does|what is in)(?: the| my)?(?: skill)? {_SLUG}(?: skill)?(?: say)?{_END}"),
)
_RULES = tuple((wish, rf"\A\s*{_PLEASE}(?:{pattern})") for wish, pattern in _PATTERNS)
_ASKING = (
    *("how", "what", "which", "when", "where", "who", "why", "whom", "can", "could", "should", "would", "will", "do"),
    *("does", "did", "is", "are", "am", "was", "were", "may", "might", "must", "explain", "tell", "describe", "give"),
    *("find", "help", "summari[sz]e", "review", "debug", "write", "plan", "i need", "i want", "i'd like", "i have to"),
    *("let's", "we need", "we want"),
)
_QUESTION_WORD = rf"\A\s*(?:and |so |but |ok |okay |hi |hello |hey |please )*{_any(*_ASKING)}\b"


def mentioned(said: str) -> tuple[str, ...]:
    """The names after an @, as the chat's completion puts them in, in order."""
    return tuple(dict.fromkeys(_MENTION.findall(said)))


def intent_of(said: str) -> Intent:
    """The wish of a message. A text that is no known request and no question is a remark."""
    for wish, rule in _RULES:
        found = compiled(rule, re.IGNORECASE | re.DOTALL).match(said)
        if found:
            groups = found.groupdict()
            text = groups.get("text") or groups.get("said") or groups.get("ever") or ""
            return Intent(wish, (groups.get("name") or "").strip(), text.strip())
    if "?" in said or compiled(_QUESTION_WORD, re.IGNORECASE).match(said):
        return Intent(Wish.QUESTION, text=said.strip())
    return Intent(Wish.REMARK, text=said.strip())
