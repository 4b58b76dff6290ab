"""Looking after a library: what says the same twice, what was shipped, what a deletion takes away, what is archived."""

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.library import USER, change
from app.cycles.values import Lookalike, PurgeItem
from app.errors import AppError, Kind
from app.history.walk import read_folder
from app.paths import bundled_dir
from app.skills.content import read_content, skill_file
from app.skills.front import set_field
from app.skills.names import folded
from app.skills.read import read_skill_text
from app.skills.resolve import find
from app.skills.values import Action, Library, Receipt, Request, Skill, Source, State
from app.text.sections import cut_front
from app.text.similarity import Similarity, catalogue_text

#: So alike are two skills that an agent can hardly choose between them (siblings begin at 0.15).
_ALIKE = 0.5
_EQUAL_LINES = 0.6
_MOST_PAIRS = 200
#: A line in more skills than this is a phrase of the house and tells nothing; nor does a very short one.
_RARE = 30
_SHORT = 3
_STEP = 100


def near_duplicates(open_home: OpenHome, token: CancelToken) -> Generator[int, None, tuple[Lookalike, ...]]:
    """Pairs of live skills that say much the same, most alike first; yields how many skills were read so far.

    Two skills are a pair when name, description and headings are much alike, or most of their lines are equal.
    """
    texts: dict[str, str] = {}
    lines: dict[str, frozenset[str]] = {}
    rows = [skill for skill in open_home.library().skills if skill.live and skill.shadowed_by is None]
    for number, skill in enumerate(rows, 1):
        token.check()
        try:
            _, body = cut_front(read_skill_text(skill))
        except AppError:
            continue  # it went, or cannot be read: its row says so
        texts[skill.id] = catalogue_text(skill.name, skill.description, body)
        lines[skill.id] = frozenset(line.strip() for line in body.splitlines() if len(line.strip()) > _SHORT)
        if number % _STEP == 0:
            yield number
    index = Similarity(texts)
    found = set(_sharing_lines(lines))
    yield len(rows)
    for one, other, _ in index.pairs(_ALIKE):
        token.check()
        found.add(_pair(one, other))
    pairs = [_lookalike(index, lines, *pair) for pair in found]
    return tuple(sorted(pairs, key=_rank)[:_MOST_PAIRS])


def _sharing_lines(lines: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Pairs most of whose lines are equal, looked for through lines that few skills have."""
    holders: dict[str, list[str]] = defaultdict(list)
    for skill_id, own in lines.items():
        for line in own:
            holders[line].append(skill_id)
    shared = Counter(
        _pair(one, other) for ids in holders.values() if len(ids) <= _RARE for one, other in combinations(ids, 2)
    )
    for (one, other), count in shared.items():
        if count >= _EQUAL_LINES * min(len(lines[one]), len(lines[other])):
            yield one, other


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _lookalike(index: Similarity, lines: Mapping[str, frozenset[str]], one: str, other: str) -> Lookalike:
    equal, whole = len(lines[one] & lines[other]), min(len(lines[one]), len(lines[other]))
    return Lookalike(one, other, index.score(one, other), index.shared(one, other), equal, whole)


def reset_to_shipped(open_home: OpenHome, skill_id: str, shipped: Path | None = None) -> Receipt:
    """Bring a bundled skill back to what this version of the program ships; the edited text stays in the history.

    Raises AppError(NOT_FOUND) when the program ships no such skill, AppError(REFUSED) with the door's sentence.
    """
    skill = find(open_home.library(), skill_id)
    folder = (shipped or bundled_dir()) / skill.id.rpartition("/")[2]
    if skill.source is not Source.BUNDLED or not (folder / "SKILL.md").is_file():
        text = f"{skill.name} is not among the skills that this version ships, so there is nothing to go back to."
        raise AppError(Kind.NOT_FOUND, "Not a shipped skill", text)
    files = read_folder(folder, limit=open_home.live.file_limit).files
    request = Request(
        Action.PUT, skill.id, files=dict(files), record={"_melete_edited": None}, reason="reset to what is shipped"
    )
    receipt = open_home.door.do(request, USER)
    if not receipt.ok:
        raise AppError(Kind.REFUSED, "This is not changed", receipt.why)
    return receipt


def copy_as(open_home: OpenHome, skill_id: str, name: str) -> Receipt:
    """Make a skill of one's own out of another one (shipped, linked, of a further folder), all files along.

    Raises AppError(REFUSED) with the door's sentence.
    """
    library = open_home.library()
    skill = library.get(skill_id) or find(library, skill_id)
    files = dict(read_content(skill, open_home.live.file_limit).files)
    file = skill_file(files)
    blob = files.pop(file)
    own = replace(blob, data=set_field(blob.data, "name", name))
    requests = [
        Request(Action.CREATE, name, content=own.data, category=skill.category or None),
        Request(Action.PUT, f"{skill.category}/{name}" if skill.category else name, files={**files, "SKILL.md": own}),
    ]
    receipts = open_home.door.do_all(requests, USER, action="create", reason=f"copied from {skill.id}")
    refused = next((one for one in receipts if not one.ok and " was not: " not in one.why), None)
    if refused is not None:
        raise AppError(Kind.REFUSED, "Not copied", refused.why)
    return receipts[0]


def purge_preview(open_home: OpenHome, ids: Collection[str]) -> tuple[PurgeItem, ...]:
    """What deleting these archived skills takes away, for the list that is confirmed. Skills that went are left out."""
    library = open_home.library()
    rows = (library.get(skill_id) for skill_id in ids)
    return tuple(_purge_item(open_home, row) for row in rows if row is not None and row.state is State.ARCHIVED)


def archived_lookalike(library: Library, name: str, description: str) -> Skill | None:
    """An archived skill of this name, or with this very description: who wants to create it may want it back."""
    wanted = " ".join(folded(description).split())
    for skill in library.skills:
        if skill.state is State.ARCHIVED and skill.in_home:
            same = wanted and " ".join(folded(skill.description).split()) == wanted
            if folded(skill.name) == folded(name) or same:
                return skill
    return None


def create_or_offer(open_home: OpenHome, name: str, description: str, text: str, category: str) -> Receipt:
    """Create a skill, unless an archived one is what is wanted.

    Raises AppError(REFUSED) with the action `restore:<id>` when such a skill is archived, or with the door's sentence.
    """
    archived = archived_lookalike(open_home.library(), name, description)
    if archived is not None:
        why = "has this name" if folded(archived.name) == folded(name) else "has this description"
        sentence = f"The archived skill {archived.name} {why}. Restore it, or choose another name and description."
        raise AppError(Kind.REFUSED, "It is in the archive", sentence, action=f"restore:{archived.id}")
    return change(open_home, Request(Action.CREATE, name, content=text, category=category or None))


def _purge_item(open_home: OpenHome, skill: Skill) -> PurgeItem:
    try:
        content = read_content(skill, open_home.live.file_limit)
    except AppError as error:
        return PurgeItem(skill.id, skill.name, skill.usage.archived_at, (), 0, skill.absorbed_into or "", (error.text,))
    size = sum(len(blob.data) for blob in content.files.values()) + sum(item.size for item in content.not_kept)
    lost = tuple(f"{item.path} ({item.why})" for item in content.not_kept)
    files = tuple(sorted(content.files))
    return PurgeItem(skill.id, skill.name, skill.usage.archived_at, files, size, skill.absorbed_into or "", lost)


def _rank(pair: Lookalike) -> tuple[float, str]:
    share = pair.equal_lines / pair.lines if pair.lines else 0.0
    return -max(pair.score, share), pair.one
