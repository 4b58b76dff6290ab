"""The one door: every change to a skill by anyone passes here.

The door works out what a request would do, asks the policy, writes through the place's journal, reads back what was
written, and only then says so. A refusal or a proposal writes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.clock import Clock
from app.errors import AppError, Kind
from app.history.trees import hash_files
from app.history.values import Record, Snapshot
from app.skills.bench import Bench
from app.skills.content import read_content
from app.skills.place import Place
from app.skills.policy import Ruling, decide
from app.skills.resolve import find
from app.skills.usage import UsageFile
from app.skills.values import Action, Finding, Receipt, Request, Skill, State, Verdict, Writer
from app.skills.wish import Wish, problem
from app.skills.wishes_content import wish_create, wish_edit, wish_patch, wish_put, wish_remove, wish_write
from app.skills.wishes_mark import wish_adopt, wish_label, wish_pin
from app.skills.wishes_move import (
    wish_archive,
    wish_move,
    wish_on_archived,
    wish_purge,
    wish_rename,
    wish_restore,
)

_WISHES: Mapping[Action, Callable[[Bench, Request, Writer, Skill], Wish]] = {
    Action.PATCH: wish_patch,
    Action.EDIT: wish_edit,
    Action.WRITE_FILE: wish_write,
    Action.REMOVE_FILE: wish_remove,
    Action.PUT: wish_put,
    Action.ARCHIVE: wish_archive,
    Action.RESTORE: wish_restore,
    Action.RENAME: wish_rename,
    Action.MOVE: wish_move,
    Action.PURGE: wish_purge,
    Action.PIN: wish_pin,
    Action.UNPIN: wish_pin,
    Action.ADOPT: wish_adopt,
    Action.UNADOPT: wish_adopt,
    Action.LABEL: wish_label,
}

#: What may be asked of an archived skill; anything else is refused with where its content went.
_ON_ARCHIVED = frozenset({Action.RESTORE, Action.PURGE, Action.PIN, Action.UNPIN, Action.ADOPT, Action.UNADOPT})


@dataclass(frozen=True, slots=True)
class Preview:
    """What one request would do, with nothing written: the policy's answer and the skill's files before and after.

    `before` is None for a new skill, `after` None when the skill would be archived or deleted. `to` is the id after.
    """

    verdict: Verdict
    why: str
    skill: str
    name: str
    to: str
    before: Snapshot | None
    after: Snapshot | None
    script: bool = False
    old_preview: str = ""
    new_preview: str = ""
    findings: tuple[Finding, ...] = ()


class Door:
    """The door of one place. One object per thread, like the place."""

    def __init__(self, place: Place, clock: Clock) -> None:
        self._place = place
        self._clock = clock

    def do(self, request: Request, writer: Writer) -> Receipt:
        """Carry out one request, or say why not.

        Raises AppError(BUSY) when another process writes, AppError(STORAGE) when the disk refuses; then nothing, or
        (after a kill) everything, is written.
        """
        return self.do_all([request], writer, action=request.action.value, reason=request.reason)[0]

    def do_all(
        self,
        requests: Sequence[Request],
        writer: Writer,
        *,
        action: str = "apply",
        reason: str = "",
        detail: Mapping[str, Any] | None = None,
    ) -> tuple[Receipt, ...]:
        """Carry out several requests as one action with one entry, all or nothing; later ones see earlier ones.

        When one is not allowed, nothing is written and no receipt says *allow*. Raises as `do`.
        """
        if not requests:
            return ()
        with self._place.hold(f"{action}: {requests[0].skill}"):
            self._place.observe([request.skill for request in requests])
            bench = Bench(self._place, self._clock())
            wishes, rulings = self._judge(bench, requests, writer)
            if len(wishes) < len(requests) or rulings[-1].verdict is not Verdict.ALLOW:
                return _not_written(requests, wishes, rulings)
            if all(wish.nothing for wish in wishes):
                return tuple(_receipt(wish, Ruling(Verdict.ALLOW, wish.nothing), None) for wish in wishes)
            record = Record(
                origin=writer.origin,
                action=action,
                ids=(),
                reason=reason,
                session=writer.session,
                run=writer.run,
                detail={**(detail or {}), **_marks(writer)},
            )
            plan = bench.plan(record)
            entry = self._place.commit(plan)
            self._read_back(plan.changes, plan.usage)
            return tuple(
                _receipt(wish, Ruling(Verdict.ALLOW, wish.nothing or wish.done), None if wish.nothing else entry)
                for wish in wishes
            )

    def rehearse(self, requests: Sequence[Request], writer: Writer) -> tuple[Receipt, ...]:
        """What `do_all` would answer, with nothing written; of a request that nothing changes the sentence says so."""
        bench = Bench(self._place, self._clock())
        wishes, rulings = self._judge(bench, requests, writer)
        return tuple(_receipt(wish, ruling, None) for wish, ruling in zip(wishes, rulings, strict=True))

    def preview(self, request: Request, writer: Writer) -> Preview:
        """What `do` would answer and write, with nothing written."""
        bench = Bench(self._place, self._clock())
        wish, ruling = self._one(bench, request, writer)
        gone = wish.purge is not None or request.action is Action.ARCHIVE
        return Preview(
            verdict=ruling.verdict,
            why=ruling.why or wish.nothing,
            skill=wish.skill.id if wish.skill else wish.id,
            name=wish.name,
            to=wish.id,
            before=wish.before,
            after=None if gone else (wish.files if wish.files is not None else wish.before),
            script=wish.subject.script,
            old_preview=wish.old_preview,
            new_preview=wish.new_preview,
            findings=wish.findings,
        )

    def _judge(self, bench: Bench, requests: Sequence[Request], writer: Writer) -> tuple[list[Wish], list[Ruling]]:
        wishes: list[Wish] = []
        rulings: list[Ruling] = []
        for request in requests:
            wish, ruling = self._one(bench, request, writer)
            wishes.append(wish)
            rulings.append(ruling)
            if ruling.verdict is not Verdict.ALLOW:
                break
            if not wish.nothing:
                bench.apply(wish, request)
        return wishes, rulings

    def _one(self, bench: Bench, request: Request, writer: Writer) -> tuple[Wish, Ruling]:
        try:
            wish = _understand(bench, request, writer)
        except AppError as error:
            if error.kind in {Kind.STORAGE, Kind.BUSY}:
                raise
            wish = problem(request.action, error.text, request.skill)
        return wish, decide(request, writer, wish.subject)

    def _read_back(self, changes: Mapping[str, Snapshot | None], usage: Mapping[str, Mapping[str, Any] | None]) -> None:
        """Compare what stands on disk with what was to be written; another program may have written in between."""
        rows = {skill.id: skill for skill in self._place.library().skills if skill.in_home}
        for prefix, files in changes.items():
            skill = rows.get(prefix.removeprefix("skills/"))
            if files is None and skill is None:
                continue
            there = read_content(skill, self._place.file_limit).files if skill is not None else None
            if files is None or there is None or hash_files(there) != hash_files(files):
                raise _overtaken(prefix)
        records = UsageFile(self._place.home.usage).read()
        for key, fields in usage.items():
            record = records.get(key, {})
            if fields is not None and any(record.get(name) != value for name, value in fields.items()):
                raise _overtaken(f"the usage record of {key}")


def _understand(bench: Bench, request: Request, writer: Writer) -> Wish:
    if request.action is Action.CREATE:
        return wish_create(bench, request, writer)
    own = bench.own(request.skill)
    if request.action is Action.PUT and own is None:
        return wish_put(bench, request, writer, None)
    skill = own or find(bench.library, request.skill)
    if skill.state is State.ARCHIVED and request.action not in _ON_ARCHIVED:
        return wish_on_archived(bench, request, skill)
    return _WISHES[request.action](bench, request, writer, skill)


def _marks(writer: Writer) -> dict[str, Any]:
    marks: dict[str, Any] = {}
    if writer.untrusted:
        marks["untrusted"] = True
    if writer.approved:
        marks["approved"] = True
    if writer.turn:
        marks["turn"] = writer.turn
    return marks


def _receipt(wish: Wish, ruling: Ruling, entry: str | None) -> Receipt:
    written = ruling.verdict is Verdict.ALLOW or wish.skill is None
    where = wish.id if written or wish.skill is None else wish.skill.id
    return Receipt(
        verdict=ruling.verdict,
        action=wish.action,
        skill=where,
        why=ruling.why,
        name=wish.name if written or wish.skill is None else wish.skill.name,
        path=where,
        entry=entry,
        old_preview=wish.old_preview,
        new_preview=wish.new_preview,
    )


def _not_written(requests: Sequence[Request], wishes: Sequence[Wish], rulings: Sequence[Ruling]) -> tuple[Receipt, ...]:
    """Receipts of a batch that stops: the one that stopped it keeps its answer, the others wait for it."""
    stopper = _receipt(wishes[-1], rulings[-1], None)
    receipts = []
    for number, request in enumerate(requests):
        if number == len(wishes) - 1:
            receipts.append(stopper)
        else:
            why = f"Not written, because {stopper.name} was not: {stopper.why}"
            receipts.append(Receipt(Verdict.REFUSE, request.action, request.skill, why, request.skill))
    return tuple(receipts)


def _overtaken(what: str) -> AppError:
    text = f"{what} was changed by another program right after it was written. Look at its history and try again."
    return AppError(Kind.BUSY, "Changed by another program", text)
