"""Hide secrets in values before they reach a log, a trajectory or an export.

Masks work on values, never on finished JSON text, and have one fixed length so that nothing of the secret shows. Three
kinds of rules: secrets that show by their own form (keys with a known beginning, private key blocks, signed tokens),
logins in addresses and headers, and values that stand under a telling name (`DB_PASSWORD=…`, `"apiKey": "…"`).
Commit ids, UUIDs, numbers and names of things are no secrets and stay. Every pattern begins at a place that is found
once per word, so that long hostile texts take linear time.
"""

import re
from collections.abc import Mapping
from typing import Any

from app.patterns import compiled

MASK = "[REDACTED]"

#: Secrets that show by their form: a text that must stand in them (found fast), and the pattern.
_FORMS = (
    (
        "PRIVATE KEY",
        r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    ("sk-", r"(?<![\w-])sk-(?:ant-|proj-|or-|live-|test-)?[A-Za-z0-9_-]{16,}"),
    ("k_", r"(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}"),
    ("gh", r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}"),
    ("github_pat_", r"(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}"),
    ("gl", r"(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt|oas)-[A-Za-z0-9_-]{16,}"),
    ("xox", r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("xapp-", r"(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]{10,}"),
    ("A", r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("AIza", r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}"),
    ("ya29.", r"(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}"),
    ("SG.", r"(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("_", r"(?<![A-Za-z0-9])(?:hf|gsk|r8)_[A-Za-z0-9]{20,}"),
    ("-", r"(?<![A-Za-z0-9])(?:xai|nvapi|pplx|tvly)-[A-Za-z0-9_-]{20,}"),
    ("npm_", r"(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}"),
    ("pypi-", r"(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{30,}"),
    ("dop_v1_", r"(?<![A-Za-z0-9])dop_v1_[a-f0-9]{40,}"),
    ("shp", r"(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("AGE-SECRET-KEY-1", r"(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    (":AA", r"(?<![A-Za-z0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ("eyJ", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{6,}"),
    ("hooks.slack.com", r"(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{20,}"),
)
_HEADER = r"(?i)(?<!\w)((?:proxy-)?authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:[a-z]+ {1,4})?)[^\s\"',;]{6,}"
_BEARER = r"(?i)(?<!\w)((?:bearer|basic) {1,4})(?=[^\s\"']{0,400}[0-9])[A-Za-z0-9._~+/=-]{12,}"
_LOGIN = r"(?i)(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}://[^\s:/@]{0,200}:)[^\s/@]{1,400}(@)"

_WORDS = (
    *("api[_-]?key", "secret", "token", "passw(?:or)?d", "pwd", "passphrase", "private[_-]?key"),
    *("access[_-]?key", "account[_-]?key", "credential"),
)
_TELLING = ("key", "secret", "token", "pass", "pwd", "credential")
_WORD = f"(?:{'|'.join(_WORDS)})"
#: A telling name: the word stands at its end, or before another part of the name (`token_id`, `secretKey`).
_REST = rf"{_WORD}s?(?:[_.-][\w.-]{{0,40}}|(?-i:[A-Z])\w{{0,40}})?"
_NAME = rf"(?<![\w.-])[\w.-]{{0,60}}?{_REST}"
#: What stands after a telling name without being a secret: a placeholder, a number, a name, code that reads it.
_HARMLESS = (
    r"(?!\[REDACTED\]|\$[{(A-Z_]|<|%\(|\{\{|(?:None|null|true|false|undefined)\b"
    r"|(?-i:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b(?!-))"
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[(\[]|(?:self|cls|args|opts|settings|config|options|os|env|process|request|ctx|this)\.)"
)
_NAMED = (
    rf"(?im)^([ \t]*(?:export |set )?{_NAME}=)(?![\"']){_HARMLESS}[^\s]{{6,}}",
    rf"(?i)({_NAME}[\"']?\s{{0,4}}[:=]\s{{0,4}}\")(?!\[REDACTED\]){_HARMLESS}(?:[^\"\\\n]|\\.){{6,400}}(?=\")",
    rf"(?i)({_NAME}[\"']?\s{{0,4}}[:=]\s{{0,4}}')(?!\[REDACTED\]){_HARMLESS}(?:[^'\\\n]|\\.){{6,400}}(?=')",
    # JSON or code inside a quoted text: its own quotes stand behind backslashes.
    (
        rf"(?i)({_NAME}(?:\\{{1,7}}[\"'])?\s{{0,4}}[:=]\s{{0,4}}\\{{1,7}}[\"']){_HARMLESS}"
        r"[^\"'\\\n]{6,400}(?=\\{1,7}[\"'])"
    ),
    rf"(?i)({_NAME}[\"']?\s{{0,4}}[:=]\s{{0,4}}){_HARMLESS}[^\s\"',;&\\)\]}}]{{6,}}",
    rf"(?i)(?<!\S)(--?[\w-]{{0,60}}?{_REST}[ =])(?!-){_HARMLESS}[^\s\"']{{6,}}",
)
_NUMBER = r"[\d.,_]+[km]?"
_SECRET_KEY = rf"(?i){_NAME}"
_SECRET_VALUE = rf"(?i){_HARMLESS}(?!$)"


def redact(text: str) -> str:
    """Replace everything in `text` that looks like a key, token or password by a mask of fixed length."""
    text = _by_form(text)
    small = text.lower()
    if any(word in small for word in _TELLING):
        for pattern in _NAMED:
            text = compiled(pattern).sub(_mask_value, text)
    return text


def redact_values(value: Any) -> Any:  # noqa: ANN401 - any JSON value in, the same shape out
    """Apply `redact` to every string inside a JSON value; texts under a telling key are masked whole."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {_by_form(str(key)): _under_key(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_values(item) for item in value]
    return value


def _mask_value(found: re.Match[str]) -> str:
    name, value = found.group(1), found.group()[found.end(1) - found.start() :]
    return found.group() if _is_count(name, value) else name + MASK


def _is_count(name: str, value: str) -> bool:
    """Whether a number stands under a name that counts tokens."""
    return "token" in name.lower() and compiled(_NUMBER).fullmatch(value) is not None


def _by_form(text: str) -> str:
    for needle, pattern in _FORMS:
        if needle in text:
            text = compiled(pattern).sub(MASK, text)
    small = text.lower()
    if "authorization" in small:
        text = compiled(_HEADER).sub(rf"\1{MASK}", text)
    if "bearer " in small or "basic " in small:
        text = compiled(_BEARER).sub(rf"\1{MASK}", text)
    return compiled(_LOGIN).sub(rf"\1{MASK}\2", text) if "://" in text else text


def _under_key(key: str, value: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, Mapping) and compiled(_SECRET_KEY).fullmatch(key):
        return _masked(key, value)
    return redact_values(value)


def _masked(key: str, value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        return value if _is_count(key, value) or not compiled(_SECRET_VALUE).match(value) else MASK
    if isinstance(value, list | tuple):
        return [_masked(key, item) for item in value]
    return value
