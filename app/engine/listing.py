"""Which listed skills fit a text. In a large library the list is cut, and the skills near the text are asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.step import Call, Step
from app.engine.transcript import Transcript, Turn
from app.text.similarity import Similarity, terms
from app.text.units import triggers

#: A skill is worth reading from this likeness on (TF-IDF of the question against name and description).
READ_FROM = 0.12
#: A second skill is read too when it fits nearly as well.
_NEARLY = 0.75
#: This share of a question's telling words (three at most) must stand in a skill's catalogue line.
_SHARE = 0.4
#: A longer text is a document with a question at its beginning.
_LONGEST_QUESTION = 4000
_MOST_WORDS = 40
#: Verbs and adjectives of asking that say nothing about the subject.
_ASKING = """
    best come could create do don't explain find get give go going good help know let look make me mean please really
    right see show start tell thing things think try want way work works write writing wrong
"""
_EVERYDAY = frozenset(_ASKING.split())


def listing_step(transcript: Transcript, *texts: str) -> Step | None:
    """The step that lists the skills, or those near the texts when the list was cut; None when all is there."""
    if "skills_list" not in transcript.tools:
        return None
    done = transcript.now.of("skills_list")
    if not done:
        return Step("", (Call("skills_list"),))
    if not done[0].result.data.get("left_out"):
        return None
    asked = {each.given("query") for each in done}
    missing = [words for words in dict.fromkeys(telling(text) for text in texts) if words and words not in asked]
    return Step("", tuple(Call("skills_list", {"query": words}) for words in missing)) if missing else None


def listed_rows(turn: Turn) -> list[Mapping[str, Any]]:
    """The rows of every listing of this turn, each skill once."""
    rows = [row for done in turn.of("skills_list") if done.result.ok for row in done.result.rows("skills")]
    return list({str(row.get("name")): row for row in rows}.values())


def fitting(rows: Sequence[Mapping[str, Any]], text: str, least: float = READ_FROM) -> tuple[str, ...]:
    """The skills worth reading for a question: the best one, and a second one that fits nearly as well.

    A skill that shares one word of many with the question is no answer, however rare the word.
    """
    texts = {str(row.get("name")): catalogue_line(row) for row in rows if row.get("name")}
    wanted = telling(text)
    count = len(frozenset(terms(wanted)))
    near = [n for n in Similarity(texts).query(wanted, least, 5) if len(n.shared) >= min(3, _SHARE * count)][:2]
    return tuple(item.id for item in near if item.score >= _NEARLY * near[0].score)


def telling(text: str) -> str:
    """The words of a question that say what it is about; all of them when only everyday verbs are left."""
    words = [unit.text for unit in triggers(text[:_LONGEST_QUESTION])][:_MOST_WORDS]
    kept = [word for word in words if word.casefold() not in _EVERYDAY]
    return " ".join(kept or words)


def catalogue_line(row: Mapping[str, Any]) -> str:
    """What a listed skill is found by: its name twice, its category and its description."""
    name = str(row.get("name", "")).replace("-", " ").replace("_", " ")
    return f"{name} {name} {row.get('category') or ''} {row.get('description', '')}"
