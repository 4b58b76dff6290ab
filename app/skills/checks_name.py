"""The format's rules about a skill's name. Names are compared after NFKC, as the reference validator does."""

import re
import unicodedata

from app.skills.findings import Remarks
from app.skills.front_values import Front

_MOST_NAME = 64
_ASCII_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def plain_name(text: str) -> str:
    """A valid name made from any text: lower case, letters, digits and single hyphens. Empty when nothing is left."""
    folded = unicodedata.normalize("NFC", text).strip().lower()
    kept = "".join(char if _is_letter(char) else "-" for char in folded)
    return re.sub("-+", "-", kept)[:_MOST_NAME].strip("-")


def check_name(front: Front, folder_name: str, remarks: Remarks) -> None:
    """Judge the field `name` against the format and the folder it lies in."""
    line = front.line("name")
    if "name" not in front.fields:
        remarks.add("NAME.REQUIRED", 1, "There is no name; the folder's name is used.", _offer(folder_name))
        return
    value = front.fields["name"]
    if not isinstance(value, str):
        remarks.add("NAME.TYPE", line, "The name is not a text; the folder's name is used.", _offer(folder_name))
        return
    if not front.text("name"):
        remarks.add("NAME.EMPTY", line, "The name is empty; the folder's name is used.", _offer(folder_name))
        return
    if _ASCII_NAME.fullmatch(value) is None:
        _spelling(value, line, remarks)
    if len(value) > _MOST_NAME and len(unicodedata.normalize("NFC", value.strip())) > _MOST_NAME:
        remarks.add("NAME.LEN", line, f"The name has {len(value)} characters; {_MOST_NAME} are allowed.", "Shorten it.")
    if value != folder_name and _compatible(value.strip()) != _compatible(folder_name):
        message = f"The name '{value.strip()[:80]}' differs from the folder's name '{folder_name[:80]}'."
        remarks.add("NAME.DIR", line, message, _offer(folder_name))


def _compatible(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _offer(text: str) -> str | None:
    """The line that would give a valid name, None when nothing of the text can stay."""
    name = plain_name(text)
    return f"name: {name}" if name else None


def _spelling(value: str, line: int | None, remarks: Remarks) -> None:
    offer = _offer(value)
    name = unicodedata.normalize("NFC", value)
    if name != name.lower():
        remarks.add("NAME.CASE", line, "The name has upper-case letters.", offer)
    name = name.lower()
    wrong = sorted({char for char in name if char != "-" and not _is_letter(char)})
    if wrong:
        shown = " ".join(f"'{char}'" if char.isprintable() else f"U+{ord(char):04X}" for char in wrong[:5])
        remarks.add(
            "NAME.CHARSET", line, f"The name holds {shown}; only letters, digits and hyphens are allowed.", offer
        )
    if any(ord(char) > 127 and _is_letter(char) for char in name):
        text = "The name has letters outside a-z; some readers do not take them."
        remarks.add("NAME.NONASCII", line, text)
    if name.startswith("-") or name.endswith("-"):
        remarks.add("NAME.HYPHEN_EDGE", line, "The name begins or ends with a hyphen.", offer)
    if "--" in name:
        remarks.add("NAME.HYPHEN_DOUBLE", line, "The name has two hyphens in a row.", offer)


def _is_letter(char: str) -> bool:
    """A letter, a digit, or a mark that belongs to one (Hindi, Thai and others need them)."""
    return char.isalnum() or unicodedata.category(char).startswith("M")
