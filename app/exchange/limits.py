"""How much a source may hold, and which paths may come in: everything is checked before a byte is taken over."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from app.errors import AppError, Kind
from app.history.walk import GENERATED
from app.skills.names import folded
from app.skills.naming import file_problem

#: What other programs leave in archives and folders; it is no part of a skill.
LITTER = frozenset({".ds_store", "thumbs.db", "desktop.ini", "__macosx"})


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds of one source: bytes of the archive or transfer, of everything unpacked, of one file; how many files
    and skills; how many times larger than packed a file may be.
    """

    packed: int = 100_000_000
    unpacked: int = 200_000_000
    file: int = 2_000_000
    files: int = 20_000
    skills: int = 2_000
    ratio: int = 200


class Budget:
    """Counts what was taken from a source and stops at the limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._bytes = 0
        self._files = 0

    def take(self, size: int) -> None:
        """Count one file of `size` bytes. Raises AppError(INVALID) when the source is too large."""
        self._bytes += size
        self._files += 1
        if self._files > self._limits.files:
            raise too_large(f"It holds more than {self._limits.files:,} files.")
        if self._bytes > self._limits.unpacked:
            raise too_large(f"It holds more than {self._limits.unpacked // 1_000_000} MB.")


def too_large(why: str) -> AppError:
    """The error for a source that passes a limit."""
    return AppError(Kind.INVALID, "Too large to import", f"{why} Import a smaller part of it.")


def is_litter(path: str) -> bool:
    """Whether a path belongs to what programs generate or leave behind."""
    return any(part in GENERATED or part.casefold() in LITTER for part in path.split("/"))


def path_problem(path: str) -> str:
    """Why a file of a skill may not have this path, in a sentence; empty when it may."""
    if any(part != part.rstrip(" .") for part in path.split("/")):
        return f"{path!r} has a name that ends with a dot or a blank, which some systems drop."
    if any(ord(char) < 32 or char == "\x7f" or 0xD800 <= ord(char) <= 0xDFFF for char in path):
        return f"{path!r} holds control characters or bytes that are no text."
    return file_problem(path, by_user=True)


def twins(paths: Iterable[str]) -> tuple[str, ...]:
    """Paths that are the same for a disk that knows no case or no composed letters, or a file that is a folder, too."""
    names = list(paths)
    parents = {path[:cut] for path in names for cut, char in enumerate(path) if char == "/"}
    spellings: dict[str, set[str]] = {}
    for parent in parents:
        spellings.setdefault(folded(parent), set()).add(parent)
    doubled = Counter(folded(path) for path in names)
    clashing = {key for key, count in doubled.items() if count > 1}
    clashing |= {key for key in doubled if key in spellings}
    clashing |= {key for key, found in spellings.items() if len(found) > 1}
    return tuple(sorted(path for path in {*names, *parents} if folded(path) in clashing))
