"""What the front matter of a skill says, as text: scalars are never turned into numbers, dates or booleans."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: The fields the format knows.
KNOWN_FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True)
class Front:
    """The fields of the YAML block: texts, lists and maps of texts, in the file's order.

    `lines` gives the 1-based line of each field in SKILL.md, `plain` the fields whose value stands without quotes.
    A field that occurs twice has its last value, as in most YAML readers; every reader of the app uses this rule.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()

    def text(self, key: str) -> str | None:
        """A field's text without surrounding blanks; None when it is missing, null or no text."""
        value = self.fields.get(key)
        if not isinstance(value, str) or self.is_null(key):
            return None
        return value.strip()

    def is_null(self, key: str) -> bool:
        """Whether the field is present without a value (`key:`, `key: ~`, `key: null`)."""
        return key in self.plain and self.fields.get(key) in _NULLS

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata map, empty when there is none."""
        value = self.fields.get("metadata")
        return value if isinstance(value, dict) else {}

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields the format does not know, in the file's order."""
        return tuple(key for key in self.fields if key not in KNOWN_FIELDS)

    def line(self, key: str) -> int | None:
        """The line of a field, None when it is missing."""
        return self.lines.get(key)
