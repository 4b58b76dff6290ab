"""Checks a call's arguments against its schema and says in a sentence what is wrong with them."""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from app.providers.values import ToolSpec
from app.toolbox.values import BadArguments

_KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "a text"),
    "boolean": (bool, "true or false"),
    "integer": (int, "a whole number"),
}


@dataclass(frozen=True, slots=True)
class Form:
    """Which arguments one action takes besides `action`; the others of the tool do not belong to it."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


def checked(spec: ToolSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were really given (null counts as left out).

    Raises BadArguments for an unknown argument, a missing one, a wrong type, or a value outside its range.
    """
    properties: Mapping[str, Any] = spec.schema["properties"]
    for key in given:
        if key not in properties:
            raise BadArguments(f"{spec.name} has no argument '{_short(key)}'.{_offer(key, properties)}")
    values = {key: value for key, value in given.items() if value is not None}
    for key in spec.schema["required"]:
        if key not in values:
            raise BadArguments(f"{spec.name} needs the argument '{key}'. {properties[key]['description']}")
    for key, value in values.items():
        _check_value(key, value, properties[key])
    return values


def for_action(spec: ToolSpec, action: str, form: Form, values: Mapping[str, Any]) -> None:
    """Check that an action got what it needs and nothing that belongs to another one (an empty text is let pass).

    Raises BadArguments.
    """
    for key in form.required:
        if key not in values:
            raise BadArguments(f"The action {action} of {spec.name} needs '{key}'. Nothing was done.")
    foreign = [
        key for key, value in values.items() if value != "" and key not in ("action", *form.required, *form.optional)
    ]
    if foreign:
        takes = ", ".join((*form.required, *form.optional))
        raise BadArguments(f"The action {action} does not take '{foreign[0]}'. It takes: {takes}. Nothing was done.")


def _check_value(key: str, value: Any, schema: Mapping[str, Any]) -> None:  # noqa: ANN401 - any JSON value
    kind, words = _KINDS[schema["type"]]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadArguments(f"'{key}' must be {words}, not {_named(value)}.")
    if "enum" in schema and value not in schema["enum"]:
        raise BadArguments(f"'{key}' cannot be '{_short(str(value))}'. It is one of: {', '.join(schema['enum'])}.")
    if "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        raise BadArguments(f"'{key}' must lie between {schema['minimum']} and {schema['maximum']}.")


def _named(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), "this")


def _offer(key: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(key, list(known), n=1, cutoff=0.5)
    return f" Did you mean '{near[0]}'?" if near else f" It takes: {', '.join(known)}."


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "…"
