"""Imported skills against their sources: what is newer there, and the three-way update that keeps what changed here."""

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.cancel import CancelToken
from app.cycles.exchange_facts import (
    as_here,
    base_of,
    chosen,
    facts_here,
    imported_skill,
    keep_base,
    limits_of,
    paths_of,
    sync_lock,
)
from app.cycles.home import OpenHome
from app.errors import AppError
from app.exchange.location import locate
from app.exchange.lock import facts_of, location_of
from app.exchange.safety import read_safety
from app.exchange.sources import read_source
from app.exchange.values import Contents, Hint, Keep, Location, Pack, Progress, Renewal, Risk, Standing, UpdateReport
from app.history.trees import hash_files
from app.history.values import Merge, Origin, Snapshot
from app.skills.resolve import find
from app.skills.usage import HUB
from app.skills.values import Action, Request, Skill, State, Writer

_WRITER = Writer(Origin.IMPORT)


@dataclass(frozen=True, slots=True)
class _New:
    """One skill's new version, worked out: what it is based on, what stands here, what the source holds."""

    renewal: Renewal
    ours: Snapshot
    theirs: Snapshot
    source: Snapshot
    merged: Merge
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Survey:
    """Imported skills against their sources, nothing written yet."""

    renewals: tuple[Renewal, ...]
    news: tuple[_New, ...] = ()

    def only(self, ids: frozenset[str]) -> "Survey":
        """The survey with only these skills left."""
        return Survey(
            tuple(one for one in self.renewals if one.path in ids),
            tuple(new for new in self.news if new.renewal.path in ids),
        )


def survey(
    open_home: OpenHome, names: Sequence[str], token: CancelToken, *, insecure: bool = False
) -> Generator[Progress, None, Survey]:
    """Look at the sources of these skills (of all imported ones, when none is named). Each source is read once.

    A source that cannot be read makes its skills *unknown* with the reason; the others go on. Raises
    AppError(NOT_FOUND or REFUSED) for a name that is no imported skill, Cancelled when the token is set.
    """
    library = open_home.library()
    facts = facts_here(open_home, library)
    chosen_ones = [find(library, name) for name in names]
    for one in chosen_ones:
        imported_skill(one, facts)
    wanted = chosen_ones or [skill for skill in library.skills if skill.id in facts and skill.in_home]
    groups: defaultdict[Location | None, list[Skill]] = defaultdict(list)
    for skill in wanted:
        if skill.state is not State.ARCHIVED:
            groups[location_of(facts[skill.id])].append(skill)
    renewals: list[Renewal] = []
    news: list[_New] = []
    for location, skills in groups.items():
        contents, why = yield from _read(open_home, location, token, insecure=insecure)
        for skill in skills:
            token.check()
            found = _compare(open_home, skill, facts[skill.id], contents, why)
            renewals.append(found.renewal if isinstance(found, _New) else found)
            news += [found] if isinstance(found, _New) else []
    return Survey(tuple(sorted(renewals, key=lambda one: one.path)), tuple(news))


def update(open_home: OpenHome, found: Survey, *, keep: Keep = Keep.NONE, accept: bool = False) -> UpdateReport:
    """Write what is newer, as one action. Conflicts are refused unless a side is chosen, new dangers unless accepted.

    Nothing of a skill that is refused is written. Raises what the door raises.
    """
    done: list[tuple[str, str]] = []
    refused: list[tuple[str, str]] = []
    requests: list[Request] = []
    with open_home.lock.hold("updating"):
        for new in found.news:
            why = _held_back(open_home, new, keep, accept=accept)
            if why:
                refused.append((new.renewal.name, why))
                continue
            keep_base(open_home, new.source)
            files = new.merged.files if keep is Keep.NONE else chosen(new.merged, keep, new.ours, new.theirs)
            record = {HUB: dict(new.facts), "_melete_edited": dict(files) != dict(new.theirs)}
            requests.append(Request(Action.PUT, new.renewal.path, files=dict(files), record=record))
            done.append((new.renewal.name, new.renewal.path))
        receipts = open_home.door.do_all(requests, _WRITER, action="update", reason="from its source")
        if not all(receipt.ok for receipt in receipts):
            refused += [(name, receipt.why) for (name, _), receipt in zip(done, receipts, strict=True)]
            done.clear()
        sync_lock(open_home)
    unknown = [(one.name, one.why) for one in found.renewals if one.standing is Standing.UNKNOWN]
    entry = next((receipt.entry for receipt in receipts if receipt.entry), None)
    return UpdateReport(tuple(done), (*refused, *unknown), entry)


def _held_back(open_home: OpenHome, new: _New, keep: Keep, *, accept: bool) -> str:
    now = open_home.live.files(new.renewal.path)
    if now is None or dict(now) != dict(new.ours):
        return f"{new.renewal.path} was changed since its source was looked at. Look again."
    if new.renewal.conflicts and keep is Keep.NONE:
        names = ", ".join(new.renewal.conflicts)
        return f"Both sides changed the same places of {names}. Choose a side: --keep mine or --keep theirs."
    if new.renewal.hints and not accept:
        rules = ", ".join(sorted({hint.rule for hint in new.renewal.hints}))
        return f"The new version brings dangers ({rules}). Look at them, and accept them if you trust the source."
    return ""


def _read(
    open_home: OpenHome, location: Location | None, token: CancelToken, *, insecure: bool
) -> Generator[Progress, None, tuple[Contents | None, str]]:
    if location is None:
        return None, "It is not known where it came from."
    try:
        if location.remote:
            locate(location.place, insecure=insecure)
        return (yield from read_source(location, open_home.home.quarantine, limits_of(open_home), token)), ""
    except AppError as error:
        return None, error.text


def _compare(
    open_home: OpenHome, skill: Skill, facts: Mapping[str, Any], contents: Contents | None, why: str
) -> Renewal | _New:
    source = str(facts.get("identifier", ""))
    plain = Renewal(skill.name, skill.id, Standing.UNKNOWN, source, why)
    if contents is None:
        return plain
    pack = next((one for one in contents.packs if one.path == facts.get("path")), None)
    if pack is None:
        return replace(plain, standing=Standing.GONE, why="The source no longer holds it. What you have stays.")
    if pack.problem:
        return replace(plain, why=pack.problem)
    ours = open_home.live.files(skill.id)
    if ours is None:
        return replace(plain, why="Its folder cannot be read.")
    base = as_here(base_of(open_home, facts, ours), facts)
    if hash_files(pack.files) == facts.get("hash"):
        same = dict(ours) == dict(base)
        return replace(plain, standing=Standing.CURRENT if same else Standing.EDITED)
    return _newer(open_home, plain, facts, contents, pack, ours, base)


def _newer(
    open_home: OpenHome,
    plain: Renewal,
    facts: Mapping[str, Any],
    contents: Contents,
    pack: Pack,
    ours: Snapshot,
    base: Snapshot,
) -> _New:
    theirs = as_here(pack.files, facts)
    merged = open_home.history.merge(base, ours, theirs)
    conflicts = paths_of(merged.conflicts)
    standing = Standing.CONFLICT if conflicts else Standing.UPDATE if dict(ours) == dict(base) else Standing.MERGE
    known = {(hint.rule, hint.file, hint.excerpt) for hint in read_safety(base, pack.folder)}
    hints = read_safety(theirs, pack.folder)
    fresh = tuple(hint for hint in hints if hint.risk is Risk.DANGER and _key(hint) not in known)
    changed = tuple(sorted(path for path in {*base, *theirs} if base.get(path) != theirs.get(path)))
    renewal = replace(plain, standing=standing, conflicts=conflicts, changed=changed, hints=fresh)
    after = facts_of(contents, pack, hints, open_home.clock, facts)
    if "renamed_to" in facts:
        after["renamed_to"] = facts["renamed_to"]
    return _New(renewal, ours, theirs, pack.files, merged, after)


def _key(hint: Hint) -> tuple[str, str, str]:
    return hint.rule, hint.file, hint.excerpt
