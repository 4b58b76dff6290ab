"""Judges what a source holds before anything is taken: does it load, what is dangerous, whose name has it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from app.exchange.safety import read_safety, worst
from app.exchange.values import Choice, Clash, Hint, Location, Offer, Pack, Risk, SourceKind
from app.history.trees import hash_files
from app.history.values import Blob, Snapshot
from app.skills.checks_name import plain_name
from app.skills.content import skill_file
from app.skills.front import set_field
from app.skills.names import folded
from app.skills.naming import category_problem, name_problem, place_problem
from app.skills.parse import Parsed, parse_skill
from app.skills.validity import result_problem
from app.skills.values import Library, Skill, State

#: Gives the files of a skill of the library as they stand, None when it cannot be read.
Reader = Callable[[Skill], Snapshot | None]

_TRIES = 100
#: Names of folders that hold skills without being a category of them.
_NO_CATEGORY = frozenset({"skills", "skill", "plugins", "packages", "src"})


class Judge:
    """Judges the packs of one source against one library; names given to earlier packs count as taken.

    `imported` says of each skill id where that skill was imported from. Skills go into `category` (empty: none); with
    None into the one they have in their folder of categories.
    """

    def __init__(
        self,
        library: Library,
        imported: Mapping[str, Mapping[str, Any]],
        read: Reader,
        location: Location,
        category: str | None,
    ) -> None:
        self._library = library
        self._imported = imported
        self._read = read
        self._location = location
        self._category = category
        self._taken: dict[str, str] = {}

    def offer(self, pack: Pack, more: tuple[Hint, ...] = ()) -> Offer:
        """What is offered to the user for one pack; `more` are hints of others who looked at it."""
        own = pack.files.get(skill_file(pack.files), Blob(b""))
        parsed = parse_skill(own.data, pack.folder, frozenset(pack.files))
        name = parsed.name
        folder = plain_name(name) or plain_name(pack.folder)
        target = "/".join(part for part in (self._category_of(pack), folder) if part)
        hints = (*more, *read_safety(pack.files, pack.folder)) if not pack.problem else ()
        offer = Offer(
            key=pack.path,
            name=name,
            description=parsed.description,
            target=target,
            load=parsed.load,
            findings=parsed.findings,
            hints=hints,
            risk=worst(hints),
            problem=pack.problem or self._problem(pack, parsed, folder, target),
            file_count=len(pack.files),
            size=sum(len(blob.data) for blob in pack.files.values()),
            left_out=pack.left_out,
        )
        if offer.problem:
            return replace(offer, choices=(Choice.SKIP,), choice=Choice.SKIP)
        offer = self._clash(offer, pack)
        self._taken.setdefault(folded(name), pack.path)
        if offer.risk is Risk.DANGER:
            return replace(offer, choice=Choice.SKIP)
        return offer

    def _category_of(self, pack: Pack) -> str:
        if self._category is not None:
            return self._category
        above, _, rest = pack.path.partition("/")
        if self._location.kind is not SourceKind.FOLDER or not rest or above in _NO_CATEGORY:
            return ""
        return "" if category_problem(above, self._library) else above

    def _problem(self, pack: Pack, parsed: Parsed, folder: str, target: str) -> str:
        written = parsed.front.text("name") or pack.folder
        if pack.folder.startswith(".") or written.strip().startswith("."):
            return f"{pack.folder!r} is named like a file of the library itself. Rename it at the source."
        if not folder:
            return f"{parsed.name!r} holds no letter or digit that could name its folder. Rename it at the source."
        trouble = result_problem(None, pack.files, pack.folder, lenient=True)
        category = target.rpartition("/")[0]
        return trouble or category_problem(category, self._library) or self._no_place(target)

    def _no_place(self, target: str) -> str:
        trouble = place_problem(target, self._library)
        inside = any(skill.in_home and skill.id.startswith(f"{target}/") for skill in self._library.skills)
        if not trouble and inside:
            return f"{target!r} is a category with skills in it. Choose another category for this one."
        return trouble

    def _clash(self, offer: Offer, pack: Pack) -> Offer:
        twin = self._taken.get(folded(offer.name))
        if twin is not None:
            text = f"The source holds another skill of this name, at {twin or 'its top'}."
            return self._clashing(offer, Clash.TWIN, "", text, (Choice.RENAME, Choice.SKIP), Choice.SKIP)
        there = _holder(self._library, offer.name, offer.target)
        if there is None:
            return replace(offer, clash=Clash.NONE)
        if there.state is State.ARCHIVED:
            text = f"{there.name} is in the archive. Restore it, or take this one under another name."
            return self._clashing(offer, Clash.ARCHIVED, there.id, text, (Choice.RENAME, Choice.SKIP), Choice.SKIP)
        if not there.in_home:
            text = f"{there.root} has a skill of this name; the one in the library would be used instead of it."
            choices = (Choice.IMPORT, Choice.RENAME, Choice.SKIP)
            return self._clashing(offer, Clash.ELSEWHERE, there.id, text, choices, Choice.IMPORT)
        if there.linked:
            text = f"{there.name} is a link to {there.real}. It is not replaced."
            return self._clashing(offer, Clash.LIVE, there.id, text, (Choice.RENAME, Choice.SKIP), Choice.SKIP)
        return self._with_own(offer, pack, there)

    def _with_own(self, offer: Offer, pack: Pack, there: Skill) -> Offer:
        now = self._read(there)
        if now is not None and hash_files(now) == hash_files(pack.files):
            text = f"{there.id} has exactly this content."
            return self._clashing(offer, Clash.SAME, there.id, text, (Choice.SKIP, Choice.RENAME), Choice.SKIP)
        choices = (Choice.UPDATE, Choice.RENAME, Choice.SKIP)
        if self._imported.get(there.id, {}).get("identifier") == self._location.place:
            text = f"{there.id} came from this source. An update keeps what you changed."
            return self._clashing(offer, Clash.IMPORTED, there.id, text, choices, Choice.UPDATE)
        text = f"{there.id} has this name and another content. An update replaces it; it can be undone."
        return self._clashing(offer, Clash.LIVE, there.id, text, choices, Choice.SKIP)

    def _clashing(
        self, offer: Offer, clash: Clash, with_: str, text: str, choices: tuple[Choice, ...], choice: Choice
    ) -> Offer:
        return replace(
            offer,
            clash=clash,
            clash_with=with_,
            clash_text=text,
            choices=choices,
            choice=choice,
            new_name=self.free_name(offer.name),
        )

    def free_name(self, name: str) -> str:
        """A name near this one that nobody has."""
        base = (plain_name(name) or "skill")[:58].rstrip("-")
        for number in range(2, _TRIES):
            candidate = f"{base}-{number}"
            if folded(candidate) not in self._taken and not name_problem(candidate, self._library):
                self._taken[folded(candidate)] = candidate
                return candidate
        return ""


def renamed(files: Mapping[str, Blob], name: str) -> dict[str, Blob]:
    """The files with the field `name` of SKILL.md set; every other line stays byte for byte."""
    own = skill_file(files)
    return {**files, own: replace(files[own], data=set_field(files[own].data, "name", name))}


def _holder(library: Library, name: str, target: str) -> Skill | None:
    """The skill that has a name or its place: a live one before an archived one, the home's before a folder's."""
    wanted, folder = folded(name), folded(target.rpartition("/")[2])
    found = [
        skill
        for skill in library.skills
        if folded(skill.name) == wanted or (skill.in_home and folded(skill.id.rpartition("/")[2]) == folder)
    ]
    found.sort(key=lambda skill: (skill.state is State.ARCHIVED, not skill.in_home, folded(skill.name) != wanted))
    return found[0] if found else None
