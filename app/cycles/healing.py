"""Old names in skills, rewritten to where their content went: offered as a proposal, one change for each skill."""

from collections.abc import Collection

from app.cycles.home import OpenHome
from app.cycles.library import USER
from app.errors import AppError, Kind
from app.history.values import Blob, BlobKind, Origin, Snapshot
from app.proposals.filing import About
from app.proposals.grouping import Drafted
from app.proposals.single import drafted_from
from app.proposals.values import Proposal
from app.skills.file_mentions import markdown_files
from app.skills.heal_mentions import Successor, Successors, healed
from app.skills.names import folded
from app.skills.resolve import Names
from app.skills.values import Action, Library, Request, Skill, Verdict

_TITLE = "Old names in skills lead to where their content went"


def old_names(library: Library, names: Collection[str] = ()) -> dict[str, Successor]:
    """Names that lead on to a live skill and are not live themselves, folded; only `names` when some are given."""
    index = Names(library)
    wanted = {folded(name) for name in names}
    found = {}
    for name in library.forwards:
        reached = index.resolve(name)
        if reached is not None and reached.via and reached.skill.live and (not wanted or folded(name) in wanted):
            found[folded(name)] = Successor(reached.skill.name, reached.skill.id)
    return found


def heal_mentions(open_home: OpenHome, names: Collection[str] = ()) -> Proposal | None:
    """File one proposal that rewrites old names in the home's own skills; None when nothing names one.

    Nothing is changed before it is approved. Raises AppError(NOT_FOUND) for a name that leads nowhere else.
    """
    open_home.live.observe_outside(None)
    library = open_home.file_mentions.completed(open_home.library())
    successors = old_names(library, names)
    unknown = [name for name in names if folded(name) not in successors]
    if unknown:
        text = f"{', '.join(unknown)} is no old name: nothing of that name was merged or renamed, or it is live again."
        raise AppError(Kind.NOT_FOUND, "Nothing leads on from there", text)
    drafted = [made for skill in library.skills if (made := _drafted(open_home, skill, successors)) is not None]
    if not drafted:
        return None
    about = About(Origin.USER, open_home.history.tip() or "", _TITLE, "asked for by the user")
    return open_home.proposals.file(drafted, about)


def _drafted(open_home: OpenHome, skill: Skill, successors: Successors) -> Drafted | None:
    named = {folded(name.rpartition("/")[2]) for name in (*skill.related, *skill.mentions)}
    own = {key: to for key, to in successors.items() if key in named and to.id != skill.id}
    if not own or not skill.in_home or skill.linked or not skill.live:
        return None
    before = open_home.live.files(skill.id) or {}
    after = _healed(before, skill, own)
    if after == before:
        return None
    request = Request(Action.PUT, skill.id, files=dict(after), reason=_reason(own))
    preview = open_home.door.preview(request, USER)
    if preview.verdict is not Verdict.ALLOW:
        return None  # what the user may not change is not offered
    return drafted_from(preview, request, open_home.library())


def _healed(before: Snapshot, skill: Skill, successors: Successors) -> Snapshot:
    after = dict(before)
    for file in (skill.file, *markdown_files(skill)):
        blob = before.get(file)
        if blob is None or blob.kind is BlobKind.LINK:
            continue
        try:
            text = blob.data.decode("utf-8")
        except UnicodeDecodeError:
            continue  # bytes that are no text are not rewritten
        folder = f"{skill.id}/{file}".rpartition("/")[0]
        after[file] = Blob(healed(text, successors, folder).encode(), blob.kind)
    return after


def _reason(successors: Successors) -> str:
    return "; ".join(f"{old} is {new.name} now" for old, new in sorted(successors.items()))
