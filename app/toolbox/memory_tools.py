"""The memory tool: one fact added, replaced or removed, resting on the user's own words where it is about them."""

import re
from collections.abc import Mapping
from typing import Any

from app.history.values import Origin
from app.memory.values import MemoryBy, MemoryReceipt, MemoryVerdict, Target
from app.skills.values import Verdict, Writer
from app.text.similarity import terms
from app.toolbox.arguments import Form, for_action
from app.toolbox.schemas import MEMORY
from app.toolbox.values import Answer, BadArguments, MemoryWish, Surroundings, refused

_FORMS: Mapping[str, Form] = {
    "add": Form(("content",), ("target", "span")),
    "replace": Form(("old_text", "content"), ("target", "span")),
    "remove": Form(("old_text",), ("target",)),
}
_DONE = {"add": "Stored.", "replace": "Replaced.", "remove": "Removed."}
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
#: How many telling words a sentence of the user must share with a fact to be taken for what it rests on.
_SHARED_WORDS = 2


def change_memory(around: Surroundings, values: Mapping[str, Any], writer: Writer) -> Answer:
    """Tool memory. Raises BadArguments, and AppError when the store cannot be read or written."""
    action, target = values["action"], Target(values.get("target") or "memory")
    for_action(MEMORY, action, _FORMS[action], values)
    wish = MemoryWish(action, target, values.get("content", ""), values.get("old_text", ""), values.get("span", ""))
    why = ""
    if target is Target.USER and action != "remove":
        wish, why = _grounded(wish, around.user_words())
    if why and writer.origin is not Origin.REVIEW:
        return refused(f"{why} Quote the user's own words in 'span', or ask them.", target=target.value)
    hold = writer.hold or bool(why)
    by = MemoryBy(writer.origin, writer.session, writer.turn, untrusted=writer.untrusted, hold=hold)
    return _answer(around, wish, _write(around, wish, by), why)


def _write(around: Surroundings, wish: MemoryWish, by: MemoryBy) -> MemoryReceipt:
    if wish.action == "add":
        return around.memory.add(wish.target, wish.text, by, span=wish.span)
    if wish.action == "replace":
        return around.memory.replace(wish.target, wish.old_text, wish.text, by, span=wish.span)
    return around.memory.remove(wish.target, wish.old_text, by)


def _grounded(wish: MemoryWish, said: str) -> tuple[MemoryWish, str]:
    """The wish with the user's words it rests on, and a sentence when there are none (then the user decides).

    Raises BadArguments when the quoted words were never said.
    """
    if not said.strip():
        return wish, ""
    if wish.span.strip():
        if _plain(wish.span) in _plain(said):
            return wish, ""
        raise BadArguments("The words in 'span' are not the user's. Copy them exactly from what the user wrote.")
    wanted = set(terms(wish.text))
    sentences = [part.strip() for part in _SENTENCE_END.split(said) if part.strip()]
    best = max(sentences, key=lambda sentence: len(wanted.intersection(terms(sentence))))
    if len(wanted.intersection(terms(best))) >= min(_SHARED_WORDS, len(wanted)):
        return MemoryWish(wish.action, wish.target, wish.text, wish.old_text, best), ""
    return wish, "Nothing the user wrote says this."


def _answer(around: Surroundings, wish: MemoryWish, receipt: MemoryReceipt, why: str) -> Answer:
    store = wish.target.value
    usage = f"{receipt.used:,} of {receipt.limit:,} characters"
    if receipt.verdict is MemoryVerdict.REFUSE:
        more: dict[str, Any] = {"candidates": list(receipt.candidates)} if receipt.candidates else {}
        return refused(f"{receipt.why} ({usage} used)", target=store, usage=usage, **more)
    if receipt.verdict is MemoryVerdict.PROPOSE:
        reason = why or receipt.why
        proposal = around.propose_memory(wish, reason)
        message = f"Not stored yet: waiting for the user to decide. {reason}".strip()
        data = {"verdict": "propose", "waiting": True, "message": message, "target": store, "proposal": proposal}
        return Answer(False, data, Verdict.PROPOSE, proposal=proposal, target=store)
    data = {"done": True, "message": _DONE[wish.action], "target": store, "usage": usage}
    if receipt.why:
        data["note"] = receipt.why
    if receipt.entry:
        data["entry"] = receipt.entry
    return Answer(True, data, entry=receipt.entry, target=store)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
