"""What a link in a text may do: one table for all Markdown, used when it is drawn and again when it is clicked."""

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WEB = ("https://", "http://", "mailto:")
_OWN = ("skill", "proposal", "session", "entry", "run", "memory", "action")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\]")


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link leads.

    `kind` is `web` (target: the whole address), `anchor` (a heading's slug), `file` (a path below the library root,
    with `#slug` when given), one of the program's own kinds (`skill`, `proposal`, `session`, `entry`, `run`, `memory`,
    `action`: target is its id), or `inert`.
    """

    kind: str
    target: str = ""


INERT = Link("inert")


def classify(href: str, base: str | None = None, *, own: bool = False) -> Link:
    """Sort one address.

    `base` is the path of the shown file below its library root (`category/skill/references/a.md`); without it
    relative addresses are inert. `own` allows the program's own addresses (`skill:name`), for texts it wrote itself.
    """
    if not href or _UNSAFE.search(href) or href.startswith("//"):
        return INERT
    if href.startswith("#"):
        return Link("anchor", unquote(href[1:]))
    if _SCHEME.match(href):
        return _with_scheme(href, own=own)
    if base is None or href.startswith(("/", "~", "?")):
        return INERT
    return _relative(href, base)


def _with_scheme(href: str, *, own: bool) -> Link:
    if href.lower().startswith(_WEB):
        return Link("web", href)
    scheme, _, rest = href.partition(":")
    if own and scheme in _OWN and rest:
        return Link(scheme, unquote(rest))
    return INERT


def _relative(href: str, base: str) -> Link:
    path, _, anchor = href.partition("#")
    path = unquote(path.partition("?")[0])
    if not path or _UNSAFE.search(path) or path.startswith("/") or _SCHEME.match(path):
        return INERT
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(base), path))
    if whole == ".." or whole.startswith(("../", "/")):
        return INERT
    return Link("file", f"{whole}#{unquote(anchor)}" if anchor else whole)
