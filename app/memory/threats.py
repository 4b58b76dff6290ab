"""What a memory entry must not carry: characters nobody sees, orders to the model, secrets.

Entries stand in every prompt, so what got in once would act for ever. A paraphrase passes these rules; the user
reading what was learned is the real protection, and these rules keep what cannot be read from being stored.
"""

from app.redact import redact
from app.text.invisible import hidden
from app.text.suspicious import instruction_like


def unseen(text: str) -> str:
    """A sentence naming the characters in `text` nobody can see, empty if there are none."""
    found = hidden(text)
    if not found:
        return ""
    names = ", ".join(dict.fromkeys(f"U+{code:04X} {name}" for _, code, name in found[:6]))
    return f"The text holds characters that cannot be seen: {names}. Write it without them."


def order(text: str) -> str:
    """Why `text` reads as an order to the model and not as a fact, empty if it does not."""
    return instruction_like(text) or ""


def secret(text: str) -> str:
    """A sentence when `text` holds something like a key or a password, empty if not."""
    if redact(text) == text:
        return ""
    return "The text holds something like a key or a password. Memory stands in every prompt: store it without."
