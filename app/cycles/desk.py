"""What a turn or fork works with: the tools over the live library, or over a draft that becomes a proposal."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from app.agent.values import ToolOutcome
from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.values import ReviewSnapshot
from app.history.values import Origin, Snapshot
from app.memory.values import MemoryBy, MemoryReceipt, MemoryVerdict, Target
from app.proposals.draft import Draft, DraftRules, open_draft
from app.proposals.draft_door import DraftDoor
from app.proposals.filing import About
from app.proposals.grouping import Drafted, memory_change
from app.proposals.single import drafted_from
from app.proposals.values import MemoryAction, MemoryStep, Proposal
from app.providers.values import Role, ToolSpec, ToolUse
from app.sessions.search import search_sessions
from app.sessions.values import Hit
from app.skills.order import usage_key
from app.skills.usage import UsageFile, UsageRecords, count
from app.skills.values import Library, Receipt, Request, Skill, Writer
from app.toolbox.dispatcher import Dispatcher
from app.toolbox.values import ALL_TOOLS, CURATOR_TOOLS, MemoryWish, Surroundings, already_there

_FILED = "It waits for the user's approval."


class Desk:
    """The tools of one run and what they act on. `door` is the live one, or a draft's."""

    def __init__(
        self,
        open_home: OpenHome,
        writer: Writer,
        allowed: frozenset[str],
        *,
        draft: Draft | None = None,
        must_read: bool = False,
        own_words: str = "",
    ) -> None:
        self._open = open_home
        self._writer = writer
        self._draft = draft
        self._stack = contextlib.ExitStack()
        self._wishes: list[Drafted] = []
        self._in_prompt: set[str] = set()
        self.door = DraftDoor(draft.place, open_home.clock) if draft else open_home.door
        self.own_words = own_words
        around = Surroundings(
            library=self.library,
            do=self.door.do,
            memory=_HeldMemory() if draft else open_home.memory_writer,
            search=self._search,
            recent=open_home.sessions.list,
            messages=open_home.sessions.messages,
            is_untrusted=lambda session: bool(open_home.counters.get(session, "untrusted")),
            propose=self._propose,
            propose_memory=self._propose_memory,
            viewed=self._viewed,
            user_words=lambda: self.own_words,
            draft=draft is not None,
            fetch=draft.place.fetch if draft else already_there,
        )
        self.dispatcher = Dispatcher(around, writer, allowed, must_read=must_read, untrusted=writer.untrusted)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as advertised: the same for every run."""
        return self.dispatcher.specs

    @property
    def skills_used(self) -> tuple[str, ...]:
        """Ids of the skills that were opened or changed."""
        return self.dispatcher.skills_used

    def call(self, use: ToolUse, token: CancelToken) -> ToolOutcome:
        """Run one call."""
        return self.dispatcher.call(use, token)

    def library(self) -> Library:
        """The skills as this run sees them."""
        return self._draft.place.library() if self._draft else self._open.library()

    @property
    def drafts(self) -> bool:
        """Whether the run works in a draft."""
        return self._draft is not None

    def touched(self, skill_id: str) -> bool:
        """Whether the run changed this skill in its draft."""
        return self._draft is not None and skill_id in self._draft.place.touched

    def sides(self, skill_id: str) -> tuple[Snapshot, Snapshot]:
        """A skill's folder before the run and as its draft holds it; both empty without a draft."""
        return self._draft.sides(skill_id) if self._draft is not None else ({}, {})

    def own(self, stack: contextlib.ExitStack) -> None:
        """Close this with the desk."""
        self._stack = stack

    def file_draft(self) -> tuple[str, ...]:
        """Turn what the draft holds into a proposal; empty when nothing changed or everything was rejected before."""
        if self._draft is None:
            return ()
        drafted = (*self._draft.drafted(), *self._wishes)
        proposal = self._open.proposals.file(drafted, self._about(self._draft.base)) if drafted else None
        return (proposal.id,) if proposal else ()

    def drafted(self) -> tuple[Drafted, ...]:
        """What the draft holds so far."""
        return self._draft.drafted() if self._draft is not None else ()

    def file_revision(self, reason: str) -> tuple[str, ...]:
        """As `file_draft`, but as a proposal of its own that takes the place of what it revises."""
        if self._draft is None:
            return ()
        about = replace(self._about(self._draft.base), reason=reason)
        proposal = self._open.proposals.file(self._draft.drafted(), about, apart=True)
        return (proposal.id,) if proposal else ()

    def close(self) -> None:
        """Throw the draft away."""
        self._stack.close()

    def _about(self, base: str) -> About:
        writer = self._writer
        marked = writer.untrusted or self.dispatcher.untrusted
        return About(writer.origin, base, "", "", writer.run, writer.session, writer.turn, marked)

    def _search(self, text: str, limit: int) -> tuple[Hit, ...]:
        """Earlier conversations only: the one that asks, and what tools said, are no answer to it."""
        hits = search_sessions(self._open.database, text, limit + 1, tools=False)
        return tuple(hit for hit in hits if hit.id != self._writer.session)[:limit]

    def _propose(self, request: Request, receipt: Receipt) -> str:
        """One change that needs a decision, from a run without a draft."""
        preview = self.door.preview(request, self._writer)
        drafted = drafted_from(preview, request, self.library())
        return self._file(drafted if drafted.reason else replace(drafted, reason=receipt.why))

    def _propose_memory(self, wish: MemoryWish, why: str) -> str:
        step = MemoryStep(MemoryAction(wish.action), wish.target, wish.text, wish.old_text, wish.span)
        drafted = memory_change(step, why)
        if self._draft is not None:
            self._wishes.append(drafted)
            return ""
        return self._file(drafted)

    def _file(self, drafted: Drafted) -> str:
        proposal = self._open.proposals.file((drafted,), self._about(self._open.history.tip() or ""))
        return proposal.id if proposal else ""

    def _viewed(self, skill: Skill) -> None:
        """Count a view, and a use where the skill enters the turn's prompt by it (the first view of the turn)."""
        library = self._open.library()
        now = self._open.clock()
        key = usage_key(library.skills, skill.id)
        kinds = ("view",) if skill.id in self._in_prompt else ("view", "use")
        self._in_prompt.add(skill.id)
        with self._open.lock.hold("counting a view"):
            UsageFile(self._open.home.usage).update(lambda records: _count_all(records, kinds, key, now))


def _count_all(records: UsageRecords, kinds: Sequence[str], key: str, now: datetime) -> None:
    for kind in kinds:
        count(records, kind, key, now)


class _HeldMemory:
    """Memory as a run in a draft sees it: every write waits for the user, whatever it says."""

    def add(self, target: Target, text: str, writer: MemoryBy, span: str = "") -> MemoryReceipt:
        """Answer that it waits."""
        return MemoryReceipt(MemoryVerdict.PROPOSE, _FILED, 0, 0)

    def replace(
        self,
        target: Target,
        old_text: str,
        text: str,
        writer: MemoryBy,
        span: str = "",
    ) -> MemoryReceipt:
        """Answer that it waits."""
        return MemoryReceipt(MemoryVerdict.PROPOSE, _FILED, 0, 0)

    def remove(self, target: Target, old_text: str, writer: MemoryBy) -> MemoryReceipt:
        """Answer that it waits."""
        return MemoryReceipt(MemoryVerdict.PROPOSE, _FILED, 0, 0)


def chat_desk(open_home: OpenHome, session: str, turn: str, words: str) -> Desk:
    """The tools of a chat turn. `words` is what the user typed, for facts that must rest on it."""
    return Desk(open_home, Writer(Origin.CHAT, session, turn), ALL_TOOLS, own_words=words)


def review_desk(open_home: OpenHome, snapshot: ReviewSnapshot) -> Desk:
    """The tools of a review: live, or in a draft when its writes have to wait."""
    writer = Writer(Origin.REVIEW, snapshot.session, snapshot.turn, untrusted=snapshot.untrusted)
    words = "\n".join(message.text for message in snapshot.messages if message.role is Role.USER)
    if open_home.settings.review.mode != "hold" and not snapshot.untrusted:
        return Desk(open_home, writer, ALL_TOOLS, must_read=True, own_words=words)
    return _drafted(open_home, replace(writer, hold=True), ALL_TOOLS, words)


def curator_desk(open_home: OpenHome, run: str) -> Desk:
    """The tools of a curator's fork: skills only, in a draft, always. The run has recorded outside changes already."""
    return _drafted(open_home, Writer(Origin.CURATOR, run=run), CURATOR_TOOLS, "", observed=True)


def revising_desk(open_home: OpenHome, proposal: Proposal) -> Desk:
    """The tools of a fork that makes a part of a proposal anew: skills only, in a draft, in the same name."""
    writer = Writer(
        proposal.origin, proposal.session, proposal.turn, proposal.run, hold=True, untrusted=proposal.untrusted
    )
    return _drafted(open_home, writer, CURATOR_TOOLS, "")


def single_desk(open_home: OpenHome, origin: Origin) -> Desk:
    """The tools for one call made by hand in an agent's name; nothing has been read before it, so that rule rests."""
    if origin is Origin.CURATOR:
        return _drafted(open_home, Writer(origin), CURATOR_TOOLS, "", must_read=False)
    hold = origin is Origin.REVIEW and open_home.settings.review.mode == "hold"
    return Desk(open_home, Writer(origin, hold=hold), ALL_TOOLS)


def _drafted(
    open_home: OpenHome,
    writer: Writer,
    allowed: frozenset[str],
    words: str,
    *,
    must_read: bool = True,
    observed: bool = False,
) -> Desk:
    """A draft begins from the history, so what other programs changed is recorded before."""
    if not observed:
        open_home.live.observe_outside(None)
    settings = open_home.settings
    rules = DraftRules(settings.curator.min_age_days, int(settings.library.file_limit_mb * 1_000_000))
    with contextlib.ExitStack() as stack:
        place = open_draft(
            open_home.history,
            open_home.library(),
            open_home.home,
            open_home.history.tip(),
            settings.library,
            rules,
            open_home.clock,
        )
        draft = stack.enter_context(place)
        desk = Desk(open_home, writer, allowed, draft=draft, must_read=must_read, own_words=words)
        desk.own(stack.pop_all())
    return desk
