"""Top-level fields that other programs read beside those of the format, by the programs' names.

They are always written back as they are, and never offered to be moved: their readers look for them where they stand.
"""

from collections.abc import Mapping
from types import MappingProxyType

_BY_READER: Mapping[str, tuple[str, ...]] = {
    "Claude Code": (
        "when_to_use", "argument-hint", "arguments", "disable-model-invocation", "user-invocable", "disallowed-tools",
        "model", "effort", "context", "agent", "hooks", "paths", "shell",
    ),
    "VS Code": ("argument-hint", "user-invocable", "user-invokable", "disable-model-invocation", "context"),
    "Cursor": ("disable-model-invocation", "globs", "alwaysApply"),
    "Hermes": (
        "version", "author", "platforms", "environments", "required_environment_variables",
        "required_credential_files", "prerequisites",
    ),
    "OpenClaw": (
        "homepage", "user-invocable", "disable-model-invocation", "command-dispatch", "command-tool",
        "command-arg-mode",
    ),
    "pi": ("disable-model-invocation",),
}  # fmt: skip


def _by_field() -> dict[str, str]:
    readers: dict[str, list[str]] = {}
    for reader, fields in _BY_READER.items():
        for field in fields:
            readers.setdefault(field, []).append(reader)
    return {field: ", ".join(names) for field, names in readers.items()}


#: Field to the programs that read it, in words.
FIELD_READERS: Mapping[str, str] = MappingProxyType(_by_field())
