"""What the built-in engine does next: say something, call tools, or both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call: the tool's name and its arguments."""

    name: str
    input: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of the engine. Without calls it ends the turn."""

    text: str = ""
    calls: tuple[Call, ...] = ()
