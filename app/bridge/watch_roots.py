"""Which folders are watched live and which are looked at by interval: roots, linked skills, drives without events."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.paths import Home
from app.settings import LibrarySettings
from app.skills.roots import folder_path
from app.skills.values import Library, Skill

#: Linked skills lie anywhere, each needs a schedule (a thread) of its own; beyond this many they are polled.
MOST_LINKED = 32
_MOUNTS = Path("/proc/self/mounts")
#: File systems whose changes may be made on another machine, of which the system here hears nothing.
_REMOTE = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "glusterfs", "lustre", "davfs", "fuse.")


@dataclass(frozen=True, slots=True)
class Root:
    """A folder to watch: as the library knows it, and where its files really are."""

    shown: Path
    real: Path
    linked: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What should be watched: live, by interval, and roots that are not there. `library` is the home's own root."""

    library: Path
    poll_seconds: float
    live: tuple[Root, ...] = ()
    polled: tuple[Root, ...] = ()
    missing: tuple[Path, ...] = ()


def wanted_roots(home: Home, settings: LibrarySettings, library: Library) -> Wanted:
    """Every root and the real place of every linked skill, each real folder once, outermost first."""
    found: dict[Path, Root] = {}
    missing: list[Path] = []
    polled: list[Root] = []
    remote = remote_mounts()
    for shown in (home.skills, *(folder_path(home, text) for text in settings.folders if text.strip())):
        real = shown.resolve()
        if not real.is_dir():
            missing.append(shown)
        elif not any(real.is_relative_to(other) for other in found):
            found[real] = Root(shown, real)
    for root in _linked(library.skills, found):
        found[root.real] = root
    live: list[Root] = []
    for root in found.values():
        too_many = root.linked and sum(one.linked for one in live) >= MOST_LINKED
        (polled if too_many or _is_remote(root.real, remote) else live).append(root)
    return Wanted(home.skills, settings.poll_seconds, tuple(live), tuple(polled), tuple(dict.fromkeys(missing)))


def remote_mounts() -> tuple[tuple[Path, bool], ...]:
    """Every mount point and whether it is a network drive, longest path first; nothing where the system does not say.

    Linux only: elsewhere a drive that reports nothing is found by the probe file.
    """
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ()
    rows = [line.split(" ") for line in lines if line.count(" ") >= 2]
    # The drive the system itself runs from is written by this system, whatever carries it.
    mounts = [(Path(row[1].replace("\\040", " ")), row[1] != "/" and row[2].startswith(_REMOTE)) for row in rows]
    return tuple(sorted(mounts, key=lambda mount: len(mount[0].parts), reverse=True))


def _is_remote(real: Path, mounts: tuple[tuple[Path, bool], ...]) -> bool:
    return next((remote for point, remote in mounts if real.is_relative_to(point)), False)


def _linked(skills: Iterable[Skill], found: dict[Path, Root]) -> list[Root]:
    roots: list[Root] = []
    known = set(found)
    for skill in skills:
        if skill.real is None:
            continue
        real = skill.real if skill.real.is_dir() else skill.real.parent
        if real.is_dir() and not any(real.is_relative_to(other) for other in known):
            known.add(real)
            roots.append(Root(skill.folder, real, linked=True))
    return roots
