"""One search over everything: skills, the archive, memory and conversations, best first within each kind."""

from collections.abc import Callable, Collection, Iterator

from app.cycles.home import OpenHome
from app.errors import AppError
from app.memory.values import Target
from app.sessions.search import search_sessions
from app.sessions.values import Hit, HitKind
from app.skills.names import folded
from app.skills.read import read_skill_text
from app.skills.resolve import resolve
from app.skills.values import Library, Skill, State

KINDS = ("skills", "memory", "sessions", "archive")
_TEXT = 300
_AROUND = 60


def search_all(
    open_home: OpenHome,
    text: str,
    kinds: Collection[str] | None = None,
    limit: int = 20,
    heed: Callable[[AppError], None] | None = None,
    *,
    tools: bool = True,
) -> tuple[Hit, ...]:
    """What matches all words of `text`, at most `limit` of each kind. Any text is a valid query.

    `tools` off leaves out what stands only in tool calls and their results.

    When the conversations cannot be searched, `heed` is told why and the rest is found all the same; without it, and
    when only they were asked for, that is raised (AppError).
    """
    wanted = kinds or KINDS
    words = tuple(word for word in folded(text).split() if word)
    found: list[Hit] = []
    if not words:
        return ()
    if "skills" in wanted or "archive" in wanted:
        found += _skills(open_home.library(), words, wanted, limit)
    if "memory" in wanted:
        found += list(_memory(open_home, words))[:limit]
    if "sessions" in wanted:
        try:
            found += search_sessions(open_home.database, text, limit, tools=tools)
        except AppError as error:
            if heed is None or set(wanted) == {"sessions"}:
                raise
            heed(error)
    return tuple(found)


def _skills(library: Library, words: tuple[str, ...], wanted: Collection[str], limit: int) -> list[Hit]:
    live: list[Hit] = []
    archived: list[Hit] = []
    for skill in library.skills:
        into = archived if skill.state is State.ARCHIVED else live
        if skill.shadowed_by is None and ("archive" if into is archived else "skills") in wanted:
            hit = _skill_hit(skill, words)
            if hit is not None:
                into.append(hit)
    if "skills" in wanted:
        live += _forwarded(library, words, {hit.id for hit in live})
    ranked = (sorted(hits, key=lambda hit: -hit.score)[:limit] for hits in (live, archived))
    return [hit for hits in ranked for hit in hits]


def _skill_hit(skill: Skill, words: tuple[str, ...]) -> Hit | None:
    head = folded(f"{skill.name} {skill.id} {skill.description} {' '.join(skill.tags)}")
    kind = HitKind.ARCHIVE if skill.state is State.ARCHIVED else HitKind.SKILL
    if all(word in head for word in words):
        score = 2.0 + sum(word in folded(skill.name) for word in words)
        return _hit(kind, skill.id, skill.name, skill.description, words, score)
    try:
        body = read_skill_text(skill)
    except AppError:
        return None  # a broken skill is found by its name only
    whole = head + "\n" + folded(body)
    if not all(word in whole for word in words):
        return None
    return _hit(kind, skill.id, skill.name, body, words, 1.0)


def _forwarded(library: Library, words: tuple[str, ...], known: set[str]) -> Iterator[Hit]:
    """Umbrellas found through the old name of something they absorbed."""
    for name in library.forwards:
        if not all(word in folded(name) for word in words):
            continue
        target = resolve(library, name)
        if target is not None and target.via and target.skill.id not in known:
            known.add(target.skill.id)
            text = f"{name} was merged into {target.skill.name}. {target.skill.description}"
            yield _hit(HitKind.SKILL, target.skill.id, target.skill.name, text, words, 2.5)


def _memory(open_home: OpenHome, words: tuple[str, ...]) -> Iterator[Hit]:
    for target in Target:
        for number, entry in enumerate(open_home.memory.view(target).entries):
            if all(word in folded(entry.text) for word in words):
                title = "About you" if target is Target.USER else "Notes"
                yield _hit(HitKind.MEMORY, f"{target}:{number}", title, entry.text, words, 1.0)


def _hit(kind: HitKind, hit_id: str, title: str, text: str, words: tuple[str, ...], score: float) -> Hit:
    snippet = _snippet(text, words)
    lowered = snippet.lower()
    places = [(lowered.find(word), len(word)) for word in words]
    marks = tuple(sorted((start, start + size) for start, size in places if start >= 0))
    return Hit(kind, hit_id, title, snippet, marks, text[:_TEXT], score)


def _snippet(text: str, words: tuple[str, ...]) -> str:
    lowered = text.lower()
    first = min((place for place in (lowered.find(word) for word in words) if place >= 0), default=0)
    start = max(0, first - _AROUND)
    piece = " ".join(text[start : first + 2 * _AROUND].split())
    return ("…" if start else "") + piece + ("…" if first + 2 * _AROUND < len(text) else "")
