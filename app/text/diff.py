"""Differences of texts and the choice of hunks.

libgit2 finds the changed lines (no repository, no attributes, no rename guessing), so a text of megabytes takes
milliseconds; the lines shown are cut from the given bytes themselves, so that choosing hunks gives exact bytes back.
"""

import hashlib
from collections.abc import Collection, Mapping

import pygit2
from pygit2.enums import DiffOption

from app.errors import AppError, Kind
from app.text.values import FileDiff, FileStatus, Hunk, Line, LineKind
from app.text.words import mark_words

_CONTEXT = 3
#: As git does it: a NUL byte this early makes a file binary.
_BINARY_PROBE = 8000
#: Nobody reads word marks beyond this many hunks of one file, and finding them would take seconds.
_HUNKS_WITH_WORDS = 500
#: The same for the lines of one file's hunks, counted up to the hunk.
_LINES_WITH_WORDS = 4000
_ORIGINS = {" ": LineKind.CONTEXT, "+": LineKind.ADDED, "-": LineKind.REMOVED}


def diff_files(
    old: Mapping[str, bytes], new: Mapping[str, bytes], modes: Mapping[str, str] | None = None
) -> tuple[FileDiff, ...]:
    """Differences of two folders given as path to bytes, changed files only, in path order.

    `modes` names changes of execute bit or link per path; a file in it is listed even when its bytes are equal.
    """
    said = modes or {}
    changed = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path) or path in said]
    return tuple(diff_text(path, old.get(path), new.get(path), mode=said.get(path, "")) for path in changed)


def diff_text(path: str, old: bytes | None, new: bytes | None, *, mode: str = "") -> FileDiff:
    """The difference of one file; None on a side means that it does not exist there.

    Bytes that are not UTF-8 appear as surrogate escapes in the lines and come back unchanged. Line ends are kept
    apart from the text of a line (`Line.end`), so a changed line end is a changed line.
    """
    before, after = old or b"", new or b""
    binary = _is_binary(before) or _is_binary(after)
    hunks, between = ((), ()) if binary or before == after else _hunks(path, before, after)
    return FileDiff(
        path=path,
        status=_status(old, new),
        hunks=hunks,
        between=between,
        binary=binary,
        old_size=len(before),
        new_size=len(after),
        old_hash=hashlib.sha256(before).hexdigest() if old is not None else "",
        new_hash=hashlib.sha256(after).hexdigest() if new is not None else "",
        mode=mode,
    )


def apply_hunks(old: bytes, diff: FileDiff, chosen: Collection[str]) -> bytes:
    """The old bytes with only the chosen hunks applied: all of them give the new bytes, none the old ones.

    Raises AppError(INVALID) for a binary difference (it can only be taken whole), for an id that is no hunk of it, and
    when `old` is not the text the difference was made from.
    """
    unknown = set(chosen) - {hunk.id for hunk in diff.hunks}
    if diff.binary or unknown:
        text = f"{diff.path} has no such part to choose. Decide about the whole file, or load the difference again."
        raise AppError(Kind.INVALID, "Part not found", text, detail=", ".join(sorted(unknown)))
    lines = split_lines(old)
    result: list[str] = []
    position = 0
    for hunk in diff.hunks:
        start = _first_index(hunk)
        before = [line.text + line.end for line in hunk.lines if line.kind is not LineKind.ADDED]
        if lines[start : start + hunk.old_count] != before:
            text = f"{diff.path} has changed since this difference was made. Load the difference again."
            raise AppError(Kind.INVALID, "The file has moved on", text)
        result += lines[position:start]
        result += _side(hunk, new=hunk.id in chosen)
        position = start + hunk.old_count
    result += lines[position:]
    return "".join(result).encode("utf-8", "surrogateescape")


def split_lines(data: bytes) -> list[str]:
    """Lines with their ends, cut after LF only (as git does); joined and encoded the same way they give `data` back."""
    text = data.decode("utf-8", "surrogateescape")
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _is_binary(data: bytes) -> bool:
    return b"\0" in data[:_BINARY_PROBE]


def _status(old: bytes | None, new: bytes | None) -> FileStatus:
    if old is None:
        return FileStatus.ADDED
    return FileStatus.REMOVED if new is None else FileStatus.MODIFIED


def _hunks(path: str, old: bytes, new: bytes) -> tuple[tuple[Hunk, ...], tuple[tuple[str, ...], ...]]:
    """The hunks, and the runs of unchanged lines before, between and after them."""
    patch = pygit2.Patch.create_from(old, new, flag=DiffOption.FORCE_TEXT, context_lines=_CONTEXT)
    old_lines, new_lines = split_lines(old), split_lines(new)
    hunks: list[Hunk] = []
    between: list[tuple[str, ...]] = []
    end = lines = 0
    for raw in patch.hunks:
        lines += raw.old_lines + raw.new_lines
        words = len(hunks) < _HUNKS_WITH_WORDS and lines < _LINES_WITH_WORDS
        hunk = _hunk(path, raw, old_lines, new_lines, words=words)
        start = _first_index(hunk)
        between.append(tuple(old_lines[end:start]))
        end = start + hunk.old_count
        hunks.append(hunk)
    return tuple(hunks), (*between, tuple(old_lines[end:]))


def _hunk(path: str, raw: pygit2.DiffHunk, old_lines: list[str], new_lines: list[str], *, words: bool) -> Hunk:
    lines = []
    for item in raw.lines:
        kind = _ORIGINS.get(item.origin)
        if kind is None:  # a remark about a missing line end at the end of the file: Line.end says it
            continue
        old_number = item.old_lineno if kind is not LineKind.ADDED else None
        new_number = item.new_lineno if kind is not LineKind.REMOVED else None
        whole = old_lines[item.old_lineno - 1] if new_number is None else new_lines[item.new_lineno - 1]
        end = _line_end(whole)
        lines.append(Line(kind, whole[: len(whole) - len(end)], old_number, new_number, end=end))
    digest = hashlib.sha256(f"{path}\0{raw.old_start}\0{raw.new_start}".encode("utf-8", "surrogateescape"))
    for line in lines:
        digest.update(f"{line.kind}{line.text}{line.end}".encode("utf-8", "surrogateescape"))
    return Hunk(
        id=digest.hexdigest()[:12],
        old_start=raw.old_start,
        old_count=raw.old_lines,
        new_start=raw.new_start,
        new_count=raw.new_lines,
        lines=mark_words(lines) if words else tuple(lines),
    )


def _line_end(line: str) -> str:
    if line.endswith("\r\n"):
        return "\r\n"
    return "\n" if line.endswith("\n") else ""


def _first_index(hunk: Hunk) -> int:
    # A hunk that removes nothing names the line it follows; any other names its first line.
    return hunk.old_start if hunk.old_count == 0 else hunk.old_start - 1


def _side(hunk: Hunk, *, new: bool) -> list[str]:
    left_out = LineKind.REMOVED if new else LineKind.ADDED
    return [line.text + line.end for line in hunk.lines if line.kind is not left_out]
