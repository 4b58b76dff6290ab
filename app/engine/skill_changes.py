"""How a lesson or a recipe changes a skill: as patches of the text that was read, or as a new skill."""

import re
from collections.abc import Collection, Sequence

from app.engine.lessons import Kind, Lesson
from app.engine.recipes import Recipe
from app.engine.skilltext import add_item, at_end, skill_text
from app.engine.step import Call
from app.text.sections import Label, cut_front
from app.text.units import units

_WARNING = re.compile(r"\b(?:never|don't|do not|avoid|forget|careful)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w']+")


def correction_calls(name: str, content: str, lessons: Sequence[Lesson]) -> list[Call]:
    """Patches of one skill for these lessons, one after the other; what the skill says already is left out."""
    calls = []
    text = content
    for lesson in lessons:
        patch = _replacing(text, lesson) or _adding(text, lesson)
        if patch is None:
            continue
        old, new = patch
        every = text.count(old) > 1
        why = f'The user said: "{lesson.span}"'
        given = {"action": "patch", "name": name, "old_string": old, "new_string": new, "reason": why}
        calls.append(Call("skill_manage", given | ({"replace_all": True} if every else {})))
        text = text.replace(old, new)
    return calls


def recipe_calls(recipe: Recipe, home: str, content: str, taken: Collection[str]) -> tuple[Call, ...]:
    """The recipe as a section of the skill `home`, or as a new skill; nothing when the skill has all its steps."""
    why = f'The user wrote these steps and said: "{recipe.span}"'
    if home and content:
        if _holds(content, recipe.steps):
            return ()
        old, new = at_end(content, f"## {recipe.title}\n\n{recipe.steps}")
        given = {"action": "patch", "name": home, "old_string": old, "new_string": new, "reason": why}
        return (Call("skill_manage", given),)
    name = recipe.name
    if not name or name in taken:
        return ()
    text = skill_text(name, recipe.description, recipe.body)
    return (Call("skill_manage", {"action": "create", "name": name, "content": text, "reason": why}),)


def _replacing(content: str, lesson: Lesson) -> tuple[str, str] | None:
    """The line that holds what is corrected, with the correction in its place; None when there is no such line."""
    if not lesson.old or not lesson.new or lesson.old.casefold() == lesson.new.casefold():
        return None
    wrong = re.compile(rf"(?<![\w-]){re.escape(lesson.old)}(?![\w-])", re.IGNORECASE)
    _, body = cut_front(content)
    for line in body.split("\n"):
        if not wrong.search(line):
            continue
        if lesson.new.casefold() in line.casefold():
            return None
        return line, wrong.sub(lambda _: lesson.new, line)
    return None


def _adding(content: str, lesson: Lesson) -> tuple[str, str] | None:
    """One more item in the fitting section; None when the skill has the sentence already or the fix is in place."""
    plain = _plain(lesson.text)
    if plain in _plain(content) or (lesson.new and f" {_plain(lesson.new)} " in f" {_plain(content)} "):
        return None
    item = lesson.text if lesson.text.endswith((".", "!", "`")) else f"{lesson.text}."
    if _WARNING.search(lesson.text):
        return add_item(content, item, (Label.PITFALLS,), "Pitfalls")
    labels = (Label.REFERENCE,) if lesson.kind is Kind.RULE else (Label.REFERENCE, Label.CHECKS)
    return add_item(content, item, labels, "House rules")


def _holds(content: str, steps: str) -> bool:
    have = _plain(content)
    return all(_plain(unit.text) in have for unit in units(steps))


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
