"""Chat by rules: each kind of request has one function that says the next step from what is already there."""

from collections.abc import Callable, Mapping

from app.engine import wording
from app.engine.answering import question, remark
from app.engine.chat_memory import forget, keep, recall
from app.engine.chat_skills import add, create, delete, list_all, search, show
from app.engine.intents import Intent, Wish, intent_of
from app.engine.lessons import explicit, implied
from app.engine.recipes import recipe_of
from app.engine.step import Step
from app.engine.transcript import Transcript

_Handler = Callable[[Transcript, Intent], Step]


def answer(transcript: Transcript) -> Step:
    """The next step of a chat turn. What the user asks to remember comes before everything else."""
    intent = intent_of(transcript.now.said)
    if intent.wish in {Wish.QUESTION, Wish.REMARK}:
        told = explicit(transcript.now.said)
        if told:
            return keep(transcript, told)
    return _HANDLERS[intent.wish](transcript, intent)


def _says(text: str) -> _Handler:
    return lambda _transcript, _intent: Step(text)


def _pin(_transcript: Transcript, intent: Intent) -> Step:
    return Step(wording.PIN.format(name=intent.name))


def _restore(_transcript: Transcript, intent: Intent) -> Step:
    return Step(wording.RESTORE.format(name=intent.name))


def _remark(transcript: Transcript, intent: Intent) -> Step:
    """A remark that teaches something is named, so that the user knows the review will look at it."""
    told = implied(intent.text, answered=bool(transcript.before))
    if told:
        return Step(wording.HEARD.format(text=told[0].span.rstrip(" .!")))
    if recipe_of(transcript.turns) is not None:
        return Step(wording.RECIPE)
    return remark(transcript, intent)


_HANDLERS: Mapping[Wish, _Handler] = {
    Wish.GREETING: _says(wording.GREETING),
    Wish.THANKS: _says(wording.THANKS),
    Wish.HELP: _says(wording.HELP),
    Wish.LIST: list_all,
    Wish.SHOW: show,
    Wish.CREATE: create,
    Wish.ADD: add,
    Wish.DELETE: delete,
    Wish.PIN: _pin,
    Wish.RESTORE: _restore,
    Wish.CURATOR: _says(wording.CURATOR),
    Wish.RECALL: recall,
    Wish.FORGET: forget,
    Wish.SEARCH: search,
    Wish.QUESTION: question,
    Wish.REMARK: _remark,
}
