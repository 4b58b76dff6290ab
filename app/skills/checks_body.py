"""Advice about a skill's body: its length and the files it points to. Only names are compared, nothing is opened."""

import posixpath
import re
from collections.abc import Collection, Sequence
from urllib.parse import unquote

from app.skills.findings import Remarks
from app.skills.front_values import Front

_MOST_LINES = 500
_MOST_TOKENS = 5000
_READ_CHARS = 200_000
#: A token is about four characters of English text.
CHARS_PER_TOKEN = 4
#: The offset of an inline link's target in the body, and the target.
Target = tuple[int, str]

_CODE = re.compile(r"^(```+|~~~+)[^\n]*\n.*?(?:^\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]{1,500})>?")
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-]+:", re.I)
_DRIVE = re.compile(r"[a-z]:[\\/]", re.I)
_LICENSE_FILE = re.compile(r"\b((?:LICEN[SC]E|COPYING|NOTICE)(?:[._\-][\w.\-]*\w)?\.(?:txt|md|rst)|LICENSE-[\w\-]+)\b")


def check_body(body: str, body_line: int, remarks: Remarks) -> None:
    """Advise on a body that costs a model more than the format recommends."""
    lines = body_line - 1 + body.count("\n") + (not body.endswith("\n") and bool(body))
    if lines > _MOST_LINES:
        remarks.add(
            "BODY.LINES", None, f"SKILL.md has {lines} lines; {_MOST_LINES} are advised.", "Move parts to files."
        )
    tokens = len(body) // CHARS_PER_TOKEN
    if tokens > _MOST_TOKENS:
        text = f"The body has about {tokens} tokens; {_MOST_TOKENS} are advised."
        remarks.add("BODY.TOKENS", None, text, "Move parts to files below references/.")


def link_targets(body: str) -> list[Target]:
    """The targets of inline links outside code blocks, each with its offset in `body`."""
    if "](" not in body:
        return []
    text = body[:_READ_CHARS]
    if "```" in text or "~~~" in text:
        text = _CODE.sub(lambda found: " " * len(found.group()), text)
    return [(found.start(1), found.group(1)) for found in _LINK.finditer(text)]


def check_references(
    front: Front, body: str, body_line: int, targets: Sequence[Target], files: Collection[str], remarks: Remarks
) -> None:
    """Advise on links and licence names that lead nowhere or out of the skill; `files` are its POSIX paths."""
    for offset, target in targets:
        if target not in files:
            line = body_line + body.count("\n", 0, offset)
            _check_target(target, line, files, remarks)
    named = _LICENSE_FILE.search(front.text("license") or "")
    if named and named.group(1) not in files:
        text = f"The licence names the file '{named.group(1)}', which is not in the skill."
        remarks.add("LIC.REF_MISSING", front.line("license"), text, "Add the file.")


def _check_target(target: str, line: int, files: Collection[str], remarks: Remarks) -> None:
    shown = target[:80]
    if _DRIVE.match(target) or target.startswith(("/", "~")):
        if not target.startswith("//"):
            remarks.add(
                "REF.ABSOLUTE", line, f"The link '{shown}' is an absolute path.", "Write it relative to the skill."
            )
        return
    if target.startswith("#") or _SCHEME.match(target):
        return
    path = unquote(re.split("[#?]", target, maxsplit=1)[0])
    if "\\" in path:
        remarks.add("REF.BACKSLASH", line, f"The link '{shown}' has backslashes.", "Use forward slashes.")
        path = path.replace("\\", "/")
    whole = posixpath.normpath(path)
    if whole == ".." or whole.startswith(("../", "/")):
        remarks.add("REF.ESCAPE", line, f"The link '{shown}' leads out of the skill.", "Keep files inside the skill.")
    elif whole not in (".", "SKILL.md") and whole not in files and not _is_folder(whole, files):
        remarks.add("REF.MISSING", line, f"The link '{shown}' leads to a file that is not there.")


def _is_folder(path: str, files: Collection[str]) -> bool:
    return any(file.startswith(path + "/") for file in files)
