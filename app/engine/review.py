"""The review by rules: what the user's last message taught goes into memory or into the skill that governs it.

The steps of a review are found anew from the results each time: read the list, read the skills that would change,
write, say what was done. It writes only what rests on the user's own words, and nothing twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.engine.chat_memory import memory_call
from app.engine.chat_skills import names_of
from app.engine.lessons import Kind, Lesson, explicit, implied
from app.engine.listing import fitting, listed_rows, listing_step
from app.engine.recipes import Recipe, recipe_of
from app.engine.remembered import known, says_already
from app.engine.skill_changes import correction_calls, recipe_calls
from app.engine.step import Call, Step
from app.engine.transcript import Transcript, Turn
from app.text.similarity import terms

NOTHING = "Nothing to save."
_RULE_FROM = 0.2
_RECIPE_FROM = 0.25
_TASK_WORDS = frozenset({"when", "whenever", "before", "after", "if", "for", "in", "while", "during"})


@dataclass(frozen=True, slots=True)
class Plan:
    """What a review wants: statements for memory, rules and corrections for skills, and a recipe."""

    memory: tuple[Lesson, ...]
    rules: tuple[Lesson, ...]
    recipe: Recipe | None

    @property
    def empty(self) -> bool:
        """Whether nothing was learned."""
        return not self.memory and not self.rules and self.recipe is None


def answer(transcript: Transcript) -> Step:
    """The next step of the review whose prompt is the last message."""
    plan = plan_of(transcript)
    now = transcript.now
    if plan.empty:
        return Step(NOTHING)
    if not now.done:
        return _begin(transcript, plan)
    listing = listing_step(transcript, *_subjects(plan)) if plan.rules or plan.recipe else None
    if listing is not None:
        return listing
    homes = homes_of(transcript, plan)
    unread = [name for name in dict.fromkeys(homes.values()) if name and not _viewed(now, name)]
    if unread and "skill_view" in transcript.tools:
        return Step("", tuple(Call("skill_view", {"name": name}) for name in unread))
    if not now.of("skill_manage"):
        calls = _skill_calls(transcript, plan, homes)
        if calls:
            return Step("", calls)
    retry = _second_try(transcript, plan, homes)
    if retry:
        return Step("", retry)
    return Step(summary(now))


def plan_of(transcript: Transcript) -> Plan:
    """What the reviewed turn taught; with a focus line in the prompt, what the whole conversation did."""
    turns = transcript.before
    if not turns:
        return Plan((), (), None)
    prompt = transcript.now.said
    wanted_memory, wanted_skills = _dimensions(prompt)
    for_skills = wanted_skills and "skill_manage" in transcript.tools
    looked_at = range(len(turns)) if "\nFocus:" in prompt else range(len(turns) - 1, len(turns))
    before = known(transcript)
    statements: list[Lesson] = []
    rules: list[Lesson] = []
    for place in looked_at:
        told = explicit(turns[place].said) + implied(turns[place].said, answered=place > 0)
        for lesson in told:
            if lesson.kind is Kind.CORRECTION or (lesson.kind is Kind.RULE and for_skills and _names_task(lesson)):
                rules.append(lesson)
            elif wanted_memory and not says_already(before, lesson.text):
                statements.append(lesson)
    recipe = recipe_of(turns) if wanted_skills else None
    return Plan(tuple(dict.fromkeys(statements)), tuple(dict.fromkeys(rules)) if wanted_skills else (), recipe)


def homes_of(transcript: Transcript, plan: Plan) -> Mapping[str, str]:
    """For each rule and for the recipe, by its text, the skill it belongs to; "" when there is none."""
    rows = listed_rows(transcript.now)
    used = _used_skills(transcript.before)
    answered_from = _used_skills(transcript.before[-2:-1])
    homes: dict[str, str] = {}
    for lesson in plan.rules:
        near = fitting(rows, lesson.text, _RULE_FROM)
        corrected = answered_from if lesson.kind is Kind.CORRECTION else {}
        recent = next((name for name in used if name in corrected or _belongs(lesson, used[name])), "")
        homes[lesson.text] = recent or (near[0] if near else "")
    if plan.recipe is not None:
        near = fitting(rows, plan.recipe.purpose, _RECIPE_FROM)
        homes[plan.recipe.title] = near[0] if near else ""
    return homes


def summary(now: Turn) -> str:
    """One line about what was changed, waits, or was refused."""
    parts = []
    for done in now.of("memory"):
        if done.result.ok:
            state = "waits for approval" if done.result.waiting else "saved"
            parts.append(f"Memory {state}: “{done.given('content')}”")
    for done in now.of("skill_manage"):
        name = done.given("name")
        if done.result.ok:
            verb = "created" if done.given("action") == "create" else "updated"
            parts.append(f"Skill {name} {'waits for approval' if done.result.waiting else verb}")
        else:
            parts.append(f"Skill {name} was left alone: {done.result.sentence}")
    return " · ".join(parts) or NOTHING


def _begin(transcript: Transcript, plan: Plan) -> Step:
    before = known(transcript)
    calls = [memory_call(lesson, before) for lesson in plan.memory] if "memory" in transcript.tools else []
    if (plan.rules or plan.recipe) and "skills_list" in transcript.tools:
        calls.append(Call("skills_list"))
    return Step("", tuple(calls)) if calls else Step(NOTHING)


def _subjects(plan: Plan) -> tuple[str, ...]:
    """What skills are looked for by, when the library is too large to be listed whole."""
    recipe = (plan.recipe.purpose,) if plan.recipe is not None else ()
    return (*(lesson.text for lesson in plan.rules), *recipe)


def _skill_calls(transcript: Transcript, plan: Plan, homes: Mapping[str, str]) -> tuple[Call, ...]:
    now = transcript.now
    taken = frozenset(names_of(listed_rows(now)))
    calls: list[Call] = []
    homeless: list[Lesson] = []
    by_skill: dict[str, list[Lesson]] = {}
    for lesson in plan.rules:
        home = homes.get(lesson.text, "")
        if home and _content(now, home):
            by_skill.setdefault(home, []).append(lesson)
        elif lesson.kind is Kind.RULE:
            homeless.append(lesson)
    for name, lessons in by_skill.items():
        calls += correction_calls(name, _content(now, name), lessons)
    before = known(transcript)
    told = frozenset(done.given("content") for done in now.of("memory"))
    new = [lesson for lesson in homeless if lesson.text not in told and not says_already(before, lesson.text)]
    if "memory" in transcript.tools:
        calls += [memory_call(lesson, before) for lesson in new]
    if plan.recipe is not None:
        home = homes.get(plan.recipe.title, "")
        calls += recipe_calls(plan.recipe, home, _content(now, home) if home else "", taken)
    return tuple(calls)


def _second_try(transcript: Transcript, plan: Plan, homes: Mapping[str, str]) -> tuple[Call, ...]:
    """A recipe whose skill may not be changed becomes a skill of its own, once."""
    tries = transcript.now.of("skill_manage")
    if plan.recipe is None or len(tries) != 1 or tries[0].result.ok or tries[0].given("action") == "create":
        return ()
    taken = frozenset(names_of(listed_rows(transcript.now)))
    return recipe_calls(plan.recipe, "", "", taken) if homes.get(plan.recipe.title) else ()


def _dimensions(prompt: str) -> tuple[bool, bool]:
    """Whether the prompt asks about memory and about skills; an unknown prompt asks about both."""
    memory = "something should be remembered" in prompt
    skills = "a skill should be better" in prompt
    return (True, True) if memory == skills else (memory, skills)


def _names_task(lesson: Lesson) -> bool:
    return not lesson.text.casefold().startswith(("from now on", "in future", "going forward")) and any(
        word in _TASK_WORDS for word in lesson.text.casefold().split()
    )


def _used_skills(turns: Sequence[Turn]) -> dict[str, str]:
    """Skills read in the last two turns and their text, the newest first."""
    found: dict[str, str] = {}
    for turn in reversed(turns[-2:]):
        for done in reversed(turn.of("skill_view")):
            name = done.result.string("name") or done.given("name")
            if done.result.ok and done.result.string("content"):
                found.setdefault(name, done.result.string("content"))
    return found


def _belongs(lesson: Lesson, content: str) -> bool:
    """A lesson belongs to a skill used lately when the skill has what is corrected, or shares two words with it."""
    if lesson.old and lesson.old.casefold() in content.casefold():
        return True
    return len(frozenset(terms(lesson.text)) & frozenset(terms(content))) >= 2


def _viewed(now: Turn, name: str) -> bool:
    return any(done.given("name") == name for done in now.of("skill_view"))


def _content(now: Turn, name: str) -> str:
    found = (done.result for done in now.of("skill_view") if done.given("name") == name and done.result.ok)
    return next((result.string("content") for result in found), "")
