"""Understands what the user names as a source: a folder, an archive, a bare repository or an address."""

import re
import zipfile
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import pygit2

from app.errors import AppError, Kind
from app.exchange.values import Location, SourceKind
from app.files import safe_parts

_SAFE = ("https",)
_OPEN = ("http", "git")
_SSH = re.compile(r"(?:ssh|git\+ssh)://|[\w.-]+@[\w.-]+:")
#: Pages of a folder on the large hosts: the repository, the branch, the folder.
_PAGE = re.compile(r"(?P<repo>/[^/]+/[^/]+?)(?:\.git)?/(?:-/)?tree/(?P<ref>[^/]+)(?:/(?P<inside>.+?))?/?")


def locate(text: str, *, insecure: bool = False) -> Location:
    """The source a text means. `insecure` lets plain http and git addresses pass.

    Raises AppError(USAGE) for an address that is not taken, AppError(NOT_FOUND) for a path that does not exist,
    AppError(INVALID) for a file that is no archive.
    """
    wanted = text.strip()
    if _SSH.match(wanted):
        told = "Addresses over ssh need your keys, which are not used here. Clone it yourself and import the folder."
        raise AppError(Kind.USAGE, "Not over ssh", told)
    if wanted.lower().startswith("file://"):
        return _local(Path(unquote(urlsplit(wanted).path)))
    if "://" in wanted:
        return _remote(wanted, insecure=insecure)
    return _local(Path(wanted).expanduser())


def is_bare_repository(folder: Path) -> bool:
    """Whether a folder is a git repository without a work tree. Nothing of it is obeyed."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _local(path: Path) -> Location:
    whole = path.absolute()
    if not whole.exists():
        raise AppError(Kind.NOT_FOUND, "No such source", f"{whole} does not exist. Check the path and try again.")
    real = whole.resolve()
    if real.is_dir():
        kind = SourceKind.GIT if is_bare_repository(real) else SourceKind.FOLDER
        return Location(kind, str(real))
    if real.name.casefold() == "skill.md":
        return Location(SourceKind.FOLDER, str(real.parent))
    if real.is_file() and zipfile.is_zipfile(real):
        return Location(SourceKind.ZIP, str(real))
    told = f"{whole} is no zip or .skill archive, no folder and no repository. Unpack it and import its folder."
    raise AppError(Kind.INVALID, "Nothing to import from", told)


def _remote(text: str, *, insecure: bool) -> Location:
    parts = urlsplit(text)
    scheme = parts.scheme.lower()
    if scheme not in (*_SAFE, *_OPEN):
        told = f"{scheme}:// is not supported. Give an https:// address of a git repository, or a path."
        raise AppError(Kind.USAGE, "Unknown kind of address", told)
    if scheme in _OPEN and not insecure:
        told = (
            f"{scheme}:// can be read and changed on the way. Use https://, or allow such addresses (--allow-insecure)."
        )
        raise AppError(Kind.USAGE, "Not a safe address", told)
    if "@" in parts.netloc:
        told = "The address holds a login, which would be stored with the skill. Leave it out."
        raise AppError(Kind.USAGE, "An address with a login", told)
    if not parts.hostname or not parts.path.strip("/"):
        raise AppError(Kind.USAGE, "Not an address", f"{text!r} names no repository. Give https://host/owner/name.")
    page = _PAGE.fullmatch(parts.path)
    ref, _, inside = parts.fragment.partition(":")
    path = parts.path.rstrip("/")
    if page is not None:
        path, ref, inside = page["repo"], ref or unquote(page["ref"]), inside or unquote(page["inside"] or "")
    if inside:
        inside = "/".join(safe_parts(inside.strip("/")))
    if ref and not pygit2.reference_is_valid_name(f"refs/heads/{ref}"):
        raise AppError(Kind.USAGE, "Not a branch", f"{ref!r} cannot be a branch or a tag.")
    return Location(SourceKind.GIT, urlunsplit((scheme, parts.netloc, path, "", "")), ref, inside)
