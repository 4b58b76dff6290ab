"""Writes skills out: as folders, or as one zip that is the same byte for byte whenever its content is the same."""

import io
import os
import secrets
import shutil
import zipfile
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from app.errors import AppError, Kind
from app.files import write_atomic
from app.history.values import Blob, BlobKind
from app.history.walk import write_folder

_EPOCH = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_MODES = {BlobKind.FILE: 0o100644, BlobKind.EXECUTABLE: 0o100755}


class Form(StrEnum):
    """How skills are written out. A `.skill` is a zip by another name."""

    FOLDER = "folder"
    ZIP = "zip"
    SKILL = "skill"


def form_of(dest: Path) -> Form:
    """The form a destination's name asks for."""
    endings = {".zip": Form.ZIP, ".skill": Form.SKILL}
    return endings.get(dest.suffix.lower(), Form.FOLDER)


def pack_zip(skills: Mapping[str, Mapping[str, Blob]]) -> bytes:
    """The skills, by folder name, as the bytes of a zip with one folder each; links are left out by the caller."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for folder in sorted(skills):
            for path in sorted(skills[folder]):
                blob = skills[folder][path]
                info = zipfile.ZipInfo(f"{folder}/{path}", _EPOCH)
                info.create_system = _UNIX
                info.external_attr = _MODES[blob.kind] << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, blob.data)
    return stream.getvalue()


def write_zip(dest: Path, skills: Mapping[str, Mapping[str, Blob]], *, replace: bool) -> None:
    """Write the zip to `dest`. Raises AppError(REFUSED) when something is there, AppError(STORAGE) when it fails."""
    _free(dest, replace=replace)
    write_atomic(dest, pack_zip(skills))


def write_out(dest: Path, files: Mapping[str, Blob], *, replace: bool) -> None:
    """Write one skill as the folder `dest`, whole or not at all: it is made beside it and renamed.

    Raises AppError(REFUSED) when something is there, AppError(STORAGE) when the disk refuses.
    """
    _free(dest, replace=replace)
    made = dest.with_name(f".{dest.name}.{secrets.token_hex(4)}.part")
    old = dest.with_name(f".{dest.name}.{secrets.token_hex(4)}.old")
    try:
        dest.parent.mkdir(parents=True, exist_ok=True)
        write_folder(made, files)
        if os.path.lexists(dest):
            dest.rename(old)
        made.rename(dest)
    except OSError as error:
        text = f"{dest} cannot be written: {error.strerror}. Choose another place, or free space."
        raise AppError(Kind.STORAGE, "Not exported", text) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _free(dest: Path, *, replace: bool) -> None:
    if not os.path.lexists(dest):
        return
    if not replace or dest.is_symlink():
        text = f"{dest} is there already. Choose another name, or say that it may be replaced."
        raise AppError(Kind.REFUSED, "Something is in the way", text)
