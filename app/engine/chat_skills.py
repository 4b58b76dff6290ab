"""Chat requests about named skills: list, show, create, add to, delete; and the search of conversations."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from app.engine import wording
from app.engine.intents import Intent
from app.engine.listing import listed_rows, listing_step
from app.engine.skilltext import add_item, capital, described, skill_text, slug, steps_text, titled
from app.engine.step import Call, Step
from app.engine.transcript import Result, Transcript
from app.skills.parse import parse_skill
from app.text.sections import Label, cut_front
from app.text.similarity import Similarity, terms
from app.text.suspicious import instruction_like
from app.text.units import triggers

_LISTED = 80
_HITS = 5
_MARKS = re.compile(r"</?(?:b|mark|em)>|[\x02\x03]")
_WARNING = re.compile(r"\b(?:never|don't|do not|avoid|careful|beware|pitfall)\b", re.IGNORECASE)


def list_all(transcript: Transcript, _intent: Intent) -> Step:
    """All skills by category, with the first words of their descriptions."""
    result = transcript.now.first("skills_list")
    if result is None:
        return call(transcript, "skills_list", {})
    skills = result.rows("skills")
    if not result.ok or not skills:
        return Step(result.sentence or f"There are no skills yet. {wording.UNKNOWN_NEXT}")
    shown = skills[:_LISTED]
    by_category: dict[str, list[str]] = defaultdict(list)
    for row in shown:
        about = " ".join(str(row.get("description", "")).split())
        by_category[str(row.get("category") or "")].append(f"- **{row.get('name')}**: {_clip(about, 110)}")
    blocks = [
        f"*{category or 'without a category'}*\n" + "\n".join(rows) for category, rows in sorted(by_category.items())
    ]
    count = result.data.get("count")
    total = count if isinstance(count, int) else len(skills)
    more = f"\n\n… and {total - len(shown)} more, see the library." if total > len(shown) else ""
    return Step(f"{total} skills:\n\n" + "\n\n".join(blocks) + more)


def show(transcript: Transcript, intent: Intent) -> Step:
    """One skill, whole. An absorbed name shows its umbrella; an unknown one names what is near."""
    viewed = transcript.now.first("skill_view")
    if viewed is None:
        return call(transcript, "skill_view", {"name": intent.name})
    if viewed.ok and viewed.string("content"):
        name = viewed.string("name") or intent.name
        origin = viewed.string("forwarded_from")
        moved = f"*{origin}* was folded into **{name}**.\n\n" if origin and origin != name else ""
        return Step(moved + _displayed(name, viewed))
    listing = listing_step(transcript, re.sub(r"[-_./]+", " ", intent.name))
    if listing is not None:
        return listing
    near = nearest_names(listed_rows(transcript.now), intent.name)
    hint = " Near to it: " + ", ".join(f"`{name}`" for name in near) + "." if near else " `list my skills` shows all."
    return Step(f"I cannot show `{intent.name}`. {viewed.sentence}".rstrip() + hint)


def _displayed(name: str, viewed: Result) -> str:
    """A skill's description and text as a quotation, and the names of its other files."""
    content = viewed.string("content")
    _, body = cut_front(content)
    about = viewed.string("description") or parse_skill(content.encode("utf-8", "replace"), name).description
    files = viewed.data.get("files")
    listed = [str(file) for file in files if str(file) != "SKILL.md"] if isinstance(files, list) else []
    also = "\n\nFiles: " + ", ".join(f"`{file}`" for file in listed) if listed else ""
    return f"Skill **{name}**: {' '.join(about.split())}\n\n{wording.quoted(body)}{also}"


def create(transcript: Transcript, intent: Intent) -> Step:
    """A new skill from the user's own words."""
    name = slug(intent.name)
    if not name or not intent.text:
        return Step(
            f"What should the skill say? Give me its steps after a colon, one a line or separated by semicolons: "
            f"`create a skill called {name or 'NAME'}: first step; second step`."
        )
    made = transcript.now.first("skill_manage")
    if made is None:
        body = f"# {titled(name)}\n\n## Steps\n\n{steps_text(intent.text)}\n"
        content = skill_text(name, described(name, intent.text), body)
        why = "The user asked for this skill."
        return call(transcript, "skill_manage", {"action": "create", "name": name, "content": content, "reason": why})
    return Step(
        wording.outcome(
            made,
            f"Created the skill **{name}** from your words. `show {name}` displays it; its description decides when it "
            "is found, so have a look at that line.",
            f"The new skill **{name}** waits for your approval in the inbox.",
        )
    )


def add(transcript: Transcript, intent: Intent) -> Step:
    """One more line in an existing skill, read first."""
    made = transcript.now.first("skill_manage")
    if made is not None:
        done = f"Added to **{intent.name}**: {capital(intent.text)}"
        return Step(
            wording.outcome(made, done, f"The addition to **{intent.name}** waits for your approval in the inbox.")
        )
    viewed = transcript.now.first("skill_view")
    if viewed is None:
        return call(transcript, "skill_view", {"name": intent.name})
    if not viewed.ok or not viewed.string("content"):
        return Step(f"Nothing was added. {viewed.sentence or f'There is no skill {intent.name}.'}")
    warning = bool(_WARNING.search(intent.text))
    labels = (Label.PITFALLS,) if warning else (Label.STEPS, Label.REFERENCE)
    item = capital(" ".join(intent.text.split()))
    old, new = add_item(viewed.string("content"), item, labels, "Pitfalls" if warning else "Notes")
    name = viewed.string("name") or intent.name
    why = f'The user said: "{intent.text}"'
    change = {"action": "patch", "name": name, "old_string": old, "new_string": new, "reason": why}
    return call(transcript, "skill_manage", change)


def delete(transcript: Transcript, intent: Intent) -> Step:
    """Archive a skill; the policy decides whether at once or after approval."""
    made = transcript.now.first("skill_manage")
    if made is None:
        why = f'The user said: "{transcript.now.said.strip()}"'
        change = {"action": "delete", "name": intent.name, "absorbed_into": "", "reason": why}
        return call(transcript, "skill_manage", change)
    done = f"**{intent.name}** is archived. Restore brings it back, byte for byte."
    return Step(wording.outcome(made, done, f"Archiving **{intent.name}** waits for your approval in the inbox."))


def search(transcript: Transcript, intent: Intent) -> Step:
    """Places in earlier conversations."""
    found = transcript.now.first("session_search")
    if found is None:
        return call(transcript, "session_search", {"query": search_words(intent.text), "limit": 3 * _HITS})
    hits = said_here(transcript, intent.text) + session_hits(found, transcript.now.said)
    if not hits:
        about = intent.text.rstrip(" ?.!")
        return Step(f"I found nothing about “{about}” in our conversations." if found.ok else found.sentence)
    return Step("From our conversations:\n\n" + "\n".join(hits[:_HITS]))


def said_here(transcript: Transcript, text: str) -> list[str]:
    """What the user said earlier in this conversation with all telling words of a text, newest first."""
    wanted = frozenset(terms(search_words(text)))
    said = [turn.said for turn in reversed(transcript.before) if wanted and wanted <= frozenset(terms(turn.said))]
    return [f"- “{_clip(' '.join(each.split()), 300)}” (earlier in this conversation)" for each in said[:_HITS]]


def session_hits(found: Result, said: str) -> list[str]:
    """One line for each hit, the question that was just asked left out."""
    lines = []
    asked = " ".join(said.split()).casefold()
    for row in found.rows("hits", "results", "sessions"):
        snippet = " ".join(_MARKS.sub("", str(row.get("snippet") or row.get("text") or "")).split())
        if not snippet or snippet.strip("… .").casefold() in asked or asked in snippet.casefold():
            continue
        # What a tool said is not what was talked about, and an order in old text is not passed on.
        if row.get("role") == "tool" or instruction_like(snippet):
            continue
        when = str(row.get("at") or row.get("when") or "")[:10]
        title = str(row.get("title") or row.get("session") or "a conversation")
        lines.append(f"- “{_clip(snippet, 300)}” ({title}{', ' + when if when else ''})")
    return lines


def search_words(text: str) -> str:
    """The words of a question worth searching for; the text itself when it has none."""
    return " ".join([unit.text for unit in triggers(text[:1000])][:12]) or text[:200]


def nearest_names(rows: Sequence[Mapping[str, Any]], name: str, most: int = 3) -> tuple[str, ...]:
    """Names of skills that look or read like this one."""
    index = Similarity({str(row.get("name")): f"{_spaced(row)} {row.get('description')}" for row in rows})
    by_words = [near.id for near in index.query(re.sub(r"[-_./]+", " ", name), 0.05)]
    by_start = [str(row.get("name")) for row in rows if str(row.get("name")).startswith(name[:4])]
    return tuple(dict.fromkeys(by_words + by_start))[:most]


def call(transcript: Transcript, name: str, given: Mapping[str, Any], text: str = "") -> Step:
    """A step with one call, or the sentence that the tool is not there."""
    if name not in transcript.tools:
        return Step(wording.missing_tool(name))
    return Step(text, (Call(name, given),))


def _spaced(row: Mapping[str, Any]) -> str:
    return str(row.get("name", "")).replace("-", " ")


def _clip(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rsplit(" ", 1)[0] + "…"


def names_of(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The names of listed skills."""
    return tuple(str(row["name"]) for row in rows if isinstance(row.get("name"), str))
