"""Phase B of the curator: a fork folds siblings into umbrellas in a draft, and its result becomes one proposal."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.agent.loop import run_loop
from app.agent.values import Ending, LoopLimits, MessageAdded, ToolEnded, TurnEnded
from app.cancel import CancelToken
from app.curator.ages import budget_from
from app.curator.candidates import candidate_message, candidates, sibling_clusters
from app.curator.classify import Call, classify
from app.curator.values import Consolidated, Pruned, RefusedCall, Thresholds, Transition
from app.cycles.desk import Desk, curator_desk
from app.cycles.home import OpenHome
from app.cycles.metered import Metered
from app.cycles.references import References
from app.cycles.second_look import measured
from app.cycles.values import CuratorProgress, Phase
from app.history.values import Origin
from app.paths import resources_dir
from app.proposals.decisions import changes_of
from app.proposals.values import Decision
from app.providers.base import Provider
from app.providers.values import Message, Role, Text, Usage
from app.skills.read import read_skill_text
from app.skills.resolve import Names
from app.skills.values import Action, Library, Request, Skill, State, Writer
from app.text.similarity import catalogue_text


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What phase B did in its draft. `skipped` says why there was no model part, empty when there was one."""

    consolidated: tuple[Consolidated, ...] = ()
    pruned: tuple[Pruned, ...] = ()
    added: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    refused: tuple[RefusedCall, ...] = ()
    proposals: tuple[str, ...] = ()
    mentions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    usage: Usage = field(default_factory=Usage)
    final: str = ""
    error: str = ""
    skipped: str = ""
    unasked: tuple[str, ...] = ()
    crowded: tuple[str, ...] = ()
    decisions: int = 0


def consolidate(
    open_home: OpenHome,
    provider: Provider | None,
    library: Library,
    moves: Sequence[Transition],
    thresholds: Thresholds,
    token: CancelToken,
    *,
    run: str,
    dry_run: bool,
    hurry: Callable[[], bool],
) -> Generator[CuratorProgress, None, Consolidation]:
    """Archive by age in the draft what waits for approval, let the fork work, file the draft (unless a dry run).

    The draft is filed before anything is worked out about it, so that a program that has to end (`hurry`) keeps it.
    """
    aged = [move for move in moves if move.after is State.ARCHIVED and not move.applied]
    gone = {move.skill for move in moves if move.after is State.ARCHIVED}
    found = tuple(skill for skill in candidates(library.skills, open_home.clock(), thresholds) if skill.id not in gone)
    clusters = sibling_clusters(found, _texts(found)) if provider is not None else ()
    if not aged and (provider is None or len(found) < 2):
        return Consolidation(skipped="no model part" if provider is None else "no candidates to merge")
    desk = curator_desk(open_home, run)
    try:
        for move in aged:
            request = Request(Action.ARCHIVE, move.skill, absorbed_into="", reason=move.reason)
            desk.door.do(request, Writer(Origin.CURATOR, run=run))
        if provider is None or len(found) < 2:
            why = "no model part" if provider is None else "no candidates to merge"
            filed = () if dry_run else desk.file_draft()
            return _with_filed(open_home, Consolidation(skipped=why), filed, aged, dry_run=dry_run)
        leaning = References(open_home)
        references = {skill.id: leaning.of(skill) for skill in found}
        message = candidate_message(found, clusters, _users(library, found), open_home.clock(), references=references)
        work = _Fork(open_home, desk, provider, library, token)
        yield from work.play(message, aged)
        filed = () if dry_run else desk.file_draft()
        made = work.result(measure=not hurry())
        gone = {item.name for item in made.consolidated} | {item.name for item in made.pruned}
        made = replace(made, references={s.name: references[s.id] for s in found if s.name in gone})
        return _with_filed(open_home, made, filed, aged, dry_run=dry_run)
    finally:
        desk.close()


def _with_filed(
    open_home: OpenHome, made: Consolidation, proposals: tuple[str, ...], aged: Sequence[Transition], *, dry_run: bool
) -> Consolidation:
    """What came into the inbox, and what of the run was rejected before and is not asked again."""
    if dry_run:
        return made
    filed = [open_home.proposals.get(item) for item in proposals]
    asked = {name for item in filed for group in item.waiting for c in group.changes for name in (c.name, c.skill)}
    gone = [item.name for item in made.consolidated] + [item.name for item in made.pruned]
    unasked = tuple(name for name in (*gone, *(move.skill for move in aged), *made.added) if name not in asked)
    shut = [c for item in filed for c in changes_of(item).values() if c.decision is Decision.CLOSED]
    full = {name for change in shut for name in (change.name, change.skill)}
    return replace(
        made,
        proposals=proposals,
        unasked=unasked,
        crowded=tuple(name for name in unasked if name in full),
        decisions=sum(len(item.waiting) for item in filed),
    )


class _Fork:
    """One consolidation: plays the loop in the draft and sorts what came of it."""

    def __init__(
        self, open_home: OpenHome, desk: Desk, provider: Provider, library: Library, token: CancelToken
    ) -> None:
        self._open = open_home
        self._desk = desk
        self._meter = Metered(provider, budget_from(open_home.settings.curator), token)
        self._library = library
        self._ended = TurnEnded(Ending.FAILED)
        self._calls: list[Call] = []
        self._final = ""
        self._aged: set[str] = set()

    def play(self, message: str, aged: Sequence[Transition]) -> Generator[CuratorProgress, None, None]:
        """Run the loop, telling each call."""
        self._aged = {move.skill for move in aged}
        settings = self._open.settings
        limits = LoopLimits(
            settings.curator.max_iterations,
            settings.model.max_tokens,
            settings.model.stall_seconds,
            settings.model.timeout_seconds,
        )
        prompt = (resources_dir() / "prompts" / "curator.md").read_text(encoding="utf-8")
        messages = (Message(Role.USER, (Text(message),)),)
        meter, desk = self._meter, self._desk
        try:
            for event in run_loop(meter, prompt, messages, desk.specs, desk.call, meter.token, limits, "curator"):
                if isinstance(event, ToolEnded):
                    yield self._note(event)
                elif isinstance(event, TurnEnded):
                    self._ended = event
                elif isinstance(event, MessageAdded) and event.message.role is Role.ASSISTANT:
                    self._final = event.message.text or self._final
                elif isinstance(event, MessageAdded):
                    meter.stop_when_spent()
        finally:
            meter.close()

    def result(self, *, measure: bool) -> Consolidation:
        """Everything the report needs; `measure` says whether there is time to find out what the merges keep."""
        before = {skill.id: skill for skill in self._library.skills if skill.live and skill.in_home}
        after = {skill.id: skill for skill in self._desk.library().skills if skill.live and skill.in_home}
        removed = [skill.name for key, skill in before.items() if key not in after and key not in self._aged]
        declared, reasons = self._declared()
        absorbed, pruned, notes = classify(
            removed, {skill.name for skill in after.values()}, declared, self._calls, self._final, reasons
        )
        doubts: tuple[str, ...] = ()
        if measure:
            absorbed, doubts = measured(self._desk, absorbed, _by_name(before.values()), _by_name(after.values()))
        added = tuple(skill.name for key, skill in after.items() if key not in before)
        edited = tuple(skill.name for key, skill in after.items() if key in before and self._desk.touched(key))
        ended = self._ended
        return Consolidation(
            consolidated=absorbed,
            pruned=pruned,
            added=added,
            edited=edited,
            refused=tuple(RefusedCall(r.tool, r.action, r.skill, r.why) for r in self._desk.dispatcher.refused),
            mentions=_mentions(self._library, removed),
            notes=notes,
            doubts=doubts,
            calls=tuple(self._calls),
            usage=ended.usage,
            final=self._final,
            error=self._error(),
        )

    def _error(self) -> str:
        """Why the fork did not come to its own end; what it did until then is kept all the same."""
        if self._ended.ending is Ending.DONE:
            return ""
        if self._ended.ending is Ending.STOPPED and self._meter.spent:
            return f"{self._meter.spent} What was done until then is kept."
        return self._ended.reason or str(self._ended.ending)

    def _note(self, event: ToolEnded) -> CuratorProgress:
        arguments = event.call.input or {}
        if not event.result.is_error:
            self._calls.append(Call(event.call.name, arguments))
        name = str(arguments.get("name") or "")
        what = " ".join(part for part in (event.call.name, str(arguments.get("action") or ""), name) if part)
        sign = "refused" if event.result.is_error else "done"
        line, meter = f"{what}: {sign}", self._meter
        return CuratorProgress(Phase.MERGING, name, len(self._calls), line, meter.tokens, meter.used.cost)

    def _declared(self) -> tuple[dict[str, str | None], dict[str, str]]:
        """What each delete said, by the skill's name; a target in another spelling, or merged on, is what it became."""
        before, after = Names(self._library), Names(self._desk.library())
        declared: dict[str, str | None] = {}
        reasons: dict[str, str] = {}
        for call in self._calls:
            if call.name == "skill_manage" and call.arguments.get("action") == "delete":
                name = _name_of(before, str(call.arguments.get("name")))
                into = call.arguments.get("absorbed_into")
                declared[name] = (into and _name_of(after, into)) if isinstance(into, str) else None
                reasons[name] = str(call.arguments.get("reason") or "")
        return declared, reasons


def _by_name(skills: Iterable[Skill]) -> dict[str, Skill]:
    """The skills by name; the one that a name leads to wins."""
    return {skill.name: skill for skill in sorted(skills, key=lambda one: one.shadowed_by is None)}


def _name_of(names: Names, said: str) -> str:
    found = names.resolve(said)
    return found.skill.name if found else said


def _texts(found: Sequence[Skill]) -> dict[str, str]:
    return {skill.id: catalogue_text(skill.name, skill.description, read_skill_text(skill)) for skill in found}


def _users(library: Library, found: Sequence[Skill]) -> dict[str, list[str]]:
    users: dict[str, list[str]] = {skill.id: [] for skill in found}
    by_name = {skill.name: skill.id for skill in found}
    for skill in library.skills:
        for name in {*skill.related, *skill.mentions}:
            if skill.live and name in by_name and by_name[name] != skill.id:
                users[by_name[name]].append(skill.name)
    return users


def _mentions(library: Library, removed: Sequence[str]) -> dict[str, tuple[str, ...]]:
    users: dict[str, list[str]] = {name: [] for name in removed}
    for skill in library.skills:
        for name in {*skill.related, *skill.mentions} if skill.live else ():
            if name in users and name != skill.name:
                users[name].append(skill.name)
    return {name: tuple(found) for name, found in users.items()}
