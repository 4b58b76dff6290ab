"""Cycle 4, the way in: a source is read and judged, the user chooses, and what was seen is what comes into the library.

Everything goes through the door as one action with one entry, so that one undo takes the whole import back.
"""

import os
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.cancel import CancelToken
from app.cycles.exchange_facts import facts_here, keep_base, limits_of, of_import, sync_lock
from app.cycles.home import OpenHome
from app.cycles.import_folders import folders_to_make
from app.errors import AppError, Kind
from app.exchange import scanner
from app.exchange.location import locate
from app.exchange.lock import facts_of
from app.exchange.offers import Judge, renamed
from app.exchange.sources import quarantined, read_source
from app.exchange.values import (
    Choice,
    Clash,
    Contents,
    Hint,
    ImportReport,
    Location,
    Look,
    Offer,
    Pack,
    Pick,
    Progress,
    Risk,
    SourceKind,
    Taken,
)
from app.history.values import Origin, Snapshot
from app.skills.names import folded
from app.skills.naming import name_problem
from app.skills.usage import HUB
from app.skills.values import Action, Library, Receipt, Request, Skill, Verdict, Writer

_WRITER = Writer(Origin.IMPORT)
#: Stands for a skill of the import itself where a held name says its holder; no id looks like it.
_OF_THIS = "/"


@dataclass(slots=True)
class _Wanted:
    """What an import is going to write, what it says about the rest, and the ids and names given away with holders."""

    requests: list[Request] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    bases: list[Snapshot] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


def look(
    open_home: OpenHome,
    source: str,
    token: CancelToken,
    *,
    insecure: bool = False,
    category: str | None = None,
    only: Collection[str] = (),
) -> Generator[Progress, None, Look]:
    """Read and judge a source; nothing is written. `only` are places in the source (empty: everything).

    Yields the progress. Raises AppError with the reason when the source is not taken, Cancelled when the token is set.
    """
    location = locate(source, insecure=insecure)
    _not_the_library(open_home, location)
    contents = yield from read_source(location, open_home.home.quarantine, limits_of(open_home), token)
    if only:
        contents = replace(contents, packs=tuple(pack for pack in contents.packs if pack.path in set(only)))
    program = scanner.installed()
    opinions: Mapping[str, tuple[Hint, ...]] = {}
    if program:
        opinions = yield from _opinions(open_home, program, contents.packs, token)
    offers = []
    judge = _judge(open_home, location, category)
    for number, pack in enumerate(contents.packs, 1):
        token.check()
        yield Progress(f"Looking at {pack.folder}", number)
        offers.append(judge.offer(pack, opinions.get(pack.path, ())))
    return Look(contents, tuple(offers), (scanner.PROGRAM,) if program else ())


def take(open_home: OpenHome, seen: Look, picks: Sequence[Pick]) -> ImportReport:
    """Import what was picked from a source that was looked at; everything as one action, or nothing.

    A skill that cannot be taken (its name was given away meanwhile, its update conflicts) is refused with the sentence,
    the others come in. Raises what the door raises.
    """
    packs = {pack.path: pack for pack in seen.contents.packs}
    offers = {offer.key: offer for offer in seen.offers}
    with open_home.lock.hold("importing"):
        library = open_home.library()
        wanted = _nothing_yet(library)
        for pick in picks:
            offer = offers[pick.key]
            _prepare(open_home, library, seen, offer, packs[pick.key], pick, wanted)
        if not wanted.requests:
            return ImportReport((), tuple(wanted.skipped), tuple(wanted.refused))
        entry = _write(open_home, wanted, f"from {seen.location.text}")
        sync_lock(open_home)
    return ImportReport(tuple(wanted.taken), tuple(wanted.skipped), tuple(wanted.refused), entry)


def _write(open_home: OpenHome, wanted: _Wanted, reason: str) -> str | None:
    """Carry the requests out as one action; those the door refuses are taken out and told, the others come in."""
    for files in wanted.bases:
        keep_base(open_home, files)
    receipts = _carry_out(open_home, wanted, reason)
    if not all(receipt.ok for receipt in receipts):
        for number in reversed(range(len(wanted.requests))):
            preview = open_home.door.preview(wanted.requests[number], _WRITER)
            if preview.verdict is not Verdict.ALLOW:
                wanted.refused.append((wanted.taken.pop(number).name, preview.why))
                del wanted.requests[number]
        receipts = _carry_out(open_home, wanted, reason)
    stopped = next((receipt for receipt in receipts if not receipt.ok), None)
    if stopped is not None:
        raise AppError(Kind.REFUSED, "Nothing was imported", stopped.why)
    return next((receipt.entry for receipt in receipts if receipt.entry), None)


def _carry_out(open_home: OpenHome, wanted: _Wanted, reason: str) -> tuple[Receipt, ...]:
    detail = folders_to_make(open_home, (taken.path for taken in wanted.taken))
    return open_home.door.do_all(wanted.requests, _WRITER, action="import", reason=reason, detail=detail)


def _prepare(
    open_home: OpenHome, library: Library, seen: Look, offer: Offer, pack: Pack, pick: Pick, wanted: _Wanted
) -> None:
    """One pick as a request, or why not."""
    why = _not_taken(offer, pick)
    if pick.choice is Choice.SKIP:
        wanted.skipped.append((offer.name, offer.problem or offer.clash_text or "Left out."))
    elif why:
        wanted.refused.append((offer.name, why))
    elif pick.choice is Choice.UPDATE:
        _update(open_home, library, seen.contents, offer, pack, wanted)
    else:
        _new(open_home, library, seen.contents, offer, pack, pick, wanted)


def _not_taken(offer: Offer, pick: Pick) -> str:
    if offer.problem:
        return offer.problem
    if pick.choice not in offer.choices:
        return offer.clash_text or f"It cannot be taken in with the choice {pick.choice}."
    if offer.risk is Risk.DANGER and not pick.accepted and pick.choice is not Choice.SKIP:
        rules = ", ".join(sorted({hint.rule for hint in offer.hints if hint.risk is Risk.DANGER}))
        return f"The safety read found dangers ({rules}). Look at them, and accept them if you trust the source."
    return ""


def _new(
    open_home: OpenHome,
    library: Library,
    contents: Contents,
    offer: Offer,
    pack: Pack,
    pick: Pick,
    wanted: _Wanted,
) -> None:
    target, name, files = offer.target, offer.name, dict(pack.files)
    facts = facts_of(contents, pack, offer.hints, open_home.clock)
    if pick.choice is Choice.RENAME:
        name = pick.new_name or offer.new_name
        if trouble := name_problem(name, library):
            wanted.refused.append((offer.name, trouble))
            return
        category = target.rpartition("/")[0]
        target = f"{category}/{name}" if category else name
        try:
            files = renamed(pack.files, name)
        except AppError as error:
            wanted.refused.append((offer.name, f"Its front matter cannot be given another name: {error.text}"))
            return
        facts["renamed_to"] = name
        wanted.bases.append(pack.files)
    trouble = _given_away(name, target, wanted)
    if trouble:
        wanted.refused.append((offer.name, trouble))
        return
    wanted.requests.append(Request(Action.PUT, target, files=files, record={HUB: facts}))
    wanted.taken.append(Taken(name, target, pick.choice))
    wanted.ids[target] = wanted.names[folded(name)] = _OF_THIS


def _nothing_yet(library: Library) -> _Wanted:
    """The start of an import: nothing wanted, and which ids and names are held by which skill of the home."""
    own = [skill for skill in reversed(library.skills) if skill.in_home]
    return _Wanted(ids={skill.id: skill.id for skill in own}, names={folded(skill.name): skill.id for skill in own})


def _given_away(name: str, target: str, wanted: _Wanted) -> str:
    """Why a name or place that was free when the source was looked at is so no longer."""
    holder = wanted.ids.get(target) or wanted.names.get(folded(name))
    if holder == _OF_THIS:
        return f"Another skill of this import is called {name}. Choose another name for one of them."
    return f"{holder} came into the library since the source was looked at. Look again." if holder else ""


def _update(
    open_home: OpenHome, library: Library, contents: Contents, offer: Offer, pack: Pack, wanted: _Wanted
) -> None:
    there = library.get(offer.clash_with)
    if there is None:
        wanted.refused.append((offer.name, f"{offer.clash_with} is gone since it was looked at. Look again."))
        return
    before = facts_here(open_home, library).get(there.id, {})
    facts = facts_of(contents, pack, offer.hints, open_home.clock, before)
    request, conflicts = of_import(open_home, there, before if offer.clash is Clash.IMPORTED else {}, pack, facts)
    if conflicts:
        names = ", ".join(conflicts)
        why = f"You changed the same places of {names}. Use `melete update {there.name}` to choose a side."
        wanted.refused.append((offer.name, why))
        return
    wanted.requests.append(request)
    wanted.taken.append(Taken(there.name, there.id, Choice.UPDATE))
    wanted.bases.append(pack.files)


def _judge(open_home: OpenHome, location: Location, category: str | None) -> Judge:
    library = open_home.library()

    def read(skill: Skill) -> Snapshot | None:
        try:
            return open_home.live.files(skill.id)
        except AppError:
            return None  # what cannot be read is not the same

    return Judge(library, facts_here(open_home, library), read, location, category)


def _opinions(
    open_home: OpenHome, program: str, packs: Sequence[Pack], token: CancelToken
) -> Generator[Progress, None, dict[str, tuple[Hint, ...]]]:
    """What the installed scanner says about each pack."""
    found: dict[str, tuple[Hint, ...]] = {}
    with quarantined(open_home.home.quarantine) as room:
        for number, pack in enumerate(packs):
            if not pack.problem:
                yield Progress(f"{scanner.PROGRAM} reads {pack.folder}", number)
                found[pack.path] = scanner.second_opinion(program, pack.files, room / str(number), token)
    return found


def _not_the_library(open_home: OpenHome, location: Location) -> None:
    """Refuse the library itself, and whatever it lies in, as a source."""
    if location.kind is not SourceKind.FOLDER:
        return
    place, skills = os.path.realpath(location.place), os.path.realpath(open_home.home.skills)
    if place == skills or place.startswith(skills + os.sep) or skills.startswith(place.rstrip(os.sep) + os.sep):
        text = f"{Path(location.place)} is the library, or holds it. Name a folder outside of it."
        raise AppError(Kind.USAGE, "Not a source", text)


def default_picks(seen: Look, *, on_clash: Choice | None = None, accept: bool = False) -> tuple[Pick, ...]:
    """A pick for each offer, for callers without a sheet.

    Clashes are decided by `on_clash`, dangers by `accept`; what is not decided, or cannot be, is picked as an import,
    which `take` refuses with the reason. What stands here already is left out, what came from here is updated.
    """
    return tuple(Pick(offer.key, _choice(offer, on_clash), accepted=accept) for offer in seen.offers)


def _choice(offer: Offer, on_clash: Choice | None) -> Choice:
    if offer.problem or offer.clash in (Clash.NONE, Clash.ELSEWHERE):
        return Choice.IMPORT
    if offer.clash is Clash.SAME:
        return Choice.SKIP
    if on_clash in offer.choices:
        return on_clash or Choice.IMPORT
    return Choice.UPDATE if offer.clash is Clash.IMPORTED else Choice.IMPORT
