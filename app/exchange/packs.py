"""Finds the skills among the paths of a source and reads them within the limits; what is no skill is never read.

A folder with SKILL.md is a skill and everything below belongs to it, as in the library. Links, devices, submodules and
what programs generate are left out and named.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from app.cancel import CancelToken
from app.exchange.limits import Budget, Limits, is_litter, path_problem, too_large, twins
from app.exchange.values import LeftOut, Pack
from app.history.values import Blob, BlobKind
from app.skills.content import skill_file
from app.skills.names import nfc

_NAMED = 3
LINK = "a link; links are never imported"
LITTER = "generated, or left there by a system"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in a listed source: `kind` is None for what is no file (`what` says what it is), `size` and `read` give
    bytes when they are asked for.
    """

    kind: BlobKind | None
    size: Callable[[], int]
    read: Callable[[], bytes]
    what: str = "not a file"


def skill_roots(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders that are skills, outermost ones only, sorted; the empty text is the source itself."""
    found = {path.rpartition("/")[0] for path in paths if _is_skill_file(path) and not is_litter(path)}
    return tuple(sorted(root for root in found if not any(above in found for above in _above(root))))


def read_packs(
    items: Mapping[str, Item], own_name: str, limits: Limits, token: CancelToken, inside: str = ""
) -> tuple[Pack, ...]:
    """Every skill among these items, at or below `inside`. `own_name` names a source that is a skill itself.

    Raises AppError(INVALID) when the source passes a limit, and what reading an item raises.
    """
    start = f"{inside}/" if inside else ""
    roots = skill_roots(path.removeprefix(start) for path in items if path.startswith(start))
    if len(roots) > limits.skills:
        raise too_large(f"It holds more than {limits.skills:,} skills.")
    below: dict[str, dict[str, Item]] = {root: {} for root in roots}
    for path, item in items.items():
        short = path.removeprefix(start)
        root = next((one for one in (*_above(short), "") if one in below), None) if path.startswith(start) else None
        if root is not None:
            below[root][short[len(root) + 1 :] if root else short] = item
    budget = Budget(limits)
    packs = []
    for root in roots:
        token.check()
        where = "/".join(part for part in (inside, root) if part)
        packs.append(_read(where, where.rpartition("/")[2] or own_name, below[root], budget, limits))
    return tuple(packs)


def make_pack(path: str, folder: str, files: Mapping[str, Blob], left_out: Iterable[LeftOut], problem: str) -> Pack:
    """A pack from what was read, with the first thing that is wrong about its paths as its problem."""
    own = files.get(skill_file(files))
    wrong = next((text for text in map(path_problem, files) if text), "")
    same = twins(files)
    if own is None:
        problem = problem or "It has no readable SKILL.md of its own (links are not followed)."
    elif wrong:
        problem = problem or wrong
    elif same:
        names = ", ".join(same[:_NAMED])
        problem = problem or f"Some disks cannot tell {names} apart. Rename one of them at the source."
    return Pack(path, nfc(folder), dict(files), tuple(left_out), problem)


def _read(path: str, folder: str, items: Mapping[str, Item], budget: Budget, limits: Limits) -> Pack:
    files: dict[str, Blob] = {}
    left_out: list[LeftOut] = []
    problem = ""
    for name, item in sorted(items.items()):
        if is_litter(name):
            left_out.append(LeftOut(name, LITTER))
        elif item.kind is None or item.kind is BlobKind.LINK:
            left_out.append(LeftOut(name, LINK if item.kind is BlobKind.LINK else item.what))
        elif item.size() > limits.file:
            problem = problem or over_limit(name, item.size(), limits)
        else:
            budget.take(item.size())
            files[name] = Blob(item.read(), item.kind)
    return make_pack(path, folder, files, left_out, problem)


def over_limit(name: str, size: int, limits: Limits) -> str:
    """The sentence about a file that is larger than the library keeps."""
    limit = f"{limits.file / 1_000_000:g} MB"
    text = f"{name} has {size:,} bytes, and files over {limit} are not kept in the history."
    return f"{text} Raise the limit in Settings, Library, or leave the file out at the source."


def _is_skill_file(path: str) -> bool:
    return path.rpartition("/")[2].casefold() == "skill.md"


def _above(path: str) -> tuple[str, ...]:
    """The folders a path lies in, outermost first, the source itself included for everything but itself."""
    if not path:
        return ()
    parts = path.split("/")
    return ("", *("/".join(parts[:cut]) for cut in range(1, len(parts))))
