"""Narrow rules that tell when a text meant as a fact or a procedure speaks to the model as an order instead.

A hit is a reason to show the text to the user, never a proof; paraphrases pass. Every rule names what it saw.
"""

import re

from app.patterns import compiled
from app.text.invisible import hidden

_FLAGS = re.IGNORECASE | re.MULTILINE
#: Up to three words in between.
_GAP = r"(?:\W+\w+){0,3}?\W+"
_RULES: tuple[tuple[str, str], ...] = (
    (
        "it tells the reader to drop earlier instructions",
        (
            rf"\b(?:ignore|disregard|forget|override|bypass){_GAP}"
            r"(?:previous|prior|earlier|above|preceding|existing|system|safety|all|any|your)\W+"
            r"(?:\w+\W+){0,2}?(?:instructions?|rules?|prompts?|guidelines?|directions?|polic(?:y|ies))\b"
            r"|\b(?:ignore|disregard|forget|override|bypass)\W+(?:previous|prior|earlier|above|all|any|your)\W+"
            r"(?:\w+\W+){0,2}?(?:instructions?|rules?|prompts?|guidelines?|directions?|polic(?:y|ies))\b"
        ),
    ),
    (
        "it gives the reader a new role",
        (
            r"\byou are (?:now (?:an? |my |free|allowed|unrestricted|dan\b)|no longer (?:an? |bound|restricted))"
            r"|\bfrom now on,? you (?:are|must act|will act)\b|\bact as (?:an? )?(?:unrestricted|jailbroken)\b"
        ),
    ),
    (
        "it imitates the frame of a conversation",
        (
            r"</?(?:available_skills|skill_content|tool_result|system|assistant)>|\[/?INST\]|<\|[a-z_]+\|>"
            r"|^\W*(?:system|assistant) (?:prompt|message)\s*:"
        ),
    ),
    (
        "it asks to keep something from the user",
        (
            r"\b(?:do not|don't|never)\W+(?:\w+\W+)?(?:tell|mention|inform|show|notify|alert)\W+"
            r"(?:\w+\W+){0,4}?(?:the |your )(?:user|human|owner|reviewer)\b"
            r"|(?:^|[.!?])(?![^.!?\n]*\b(?:never|not|don't)\b)[^.!?\n]*"
            r"\bwithout (?:telling|informing|notifying) (?:the |your )?(?:user|human|owner|reviewer|anyone)\b"
        ),
    ),
    (
        "it asks to send secrets away",
        (
            rf"\b(?:send|post|upload|forward|e-?mail|exfiltrate|leak)\b{_GAP}"
            r"(?:api.?keys?|tokens?|passwords?|credentials?|secrets?|private keys?|ssh keys?)\b.{0,80}?(?:https?://|@\w)"
        ),
    ),
    (
        "it asks to switch a protection off",
        (
            rf"\b(?:disable|turn off|switch off|auto.?approve)\b{_GAP}"
            r"(?:approvals?|safety checks?|sandbox|review mode|permission (?:checks?|prompts?)|security checks?)\b"
        ),
    ),
)


def instruction_like(text: str) -> str | None:
    """Why a text looks like an order hidden in data, as half a sentence; None when no rule fits.

    Words are looked at without hidden characters between their letters, so that splitting a word does not help.
    """
    codes = {offset for offset, _, _ in hidden(text)}
    plain = "".join(char for place, char in enumerate(text) if place not in codes) if codes else text
    if any(0xE0000 <= ord(text[offset]) <= 0xE0FFF for offset in codes):
        return "it carries tag characters nobody can see"
    return next((why for why, rule in _RULES if compiled(rule, _FLAGS).search(plain)), None)
