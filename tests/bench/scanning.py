"""Reading the library: a full look, one that begins from the scan cache, and one at a library that did not change."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from app.clock import system_clock
from app.paths import Home
from app.settings import LibrarySettings
from app.skills.scan import rescan, scan
from app.skills.scan_cache import kept_of, load_cache, store_cache
from tests.bench.measure import Row, tell

_SAMPLE = 300


def _cpu(work: Callable[[], object]) -> float:
    """Processor seconds of one run: all of it is one thread's work on cached files, and others may use the machine."""
    began = time.process_time()
    work()
    return time.process_time() - began


def _load_all(skills: Path) -> int:
    """The floor: read every SKILL.md and load its front matter with the C loader."""
    count = 0
    for folder, below, files in os.walk(skills):
        below[:] = [name for name in below if name != "node_modules"]
        if "SKILL.md" in files:
            data = Path(folder, "SKILL.md").read_bytes()
            yaml.load(data.split(b"---\n")[1], yaml.CSafeLoader)
            count += 1
    return count


def _stat_all(folder: str) -> None:
    """The floor of a second look: list every folder and stat every entry, generated folders left out."""
    with os.scandir(folder) as entries:
        for entry in entries:
            entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False) and entry.name != "node_modules":
                _stat_all(entry.path)


def _reference(skills: Path) -> float | None:
    """Seconds the reference validator takes for one skill, None where it is not installed."""
    try:
        from skills_ref import validate
    except ImportError:
        return None
    folders = [path.parent for path in sorted(skills.glob("*/*/SKILL.md"))[:_SAMPLE]]
    return min(_cpu(lambda: [validate(folder) for folder in folders]) for _ in range(3)) / len(folders)


def main() -> None:
    """Measure the library at the place given as the only argument."""
    root = Path(sys.argv[1])
    home, settings = Home(root), LibrarySettings()
    library = scan(home, settings, system_clock)
    count = len(library.skills)
    floor, own, again, base, few, cached = [], [], [], [], [], []
    written = _cpu(lambda: store_cache(home, library.seen.roots, kept_of(library)))
    for _ in range(3):  # in turns, so that a busy machine slows both
        floor.append(_cpu(lambda: _load_all(home.skills)))
        own.append(_cpu(lambda: scan(home, settings, system_clock)))
        cached.append(_cpu(lambda: scan(home, settings, system_clock, previous=load_cache(home, settings))))
        base.append(_cpu(lambda: _stat_all(str(home.skills))))
        again.append(_cpu(lambda: scan(home, settings, system_clock, previous=library)))
        one = library.skills[len(library.skills) // 2].folder
        few.append(_cpu(lambda one=one: rescan(library, home, settings, system_clock, [one])))
    own_s, floor_s, again_s, base_s, cached_s = min(own), min(floor), min(again), min(base), min(cached)
    rows = [
        Row(
            f"scan, parse, validate {count} skills",
            f"{own_s:.2f} s = {own_s / floor_s:.1f} x (read + C YAML load)",
            "<= 6 x",
            own_s <= 6 * floor_s,
            f"floor {floor_s:.2f} s of processor time",
        )
    ]
    each = _reference(home.skills)
    if each is not None:
        whole = each * count
        rows.append(
            Row(
                "… beside the reference validator",
                f"{whole / own_s:.0f} x faster",
                ">= 10 x",
                whole >= 10 * own_s,
                f"{each * 1000:.1f} ms a skill there, measured on {_SAMPLE}",
            )
        )
    else:
        rows.append(Row("… beside the reference validator", "not installed (group bench)", ">= 10 x", None))
    rows.append(
        Row(
            f"… in a new process, {len(kept_of(library))} in the scan cache",
            f"{cached_s:.2f} s = {cached_s / own_s:.2f} x reading everything",
            "<= 0.5 x",
            cached_s <= 0.5 * own_s,
            f"written in {written:.2f} s, {home.scan_cache.stat().st_size / 1e6:.1f} MB",
        )
    )
    rows.append(
        Row(
            f"rescan, nothing changed, {count} skills",
            f"{again_s:.2f} s = {again_s / base_s:.1f} x (scandir + stat)",
            "<= 2 x",
            again_s <= 2 * base_s,
            f"floor {base_s:.2f} s of processor time",
        )
    )
    rows.append(Row("rescan of one skill's folder", f"{min(few) * 1000:.0f} ms", "", None))
    tell(rows, scan=own_s, scan_floor=floor_s, cached=cached_s, rescan=again_s, rescan_floor=base_s, at=time.time())


if __name__ == "__main__":
    main()
