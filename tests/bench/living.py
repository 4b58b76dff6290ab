"""The window on a library of thousands: changes on disk, bursts, scans, idling, and whether it ever stands still."""

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt

from app.clock import system_clock
from app.cycles.home import home_key
from app.log import RecentLines
from app.paths import resources_dir
from app.window import Window, collect_seldom, make_application
from tests.bench.beat import Beat, idle_beat, rest, wait_until
from tests.bench.made import skill_id, skill_text
from tests.bench.measure import Row, cpu_seconds, memory_mb, ms, percentile, tell
from widgets.common.theme import Theme

SETTLE = 0.12
CHANGES = 25
BURST = 1000


def _open(root: Path) -> Window:
    app = make_application()
    theme = Theme(resources_dir(), "light")
    theme.apply()
    window = Window(home_key(root, system_clock), theme, RecentLines())
    window.ended.connect(app.quit)
    window.open(first_start=False)
    return window


def _change(root: Path, window: Window, number: int) -> float:
    """Seconds from a write by another program to the changed row in the library pane."""
    path = root / "skills" / skill_id(number) / "SKILL.md"
    wanted = f"Changed at {time.time_ns()}"
    text = skill_text(number).replace("description: ", f"description: {wanted} ", 1)
    path.write_text(text, encoding="utf-8")
    began = time.perf_counter()
    wait_until(lambda: _row_text(window, skill_id(number), wanted), 20)
    return time.perf_counter() - began


def _row_text(window: Window, skill: str, wanted: str) -> bool:
    """Whether the row of a skill tells this text."""
    index = window.panes.library.tree.model().index_of_id(skill)
    return index.isValid() and wanted in str(index.data(Qt.ItemDataRole.ToolTipRole))


def _write_many(root: Path, word: str) -> None:
    texts = [skill_text(number).replace("description: ", f"description: {word} ", 1) for number in range(BURST)]
    for number, text in enumerate(texts):
        (root / "skills" / skill_id(number) / "SKILL.md").write_text(text, encoding="utf-8")


def _burst(root: Path, window: Window) -> tuple[float, int]:
    """Seconds from the last of a thousand writes by another process until all are shown, and how many looks it took."""
    looks = window.services.library.rescans
    word = f"Burst {time.time_ns()}."
    child = multiprocessing.get_context("spawn").Process(target=_write_many, args=(root, word))
    child.start()
    wait_until(lambda: child.exitcode is not None, 60)
    began = time.perf_counter()
    wait_until(lambda: all(_row_text(window, skill_id(number), word) for number in (0, 500, BURST - 1)), 60)
    return time.perf_counter() - began, window.services.library.rescans - looks


def _bare_memory() -> float:
    command = [sys.executable, "-m", "tests.bench.bare_window"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ)).stdout
    return float(said.split()[1])


def _stall_row(name: str, late: list[float], idle: list[float]) -> Row:
    p99, worst = percentile(late, 99), max(late, default=0.0)
    return Row(
        f"stalls while {name}",
        f"p99 {ms(p99)}, worst {ms(worst)}",
        "p99 <= 50, worst <= 200 ms",
        p99 <= 0.05 and worst <= 0.2,
        f"idle bare window p99 {ms(percentile(idle, 99))}, worst {ms(max(idle, default=0.0))}",
    )


def main() -> None:
    """Measure the home given first."""
    root = Path(sys.argv[1])
    quick = "--quick" in sys.argv
    app = make_application()
    idle = idle_beat(3.0)
    rows: list[Row] = []
    modes: list[str] = []
    with Beat() as beat:
        window = _open(root)
        opened = time.perf_counter()
        collect_seldom()
        beat.restart()
        window.services.library.watching_changed.connect(lambda mode, _text: modes.append(mode))
        wait_until(lambda: bool(modes) and not window.services.library.scanning, 120)
        rest(3.0)
    count = len(window.services.library.library.skills)
    rows.append(_stall_row(f"opening {count} skills and laying the graph out", beat.late, idle))
    rows.append(
        Row("library listed, watched, drawn", f"{time.perf_counter() - opened - 3:.1f} s ({modes[-1]})", "", None)
    )
    with Beat() as beat:
        waits = []
        for step in range(8 if quick else CHANGES):
            waits.append(_change(root, window, 1500 + 7 * step))
            rest(0.3)
    p95 = percentile(waits, 95)
    bar = 0.25 + SETTLE
    rows.append(
        Row(
            f"file change to row, {count} skills",
            f"p95 {ms(p95)}",
            f"<= {ms(bar)} with settle",
            p95 <= bar,
            f"best {ms(min(waits))}",
        )
    )
    rows.append(_stall_row("files change", beat.late, idle))
    with Beat() as beat:
        shown, looks = _burst(root, window)
        rest(3.0)
    rows.append(
        Row(f"burst of {BURST} changes", f"shown {shown:.1f} s after the last, {looks} looks", "few looks", looks <= 3)
    )
    rows.append(_stall_row("a burst comes in", beat.late, idle))
    with Beat() as beat:
        for text in ("postgres", "postgres state:active", "", "pytest used:>3", ""):
            window.panes.library.set_filter(text)
            rest(0.4)
        for page in ("skill", "review", "curator", "sessions", "memory", "graph"):
            window.panes.frame.show_page(page)
            rest(0.3)
        window.steering.open_skill(skill_id(77))
        rest(1.0)
    rows.append(_stall_row("filtering, turning pages, opening a skill", beat.late, idle))
    rest(5.0)
    seconds = 5.0 if quick else 20.0
    used = cpu_seconds()
    rest(seconds)
    share = (cpu_seconds() - used) / seconds
    own = memory_mb()
    rows.append(
        Row(
            "idle",
            f"{share * 100:.2f} % of one core",
            "<= 0.5 %",
            share <= 0.005,
            "",
        )
    )
    bare = _bare_memory()
    rows.append(
        Row(
            f"memory, {count} skills",
            f"{own:.0f} MB = bare window + {own - bare:.0f} MB",
            "<= + 150 MB",
            own - bare <= 150,
        )
    )
    window.close()
    tell(rows, idle=share, memory=own, change_p95=p95, burst=shown)
    app.quit()


if __name__ == "__main__":
    main()
