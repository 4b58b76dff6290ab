"""Sending a proposal back: a fork makes one group anew after a person's note, in a draft, as a revision to look at."""

from collections.abc import Generator, Mapping

from app.agent.loop import run_loop
from app.agent.values import Ending, LoopLimits, MessageAdded, ToolEnded, TurnEnded
from app.cancel import CancelToken
from app.curator.ages import budget_from
from app.curator.candidates import candidate_message
from app.cycles.desk import Desk, revising_desk
from app.cycles.home import OpenHome
from app.cycles.metered import Metered
from app.cycles.values import CuratorProgress, Phase, Revision
from app.errors import AppError, Kind
from app.paths import resources_dir
from app.proposals.grouping import Drafted
from app.proposals.values import Change, Decision, Group, Proposal
from app.providers.base import Provider
from app.providers.values import Message, Role, Text
from app.skills.content import skill_file
from app.skills.values import Skill

#: Characters of one earlier proposal's text that are shown to the fork.
_SHOWN = 20_000


def revise(
    open_home: OpenHome, provider: Provider, proposal_id: str, group_id: str, note: str, token: CancelToken
) -> Generator[CuratorProgress, None, Revision]:
    """Have one waiting group made anew; the older one is replaced by the revision, its place in the queue kept.

    Raises AppError(USAGE) without a note or for an unknown or decided group, AppError(REFUSED) with what the fork said
    when it changed nothing or came to the same again; the older group then stays as it is.
    """
    proposal = open_home.proposals.get(proposal_id)
    group = _group(proposal, group_id)
    if not note.strip():
        raise AppError(Kind.USAGE, "No note", "Say in a sentence what should be different.")
    desk = revising_desk(open_home, proposal)
    try:
        said, ended = yield from _play(open_home, desk, provider, group, note.strip(), token)
        drafted = desk.drafted()
        _check(open_home, group, drafted, said, ended)
        yield CuratorProgress(Phase.REPORT)
        (filed,) = desk.file_revision(f"Revised: {note.strip()}") or ("",)
    finally:
        desk.close()
    if not filed:
        raise AppError(
            Kind.REFUSED, "Rejected before", "What came of it was rejected before. Reopen that, or edit this one."
        )
    return Revision(open_home.proposals.get(filed), said)


def _group(proposal: Proposal, group_id: str) -> Group:
    group = next((item for item in proposal.groups if item.id == group_id), None)
    if group is None or group.decision is not Decision.WAITING:
        text = f"Proposal {proposal.id} has no waiting group {group_id!r}. Show the proposal to see its groups."
        raise AppError(Kind.USAGE, "No such group", text)
    if any(change.memory is not None for change in group.changes):
        text = "An entry of the memory is edited by hand. Edit it, or reject it."
        raise AppError(Kind.REFUSED, "Edit it by hand", text)
    return group


def _play(
    open_home: OpenHome, desk: Desk, provider: Provider, group: Group, note: str, token: CancelToken
) -> Generator[CuratorProgress, None, tuple[str, TurnEnded]]:
    settings = open_home.settings
    meter = Metered(provider, budget_from(settings.curator), token)
    model = settings.model
    limits = LoopLimits(
        settings.review.max_iterations * 2, model.max_tokens, model.stall_seconds, model.timeout_seconds
    )
    prompt = (resources_dir() / "prompts" / "revise.md").read_text(encoding="utf-8")
    messages = (Message(Role.USER, (Text(_message(open_home, group, note)),)),)
    said, ended, calls = "", TurnEnded(Ending.FAILED), 0
    try:
        for event in run_loop(meter, prompt, messages, desk.specs, desk.call, meter.token, limits, "curator"):
            if isinstance(event, ToolEnded):
                calls += 1
                name = str((event.call.input or {}).get("name") or "")
                line = f"{event.call.name} {name}: {'refused' if event.result.is_error else 'done'}"
                yield CuratorProgress(Phase.MERGING, name, calls, line, meter.tokens, meter.used.cost)
            elif isinstance(event, MessageAdded) and event.message.role is Role.ASSISTANT:
                said = event.message.text or said
            elif isinstance(event, MessageAdded):
                meter.stop_when_spent()
            elif isinstance(event, TurnEnded):
                ended = event
    finally:
        meter.close()
    return said.strip(), ended


def _message(open_home: OpenHome, group: Group, note: str) -> str:
    """The note, the skills concerned as they stand, and what was proposed for each."""
    library = open_home.library()
    rows = [library.get(change.skill) for change in group.changes]
    found: list[Skill] = [row for row in rows if row is not None and row.live and row.in_home]
    clusters = [[skill.id for skill in found]] if len(found) > 1 else []
    load = open_home.history.load
    parts = [candidate_message(found, clusters, {}, open_home.clock(), note), "What was proposed:"]
    for change in group.changes:
        if change.result is None:
            where = f"into {change.absorbed_into}" if change.absorbed_into else "without a successor"
            parts.append(f"- {change.name} was to be archived {where}.")
            continue
        files = load(change.result)
        text = files[skill_file(files)].data.decode("utf-8", "replace")[:_SHOWN]
        fence = "~~~~~~~~"
        others = ", ".join(path for path in sorted(files) if path != skill_file(files))
        more = f"\nIts further files: {others}" if others else ""
        parts.append(f"- {change.name} was to be:\n\n{fence}markdown\n{text}\n{fence}{more}")
    return "\n\n".join(parts)


def _check(open_home: OpenHome, group: Group, drafted: tuple[Drafted, ...], said: str, ended: TurnEnded) -> None:
    """Raises AppError when the fork made nothing new."""
    if ended.ending is not Ending.DONE:
        raise AppError(Kind.REFUSED, "The revision was not finished", ended.reason or "It was stopped.")
    answer = f" It said: {said[:400]}" if said else ""
    if not drafted:
        raise AppError(Kind.REFUSED, "Nothing was changed", f"The proposal stays as it is.{answer}")
    store = open_home.history.store
    now = {item.skill: (store(item.result) if item.result else None, item.into) for item in drafted}
    if now == _was(group.changes):
        raise AppError(Kind.REFUSED, "The same again", f"The revision is what was proposed already.{answer}")


def _was(changes: tuple[Change, ...]) -> Mapping[str, tuple[str | None, str | None]]:
    return {change.skill: (change.result, change.into) for change in changes if change.waiting}
