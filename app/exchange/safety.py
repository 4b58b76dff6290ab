"""The safety read: everything in a skill that can run, hide, fetch or speak to the model, named by rule, file and line.

Nothing is run or opened for it; it reads the bytes that would be imported.
"""

from collections.abc import Iterator, Mapping

from app.exchange.safety_rules import PROGRAMS, RUNNING_FIELDS, SCRIPT_ENDINGS, TEXT_RULES
from app.exchange.values import Hint, Risk
from app.history.values import Blob
from app.redact import MASK, redact
from app.skills.content import is_script, skill_file
from app.skills.parse import parse_skill
from app.text.invisible import hidden, mark, terminal_safe
from app.text.suspicious import instruction_like

_EXCERPT = 160
#: So many hints of one rule in one file are listed; the rest is in their number.
_MOST = 5
_ORDER = {Risk.DANGER: 0, Risk.CAUTION: 1, Risk.CLEAR: 2}
_BIDI = frozenset({*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x061C, 0x200E, 0x200F})
_TAGS = range(0xE0000, 0xE1000)
_POINTER = b"version https://git-lfs.github.com/spec/"
_BYTE = "BYTE THAT IS NO UTF-8"


def read_safety(files: Mapping[str, Blob], folder: str) -> tuple[Hint, ...]:
    """All hints about a skill's files, the worst first, then by file and line."""
    found = list(_fields(files, folder))
    for path in sorted(files):
        found += _file(path, files[path])
    return tuple(sorted(found, key=lambda hint: (_ORDER[hint.risk], hint.rule, hint.file, hint.line or 0)))


def worst(hints: tuple[Hint, ...]) -> Risk:
    """The worst of the hints; clear when there is none."""
    return min((hint.risk for hint in hints), key=_ORDER.__getitem__, default=Risk.CLEAR)


def _file(path: str, blob: Blob) -> Iterator[Hint]:
    program = next((what for start, what in PROGRAMS if blob.data.startswith(start)), None)
    if program is not None:
        yield Hint("SAFE.PROGRAM", Risk.DANGER, path, None, f"This file is {program}; what it does cannot be read.")
        return
    if is_script(path, blob) or path.lower().endswith(SCRIPT_ENDINGS):
        text = "This file can be run. Melete never runs it; an agent may."
        yield Hint("SAFE.SCRIPT", Risk.CAUTION, path, None, text)
    if blob.data.startswith(_POINTER):
        text = "This file only names its content, which lies in Git LFS and does not come along."
        yield Hint("SAFE.POINTER", Risk.CAUTION, path, 1, text)
    if b"\0" in blob.data[:8192]:
        return
    text = blob.data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    yield from _patterns(path, text)
    yield from _hidden(path, text)
    yield from _orders(path, text)
    yield from _secrets(path, text)


def _patterns(path: str, text: str) -> Iterator[Hint]:
    small = text.lower()
    for rule in TEXT_RULES:
        if not any(needle in small for needle in rule.needles):
            continue
        for number, found in enumerate(rule.pattern.finditer(text)):
            if number >= _MOST:
                break
            at = found.start() + len(found.group()) - len(found.group().lstrip())
            yield Hint(rule.id, rule.risk, path, _line_of(text, at), rule.message, _line_at(text, at))


def _hidden(path: str, text: str) -> Iterator[Hint]:
    """Hidden characters, one hint a line: those that turn text around or carry a second text are a danger."""
    told: set[int] = set()
    for at, code, name in hidden(text):
        line = _line_of(text, at)
        if line in told or name == _BYTE or text[at] == "\r":
            continue
        told.add(line)
        if len(told) > _MOST:
            return
        grave = code in _BIDI or code in _TAGS
        message = f"There is a character nobody sees: {name.capitalize()} {mark(code)}."
        risk = Risk.DANGER if grave else Risk.CAUTION
        yield Hint("SAFE.HIDDEN", risk, path, line, message, _line_at(text, at))


def _orders(path: str, text: str) -> Iterator[Hint]:
    why = instruction_like(text)
    if why is None:
        return
    lines = text.splitlines()
    line = next((number for number, one in enumerate(lines, 1) if instruction_like(one) is not None), None)
    shown = _shown(lines[line - 1]) if line else ""
    message = f"The text speaks to the model as an order: {why}."
    yield Hint("SAFE.ORDER", Risk.DANGER, path, line, message, shown)


def _secrets(path: str, text: str) -> Iterator[Hint]:
    if redact(text) == text:
        return
    found = 0
    for number, line in enumerate(text.splitlines(), 1):
        masked = redact(line)
        if masked != line and MASK in masked:
            found += 1
            if found > _MOST:
                return
            message = "This looks like a key, a token or a password that came along."
            yield Hint("SAFE.SECRET.HELD", Risk.CAUTION, path, number, message, _shown(masked))


def _fields(files: Mapping[str, Blob], folder: str) -> Iterator[Hint]:
    path = skill_file(files)
    if path not in files:
        return
    front = parse_skill(files[path].data, folder).front
    for name in RUNNING_FIELDS:
        if name in front.fields:
            text = f"The field {name!r} makes other agents run something or ask for rights."
            yield Hint("SAFE.FIELD", Risk.CAUTION, path, front.line(name), text)
    tools = front.text("allowed-tools") or ""
    if "*" in tools.split() or "Bash" in tools.replace(",", " ").split() or "Bash(*)" in tools:
        text = "It asks to use every command without a question."
        yield Hint("SAFE.FIELD", Risk.CAUTION, path, front.line("allowed-tools"), text, _shown(tools))


def _line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _line_at(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    begin = max(start, at - 60)
    return _shown(text[begin : end if end >= 0 else len(text)][: _EXCERPT * 2])


def _shown(text: str) -> str:
    shown = redact(terminal_safe(text.strip(), one_line=True))
    return shown if len(shown) <= _EXCERPT else f"{shown[: _EXCERPT - 1]}…"
