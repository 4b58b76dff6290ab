"""Chat requests about memory: keep what the user asks to keep, forget, and say what is remembered."""

from collections.abc import Sequence

from app.engine import wording
from app.engine.intents import Intent
from app.engine.lessons import Lesson
from app.engine.remembered import Entry, known, says_already
from app.engine.step import Call, Step
from app.engine.transcript import Transcript
from app.text.similarity import terms

_STORES = {"user": "About you", "memory": "Notes"}


def keep(transcript: Transcript, told: Sequence[Lesson]) -> Step:
    """Store each statement in the user's own words, unless memory says it already."""
    if "memory" not in transcript.tools:
        return Step(wording.missing_tool("memory"))
    done = transcript.now.of("memory")
    if not done:
        before = known(transcript)
        new = [lesson for lesson in told if not says_already(before, lesson.text)]
        if not new:
            return Step(f"I know that already: “{told[0].text}”.")
        return Step("", tuple(memory_call(lesson, before) for lesson in new))
    lines = [
        wording.outcome(
            each.result,
            f"Saved to memory: “{each.given('content')}”",
            f"“{each.given('content')}” waits for your approval in the inbox.",
        )
        for each in done
    ]
    return Step("\n\n".join(lines))


def memory_call(lesson: Lesson, before: Sequence[Entry]) -> Call:
    """The call that stores a lesson; a new name for the user takes the place of the old one."""
    given = {"action": "add", "target": lesson.target, "content": lesson.text, "span": lesson.span}
    if lesson.naming:
        old = next((entry for entry in before if entry.target == "user" and Lesson.names_user(entry.text)), None)
        if old is not None:
            given |= {"action": "replace", "old_text": old.text}
    return Call("memory", given)


def recall(transcript: Transcript, _intent: Intent) -> Step:
    """Everything remembered, by store, in the words it is kept in."""
    found = known(transcript)
    if not found:
        return Step("My memory is empty. Say `remember that …` and I keep it, in your words.")
    parts = []
    for target, title in _STORES.items():
        rows = [f"- {' '.join(entry.text.split())}" for entry in found if entry.target == target]
        if rows:
            parts.append(f"**{title}**\n" + "\n".join(rows))
    return Step(
        "This is what I remember:\n\n" + "\n\n".join(parts) + "\n\nThe Memory page shows where each entry comes from."
    )


def forget(transcript: Transcript, intent: Intent) -> Step:
    """Remove the one entry that is meant; several are listed instead."""
    done = transcript.now.first("memory")
    if done is not None:
        return Step(wording.outcome(done, "Forgotten.", "Removing it waits for your approval in the inbox."))
    found = matching(known(transcript), intent.text)
    if not found:
        return Step(f"I remember nothing about “{intent.text.rstrip('.!')}”.")
    if len(found) > 1:
        rows = "\n".join(f"- {' '.join(entry.text.split())}" for entry in found)
        return Step(f"That could be several entries; say which one in its own words:\n\n{rows}")
    if "memory" not in transcript.tools:
        return Step(wording.missing_tool("memory"))
    return Step("", (Call("memory", {"action": "remove", "target": found[0].target, "old_text": found[0].text}),))


def matching(found: Sequence[Entry], text: str, share: float = 0.6) -> list[Entry]:
    """Entries that hold the text itself, else those with at least this share of its words."""
    plain = " ".join(text.split()).casefold().strip(" .!?\"“”'")
    exact = [entry for entry in found if plain in " ".join(entry.text.split()).casefold()]
    if exact or not plain:
        return exact
    wanted = frozenset(terms(text))
    return [e for e in found if wanted and len(wanted & frozenset(terms(e.text))) >= share * len(wanted)]
