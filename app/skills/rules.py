"""The format's rules about the front matter, each with its id, line and fix (agentskills.io specification)."""

import re
import unicodedata
from typing import Any

from app.skills.checks_name import check_name
from app.skills.field_readers import FIELD_READERS
from app.skills.findings import Remarks
from app.skills.front_values import Front
from app.skills.values import Load, Severity

_MOST_DESCRIPTION = 1024
_MOST_COMPATIBILITY = 500
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: Plain scalars that YAML 1.1 readers take for something other than text.
_TYPED = re.compile(
    r"(?:true|false|yes|no|on|off|[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|0x[\da-f]+|0o?[0-7]+"
    r"|\d{4}-\d\d?-\d\d?.*|\.inf|\.nan)$",
    re.I,
)


def check_front(front: Front, folder_name: str, remarks: Remarks) -> None:
    """Judge every field of the front matter."""
    check_name(front, folder_name, remarks)
    _description(front, remarks)
    _compatibility(front, remarks)
    _license(front, remarks)
    _metadata(front, remarks)
    _tools(front, remarks)
    _unknown(front, remarks)
    for key, value in front.fields.items():
        _characters(key, value, front.line(key), remarks)
    if is_typed(front, "name"):
        text = "Some readers take this name for a number, a date or a truth value."
        remarks.add("NAME.TYPE", front.line("name"), text, "Put it in quotes.", severity=Severity.WARNING)


def is_typed(front: Front, key: str) -> bool:
    """Whether a field stands without quotes and YAML 1.1 readers would not take it for text."""
    value = front.fields.get(key)
    return key in front.plain and isinstance(value, str) and _TYPED.match(value) is not None


def _description(front: Front, remarks: Remarks) -> None:
    key, line = "description", front.line("description")
    if key not in front.fields:
        remarks.add(
            "DESC.REQUIRED", 1, "There is no description.", "Add 'description: what it does and when to use it'."
        )
        return
    value = front.fields[key]
    if not isinstance(value, str):
        kind = "map" if isinstance(value, dict) else "list"
        remarks.add("DESC.TYPE", line, f"The description is a {kind}, not a text.", "Put the text in quotes.")
        return
    text = front.text(key)
    if text is None or not _INVISIBLE.sub("", text).strip():
        remarks.add("DESC.EMPTY", line, "The description is empty.", "Say what the skill does and when to use it.")
        return
    if is_typed(front, key):
        text_said = "The description is no sentence; some readers take it for a number, a date or a truth value."
        warning, load = Severity.WARNING, Load.WARN
        remarks.add("DESC.TYPE", line, text_said, "Put it in quotes.", severity=warning, load=load)
    if len(text) > _MOST_DESCRIPTION:
        message = f"The description has {len(text)} characters; {_MOST_DESCRIPTION} are allowed."
        remarks.add("DESC.LEN", line, message, "Shorten it; details belong in the body.")


def _compatibility(front: Front, remarks: Remarks) -> None:
    key, line = "compatibility", front.line("compatibility")
    if key not in front.fields:
        return
    value = front.fields[key]
    if not isinstance(value, str):
        remarks.add("COMPAT.TYPE", line, "compatibility is not a text.", "Write one sentence.")
    elif not front.text(key):
        remarks.add("COMPAT.EMPTY", line, "compatibility is empty.", "Fill it or remove the field.")
    elif len(value.strip()) > _MOST_COMPATIBILITY:
        message = f"compatibility has {len(value.strip())} characters; {_MOST_COMPATIBILITY} are allowed."
        remarks.add("COMPAT.LEN", line, message, "Shorten it.")


def _license(front: Front, remarks: Remarks) -> None:
    if "license" in front.fields and not isinstance(front.fields["license"], str):
        remarks.add("LIC.TYPE", front.line("license"), "license is not a text.", "Write a name or a file's name.")


def _metadata(front: Front, remarks: Remarks) -> None:
    if "metadata" not in front.fields or front.is_null("metadata"):
        return
    value, line = front.fields["metadata"], front.line("metadata")
    if not isinstance(value, dict):
        remarks.add("META.TYPE", line, "metadata is not a map of names to texts.", "Write 'key: text' lines below it.")
        return
    for key, part in value.items():
        if isinstance(part, dict):
            remarks.add("META.NESTED", line, f"metadata.{key} is a map; the format wants a text.")
        elif isinstance(part, list):
            remarks.add("META.VALUE_TYPE", line, f"metadata.{key} is a list; the format wants a text.")


def _tools(front: Front, remarks: Remarks) -> None:
    value, line = front.fields.get("allowed-tools"), front.line("allowed-tools")
    if value is None:
        return
    if not isinstance(value, str):
        remarks.add(
            "TOOLS.TYPE", line, "allowed-tools is not one text.", "Write the names on one line, blanks between."
        )
    elif "," in re.sub(r"\([^)]*\)", "", value):
        remarks.add("TOOLS.COMMA", line, "allowed-tools is separated by commas.", "Use blanks.")


def _unknown(front: Front, remarks: Remarks) -> None:
    for key in front.unknown:
        shown = key if len(key) <= 60 else key[:59] + "…"
        readers = FIELD_READERS.get(key)
        if readers is None:
            message = f"'{shown}' is not a field of the format; it is kept and ignored."
            remarks.add("FIELD.UNKNOWN", front.line(key), message, "Move it below metadata if other readers refuse it.")
        else:
            message = f"'{shown}' is a field of {readers}, not of the format; it is kept as it is."
            remarks.add("FIELD.UNKNOWN", front.line(key), message)


def without_hidden(text: str) -> str:
    """A text without control characters and without those that reorder what is shown."""
    return _BIDI.sub("", _CONTROL.sub("", text))


def _characters(key: str, value: Any, line: int | None, remarks: Remarks) -> None:  # noqa: ANN401 - text, list or map
    if isinstance(value, str):
        if value.isprintable() and value.isascii():
            return
        if found := _CONTROL.search(value):
            name = f"U+{ord(found.group()):04X}"
            remarks.add("TXT.CONTROL", line, f"'{key}' holds the control character {name}.", "Remove it.")
        if found := _BIDI.search(value):
            name = unicodedata.name(found.group(), f"U+{ord(found.group()):04X}").lower()
            text = f"'{key}' holds the invisible character '{name}', which can reorder what is shown."
            remarks.add("TXT.BIDI", line, text, "Remove it.")
        return
    for part in value.values() if isinstance(value, dict) else value:
        _characters(key, part, line, remarks)
