"""Cycle 4, the way out: skills as folders, zips or .skill files that come back byte for byte."""

import os
from collections.abc import Sequence
from pathlib import Path

from app.cycles.home import OpenHome
from app.errors import AppError, Kind
from app.exchange.limits import is_litter
from app.exchange.packing import Form, form_of, write_out, write_zip
from app.exchange.values import ExportReport
from app.history.values import Blob, BlobKind
from app.skills.content import read_content
from app.skills.resolve import find
from app.skills.values import Skill, State

_LARGEST = 64_000_000
_LEFT_OUT = {BlobKind.LINK: "a link; links are never exported"}


def export(
    open_home: OpenHome, names: Sequence[str], dest: Path, form: Form | None = None, *, replace: bool = False
) -> ExportReport:
    """Write skills out. A folder `dest` gets one folder each; a zip has one folder each at its top.

    Links, generated folders and what a system leaves behind are left out and named. Raises AppError(USAGE) for a place
    inside the library, AppError(REFUSED) when something is there already, AppError(STORAGE) when the disk refuses; then
    nothing is written.
    """
    library = open_home.library()
    skills = [find(library, name) for name in dict.fromkeys(names)]
    whole = dest.expanduser().absolute()
    _not_into_the_library(open_home, whole)
    kind = form or form_of(whole)
    contents: dict[str, dict[str, Blob]] = {}
    left_out: list[tuple[str, str, str]] = []
    for skill in skills:
        folder = skill.name if skill.state is State.ARCHIVED else skill.id.rpartition("/")[2]
        if folder in contents:
            text = f"Two of these skills lie in a folder called {folder}. Export them one by one."
            raise AppError(Kind.USAGE, "Two folders of one name", text)
        contents[folder] = _plain(skill, left_out)
    if kind is Form.FOLDER:
        where = _write_folders(whole, contents, replace=replace)
    else:
        where = [_zip_place(whole, kind, contents)] * len(contents)
        write_zip(where[0], contents, replace=replace)
    sizes = (sum(len(blob.data) for blob in files.values()) for files in contents.values())
    done = tuple((skill.name, str(at), size) for skill, at, size in zip(skills, where, sizes, strict=True))
    return ExportReport(str(whole), str(kind), done, tuple(left_out))


def _write_folders(dest: Path, contents: dict[str, dict[str, Blob]], *, replace: bool) -> list[Path]:
    places = [dest / folder for folder in contents]
    if len(contents) == 1 and dest.name in contents and not dest.is_dir():
        places = [dest]
    taken = next((place for place in places if os.path.lexists(place)), None)
    if taken is not None and not replace:
        text = f"{taken} is there already. Choose another place, or say that it may be replaced."
        raise AppError(Kind.REFUSED, "Something is in the way", text)
    for place, files in zip(places, contents.values(), strict=True):
        write_out(place, files, replace=replace)
    return places


def _zip_place(dest: Path, form: Form, contents: dict[str, dict[str, Blob]]) -> Path:
    if not dest.is_dir():
        return dest
    name = next(iter(contents)) if len(contents) == 1 else "skills"
    return dest / f"{name}.{form.value}"


def _plain(skill: Skill, left_out: list[tuple[str, str, str]]) -> dict[str, Blob]:
    content = read_content(skill, _LARGEST)
    files: dict[str, Blob] = {}
    for path, blob in content.files.items():
        why = _LEFT_OUT.get(blob.kind) or ("left there by a system" if is_litter(path) else "")
        if why:
            left_out.append((skill.name, path, why))
        else:
            files[path] = blob
    for item in content.not_kept:
        if item.why in {"too large", "too many files"} or item.why.startswith("cannot be read"):
            text = f"{item.path} of {skill.name} is not exported ({item.why}), so it would not be whole."
            raise AppError(Kind.STORAGE, "Not exported", f"{text} Make the file readable or smaller.")
        left_out.append((skill.name, item.path, item.why))
    if not files:
        raise AppError(Kind.INVALID, "Nothing to export", f"{skill.name} has no file of its own.")
    return files


def _not_into_the_library(open_home: OpenHome, dest: Path) -> None:
    store, place = os.path.realpath(open_home.home.skills), os.path.realpath(dest)
    if place == store or place.startswith(store + os.sep):
        text = f"{dest} lies in the library. Name a place outside of it."
        raise AppError(Kind.USAGE, "Not into the library", text)
