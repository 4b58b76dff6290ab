"""Hide secrets in values before they reach a log, a trajectory or an export.

Masks work on values, never on finished JSON text, and have one fixed length so that nothing of the secret shows.
"""

import re
from collections.abc import Mapping
from typing import Any

MASK = "[REDACTED]"

_NAMED = re.compile(
    r"""(?ix)
    ( (?:[\w.-]*(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|private[_-]?key|access[_-]?key|credential)[\w.-]*) ["']? \s* [:=] \s* ["']? )
    ( (?! \[REDACTED\] | \$\{ | < | os\.environ | None\b | null\b | true\b | false\b ) [^\s"',;&\\}\])]{6,} )
    """
)
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        r"\bsk-(?:ant-|proj-|or-|live-|test-)?[A-Za-z0-9_-]{16,}",
        r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}",
        r"\bgithub_pat_[A-Za-z0-9_]{20,}",
        r"\bglpat-[A-Za-z0-9_-]{16,}",
        r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\bAIza[A-Za-z0-9_-]{30,}",
        r"\bhf_[A-Za-z0-9]{20,}",
        r"\bnpm_[A-Za-z0-9]{30,}",
        r"\bpypi-[A-Za-z0-9_-]{30,}",
        r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{6,}",
    )
)
_BEARER = re.compile(r"(?i)\b((?:authorization\s*:\s*)?(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{12,}")
_URL_LOGIN = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]+:)[^\s/@]+(@)")


def redact(text: str) -> str:
    """Replace everything in `text` that looks like a key, token or password by a mask of fixed length."""
    for pattern in _PATTERNS:
        text = pattern.sub(MASK, text)
    text = _BEARER.sub(rf"\1{MASK}", text)
    text = _URL_LOGIN.sub(rf"\1{MASK}\2", text)
    return _NAMED.sub(rf"\1{MASK}", text)


def redact_values(value: Any) -> Any:  # noqa: ANN401 - any JSON value in, the same shape out
    """Apply `redact` to every string inside a JSON value, keys excepted; a value under a telling key is masked whole."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: _under_key(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_values(item) for item in value]
    return value


def _under_key(key: str, value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, str) and value and _NAMED.fullmatch(f"{key}={value}"):
        return MASK
    return redact_values(value)
