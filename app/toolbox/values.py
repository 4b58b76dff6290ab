"""Values of the toolbox: what the tools act on, what they answer, and the wishes they hand to whoever decides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.memory.values import MemoryBy, MemoryReceipt, Target
from app.sessions.values import Hit, SessionInfo, StoredMessage
from app.skills.values import Library, Receipt, Request, Skill, Verdict, Writer

#: Everything that can be advertised: the same list for chat, review and curator, because the prompt cache needs it.
ALL_TOOLS = frozenset({"skills_list", "skill_view", "skill_manage", "memory", "session_search"})
#: What a curator's fork may call.
CURATOR_TOOLS = frozenset({"skills_list", "skill_view", "skill_manage"})


class MemoryRoom(Protocol):
    """The writing side of memory."""

    def add(self, target: Target, text: str, by: MemoryBy, /, span: str = "") -> MemoryReceipt:
        """Add one entry."""

    def replace(self, target: Target, old_text: str, text: str, by: MemoryBy, /, span: str = "") -> MemoryReceipt:
        """Replace the one entry that contains `old_text`."""

    def remove(self, target: Target, old_text: str, by: MemoryBy, /) -> MemoryReceipt:
        """Remove the one entry that contains `old_text`."""


@dataclass(frozen=True, slots=True)
class MemoryWish:
    """A memory write that waits for the user: `action` is add, replace or remove."""

    action: str
    target: Target
    text: str = ""
    old_text: str = ""
    span: str = ""


def already_there(skill: Skill) -> None:
    """In the live library a skill's folder is where it is."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the tools act on, handed in by whoever runs the agent.

    `do` is the one door; `propose` and `propose_memory` file what needs a decision (with the rules' sentence) and
    answer with the proposal's id; `viewed` counts a view by the chat; `user_words` gives what the user has typed, for
    facts that must rest on it ("" when nobody knows). In a `draft` nothing becomes live without approval; `fetch` has a
    skill's folder written out there before it is read.
    """

    library: Callable[[], Library]
    do: Callable[[Request, Writer], Receipt]
    memory: MemoryRoom
    search: Callable[[str, int], tuple[Hit, ...]]
    recent: Callable[[int], tuple[SessionInfo, ...]]
    messages: Callable[[str], tuple[StoredMessage, ...]]
    is_untrusted: Callable[[str], bool]
    propose: Callable[[Request, Receipt], str]
    propose_memory: Callable[[MemoryWish, str], str]
    viewed: Callable[[Skill], None]
    user_words: Callable[[], str]
    draft: bool = False
    fetch: Callable[[Skill], None] = already_there


@dataclass(frozen=True, slots=True)
class Refused:
    """One refused call, for a report."""

    tool: str
    action: str
    skill: str
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What one tool answers. `data` becomes the result's JSON, with `success` in front of it.

    `read` are the files (`<skill id>/<path>`) the caller has now seen whole, `skill` the id it is about.
    """

    success: bool
    data: Mapping[str, Any] = field(default_factory=dict)
    verdict: Verdict = Verdict.ALLOW
    untrusted: bool = False
    entry: str | None = None
    proposal: str | None = None
    skill: str = ""
    target: str = ""
    read: tuple[str, ...] = ()


class BadArguments(Exception):  # noqa: N818 - what is wrong is said in the sentence, not in the name
    """The arguments of a call do not fit; the text is the sentence the model reads."""


def refused(sentence: str, *, skill: str = "", target: str = "", **more: object) -> Answer:
    """A call that was not carried out, and why."""
    return Answer(False, {"error": sentence, **more}, Verdict.REFUSE, skill=skill, target=target)
