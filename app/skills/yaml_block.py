"""Reads the YAML block of SKILL.md: scalars stay text, nothing is constructed, size, depth and aliases are bounded.

Uses libyaml's composer (PyYAML's C base loader), whose own nesting limit is 1,000; the walk over its nodes is ours.
"""

import re
from typing import Any

import yaml

from app.patterns import compiled
from app.skills.findings import Remarks
from app.skills.front_values import Front
from app.skills.repair import repair
from app.skills.values import QUOTE, Load, Severity

_BASE: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_MOST_DEPTH = 50
_MOST_VALUES = 20_000
_CORE = "tag:yaml.org,2002:"
_SAFE_TAGS = frozenset(
    _CORE + name for name in ("int", "float", "bool", "null", "binary", "timestamp", "omap", "set", "pairs")
)
_LANGUAGES = re.compile(r"^(?:!|tag:yaml\.org,2002:)(?:python|ruby|java|javascript|js|perl|php|net|lua)\b", re.I)
#: Characters YAML does not allow anywhere (YAML 1.1 §5.1); libyaml refuses them as well.
_FORBIDDEN = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"  # a set of code points


_TEXT = f"{_CORE}str"
_TAGS = {yaml.ScalarNode: _TEXT, yaml.SequenceNode: f"{_CORE}seq", yaml.MappingNode: f"{_CORE}map"}

_PLAIN_TAGS = frozenset(_TAGS.values())


class _Loader(_BASE):  # type: ignore[misc]  # the base is whichever of two loaders this machine has
    """The base loader without its search for tags by path and value, which takes half its time and finds nothing."""

    def resolve(self, kind: type[yaml.Node], value: object, implicit: object) -> str:  # noqa: ARG002
        """The tag of a node that names none."""
        return _TAGS[kind]

    def descend_resolver(self, current_node: object, current_index: object) -> None:
        """No tags depend on where a node stands."""

    def ascend_resolver(self) -> None:
        """No tags depend on where a node stands."""


def compose(text: str) -> yaml.Node | None:
    """The nodes of a YAML document. Raises yaml.YAMLError."""
    loader = _Loader(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
        return node
    finally:
        loader.dispose()


class _TooMuchError(Exception):
    """The walk over the nodes met its bound; carries the rule."""


def read_block(block: str, first_line: int, remarks: Remarks) -> Front | None:
    """Read the block whose first line is `first_line` of the file. None when it cannot be used; never raises."""
    block = _without_forbidden(block, first_line, remarks)
    try:
        node = compose(block)
    except yaml.YAMLError as error:
        mended = _mended(block, error, first_line, remarks)
        if mended is None:
            return None
        block, node = mended, compose(mended)
    if not isinstance(node, yaml.MappingNode):
        fix = "Write 'name: …' and 'description: …', one a line."
        remarks.add("FM.MAPPING", first_line, "The front matter holds no fields.", fix)
        return None
    builder = _Builder(first_line, remarks)
    if "&" in block:
        _note_anchors(block, first_line, remarks)
    try:
        return builder.front(node)
    except _TooMuchError as stop:
        rule = str(stop)
        text = "nests too deeply" if rule == "YAML.DEPTH" else "expands to too many values"
        remarks.add(rule, first_line, f"The front matter {text}.", "Simplify it.")
        return None


def compose_block(block: str) -> tuple[yaml.Node | None, frozenset[int]]:
    """The nodes of a block, and the 0-based lines that were mended where only quotes were missing.

    Lines of positions fit the block as it stands; columns do so except on mended lines.
    """
    clean = compiled(_FORBIDDEN).sub("\ufffd", block)
    try:
        return compose(clean), frozenset()
    except yaml.YAMLError:
        mended = repair(clean, parses)
    if mended is None:
        return None, frozenset()
    return compose(mended[0]), frozenset(line for _, line in mended[1])


def _without_forbidden(block: str, first_line: int, remarks: Remarks) -> str:
    found = compiled(_FORBIDDEN).search(block)
    if found is None:
        return block
    line = first_line + block.count("\n", 0, found.start())
    name = f"U+{ord(found.group()):04X}"
    remarks.add("FM.YAML", line, f"The character {name} is not allowed in YAML.", "Remove it.", load=Load.WARN)
    remarks.add("TXT.CONTROL", line, f"The front matter holds the control character {name}.", "Remove it.")
    return compiled(_FORBIDDEN).sub("\ufffd", block)


def _mended(block: str, error: yaml.YAMLError, first_line: int, remarks: Remarks) -> str | None:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or error).splitlines()[0]
    line = first_line + (mark.line if mark else 0)
    if "nesting depth" in problem:
        remarks.add("YAML.DEPTH", line, "The front matter nests too deeply.", "Simplify it.")
        return None
    mended = repair(block, parses)
    if mended is None:
        remarks.add(
            "FM.YAML", line, f"The front matter is not valid YAML: {problem}.", "Check quotes, colons, indents."
        )
        return None
    text, keys = mended
    for key, offset in keys:
        fix = f"{QUOTE} '{key}' in quotes."
        message = f"The value of '{key}' is not valid YAML without quotes; it is read as it stands."
        remarks.add("FM.YAML", first_line + offset, message, fix, load=Load.WARN)
    return text


def parses(text: str) -> bool:
    """Whether a piece of text is YAML."""
    try:
        compose(text)
    except yaml.YAMLError:
        return False
    return True


def _note_anchors(block: str, first_line: int, remarks: Remarks) -> None:
    for event in yaml.parse(block, Loader=_Loader):
        if getattr(event, "anchor", None):
            line = first_line + (event.start_mark.line if event.start_mark else 0)
            remarks.add("YAML.ALIAS", line, "An anchor or alias is used; some readers refuse it.", "Repeat the value.")
            return


class _Builder:
    """Turns nodes into texts, lists and maps within a budget."""

    def __init__(self, first_line: int, remarks: Remarks) -> None:
        self._first = first_line
        self._remarks = remarks
        self._left = _MOST_VALUES

    def front(self, node: yaml.MappingNode) -> Front:
        lines: dict[str, int] = {}
        plain: dict[str, bool] = {}
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                lines[key.value] = self._line(key)
                plain[key.value] = isinstance(value, yaml.ScalarNode) and not value.style
        fields = self._mapping(node, 1)
        return Front(fields, lines, frozenset(key for key, bare in plain.items() if bare))

    def _line(self, node: yaml.Node) -> int:
        return self._first + int(node.start_mark.line)

    def _value(self, node: yaml.Node, depth: int) -> Any:  # noqa: ANN401 - text, list or map of the same
        self._left -= 1
        if self._left < 0:
            raise _TooMuchError("YAML.BOMB")
        if isinstance(node, yaml.ScalarNode) and node.tag == _TEXT:
            return node.value
        if depth > _MOST_DEPTH:
            raise _TooMuchError("YAML.DEPTH")
        if node.tag not in _PLAIN_TAGS:
            return self._tagged(node, depth)
        return self._untagged(node, depth)

    def _untagged(self, node: yaml.Node, depth: int) -> Any:  # noqa: ANN401 - as above
        if isinstance(node, yaml.ScalarNode):
            return node.value
        if isinstance(node, yaml.SequenceNode):
            return [self._value(item, depth + 1) for item in node.value]
        return self._mapping(node, depth)

    def _tagged(self, node: yaml.Node, depth: int) -> Any:  # noqa: ANN401 - as above
        tag, line = str(node.tag), self._line(node)
        if _LANGUAGES.match(tag) or (tag.startswith(_CORE) and tag not in _SAFE_TAGS):
            text = f"The tag '{tag}' asks to build an object; nothing is built."
            self._remarks.add("YAML.TAG", line, text, "Remove the tag.", severity=Severity.ERROR, load=Load.SKIP)
            return self._untagged(node, depth)
        self._remarks.add("YAML.TAG", line, f"The value has the YAML tag '{tag}'.", "Put the value in quotes.")
        value = self._untagged(node, depth)
        if isinstance(value, str) and not tag.startswith(_CORE):
            return f"{tag} {value}".strip()
        return value

    def _mapping(self, node: yaml.Node, depth: int) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                text = "A field's name is a list or a map instead of a text."
                self._remarks.add("FM.YAML", self._line(key_node), text, "Put braces and brackets in quotes.")
                continue
            key = key_node.value
            value = self._value(value_node, depth + 1)
            if key == "<<" and not key_node.style:
                for part in reversed(value if isinstance(value, list) else [value]):
                    merged.update(part if isinstance(part, dict) else {})
                continue
            if key in own:
                text = f"The key '{key}' occurs twice; the last one counts."
                self._remarks.add("FM.DUPKEY", self._line(key_node), text, f"Remove one '{key}'.")
                del own[key]
            own[key] = value
        return {**merged, **own} if merged else own
