"""Render the common parts and the library pages to PNG files, to look at them: `python tests/widgets/shots.py DIR`."""

import os
import sys
from datetime import timedelta
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

import sample_library
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QProgressBar,
    QRadioButton,
    QSlider,
    QSpinBox,
    QSplitter,
    QWidget,
)

from app.errors import Failure
from app.history.values import Entry, Origin, Record
from app.sessions.values import SessionInfo
from app.skills.values import Finding, Severity
from app.text.values import FileDiff, FileStatus, Hunk, Line, LineKind
from widgets.common.bug_dialog import BugDialog
from widgets.common.chips import Chip, FilterChip
from widgets.common.empty_state import StatePages
from widgets.common.meter import Meter
from widgets.common.notices import Notices, ToastText
from widgets.common.palette import Palette, PaletteItem
from widgets.common.parts import button, card, column, label, row, tool_button
from widgets.common.theme import Theme
from widgets.library.page_values import Checked, UseFacts
from widgets.library.pane import LibraryPane
from widgets.library.skill_page import SkillPage

NOW = sample_library.NOW
TEXT = """---
name: testing-python
description: Write and run pytest suites: fixtures, markers, parametrised cases and useful failure output
license: MIT
---

# testing-python

Use this when a project has **pytest** and a test must be written, run or understood. Start small: one failing
test says more than a plan. See [how to read failures](references/failures.md).

## Steps

1. Run the nearest tests first: `pytest tests/unit -x --lf`.
2. Read the *last* line of the traceback before the first.
3. Write the assertion, then the code.

> Never mark a test as flaky before you know why it fails.

```python
import pytest


@pytest.fixture
def clock(monkeypatch):
    \"\"\"A clock that stands still.\"\"\"
    monkeypatch.setattr("app.clock.now", lambda: 1_700_000_000)
    return 42  # seconds
```

| option | meaning | when |
|---|---|---|
| `--lf` | only the last failures | after a fix |
| `-x` | stop at the first failure | always first |
| `-k` | by name | while writing |

## Fixtures

- Keep them beside the tests that use them
- One thing each
    - no network
    - no clock
- [x] temporary folders through `tmp_path`
- [ ] a fake mail server
"""


def diff():
    """A difference with everything in it."""
    kinds = {" ": LineKind.CONTEXT, "+": LineKind.ADDED, "-": LineKind.REMOVED}

    def line(sign, text, old, new, *spans):
        return Line(kinds[sign], text + "\n", old, new, spans)

    first = Hunk(
        "a",
        1,
        5,
        1,
        5,
        (
            line(" ", "---", 1, 1),
            line(" ", "name: testing-python", 2, 2),
            line("-", "description: Write and run pytest suites: fixtures, and readable output", 3, None, (51, 63)),
            line(
                "+",
                "description: Write and run pytest suites: fixtures, markers and useful failure output",
                None,
                3,
                (51, 73),
            ),
            line(" ", "license: MIT", 4, 4),
            line(" ", "---", 5, 5),
        ),
    )
    second = Hunk(
        "b",
        38,
        3,
        38,
        4,
        (
            line(" ", "## Fixtures", 38, 38),
            line("+", "- Keep them beside the tests that use them", None, 39),
            line("+", "- One thing each", None, 40),
            line(
                "-",
                "- Put every fixture into one conftest.py at the top of the project so that they are easy to find",
                39,
                None,
            ),
            line(" ", "", 40, 41),
        ),
    )
    return (
        FileDiff("SKILL.md", FileStatus.MODIFIED, (first, second)),
        FileDiff("assets/flow.png", FileStatus.ADDED, (), True, 0, 20_311, "", "a1b2c3d4e5f6"),
    )


def entries():
    """A ledger."""
    rows = [
        (Origin.REVIEW, "patch", "The user prefers --lf after a fix"),
        (Origin.CURATOR, "apply", "Folded pytest-fixtures and pytest-markers into this umbrella"),
        (Origin.USER, "pin", ""),
        (Origin.OUTSIDE, "outside", "Changed while Melete was closed"),
        (Origin.USER, "edit", "Rewrote the steps"),
        (Origin.CHAT, "create", "Learned while setting up the project's tests"),
    ]
    return [
        Entry(
            f"{n:040x}",
            NOW - timedelta(days=n * 4, hours=n),
            Record(origin, action, ("x",), why, session="s1"),
            None,
            "t",
        )
        for n, (origin, action, why) in enumerate(rows, 1)
    ]


def settle():
    """Let layouts and short timers finish."""
    loop = QEventLoop()
    QTimer.singleShot(60, loop.quit)
    loop.exec()


def shoot(widget, folder, name, width, height):
    """Render one widget."""
    widget.resize(width, height)
    widget.show()
    widget.activateWindow()
    settle()
    widget.grab().save(str(folder / f"{name}.png"))


def page(theme, tab):
    """The skill page on one tab, filled."""
    made = SkillPage(theme)
    skill = next(item for item in sample_library.skills() if item.name == "testing-python")
    findings = (
        Finding(
            "body.missing-link",
            Severity.WARNING,
            10,
            "references/failures.md is linked but missing.",
            "Remove the link",
        ),
        Finding("description.length", Severity.INFO, 3, "The description does not say when to use the skill."),
    )
    made.set_skill(skill)
    made.set_text(skill.id, TEXT, "h1")
    made.show_tab(tab)
    made.files.set_files(("SKILL.md", "references/failures.md", "references/markers.md", "scripts/run.sh"))
    made.history.set_entries(entries())
    made.history.set_difference(made.history.current, diff())
    days = tuple(((NOW - timedelta(days=60 - n)).date(), (n * 7 % 11) * (n % 3)) for n in range(60))
    sessions = tuple(
        SessionInfo(f"s{n}", title, NOW - timedelta(days=n), NOW - timedelta(days=n))
        for n, title in enumerate(("Why is the CI red?", "Tests for the importer", "Speed up the suite"))
    )
    made.use.set_use(UseFacts(days, 14, 3, sessions))
    made.set_findings(findings)
    fields = {"name": "testing-python", "description": skill.description, "license": "MIT"}
    made.set_checked(skill.id, Checked(TEXT, fields, findings))
    return made


def library(theme, text=""):
    """The pane, filled."""
    made = LibraryPane(theme)
    made.set_library(sample_library.library())
    made.set_waiting(sample_library.WAITING)
    made.select_skill("python/testing-python")
    if text:
        made.set_filter(text)
    return made


def controls(theme):
    """Every kind of control in its states."""
    combo = QComboBox()
    combo.addItems(["As the system", "Light", "Dark"])
    off = QCheckBox("Not possible")
    off.setEnabled(False)
    on = QCheckBox("Record trajectories")
    on.setChecked(True)
    radio = QRadioButton("Tell me")
    radio.setChecked(True)
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setValue(40)
    progress = QProgressBar()
    progress.setValue(60)
    dead = button(theme, "Disabled", "primary")
    dead.setEnabled(False)
    chip = FilterChip(theme, "stale", "stale")
    chip.set_count(6)
    chip.setChecked(True)
    meters = [Meter(theme) for _ in range(3)]
    meters[0].set_share(0.4)
    meters[1].set_share(0.9)
    meters[2].set_parts(((0.7, "active"), (0.2, "warn"), (0.1, "danger")))
    made = QWidget()
    made.setProperty("ground", "bg")
    made.setLayout(
        column(
            label("Page title", "title"),
            label("A caption under it in muted ink", "caption"),
            row(
                button(theme, "Approve", "primary", "check"),
                button(theme, "Edit", "", "edit"),
                button(theme, "Reject", "danger"),
                button(theme, "Later", "quiet"),
                button(theme, "Show the run", "link"),
                dead,
                tool_button(theme, "refresh", "Refresh"),
                None,
            ),
            row(QLineEdit("A field"), combo, QSpinBox()),
            row(on, off, radio, QRadioButton("Hold"), None),
            row(slider, progress),
            row(
                Chip(theme, "active", "active", "active"),
                Chip(theme, "stale", "stale", "stale"),
                Chip(theme, "archived", "archived", "archived"),
                Chip(theme, "3 waiting", "accent", "waiting"),
                Chip(theme, "managed", "info"),
                Chip(theme, "pinned", "pinned"),
                chip,
                None,
            ),
            row(*meters),
            card(column(label("A card", "heading"), label("with some text in it"), margins=(12, 8, 12, 8))),
            None,
            margins=(16, 16, 16, 16),
            spacing=12,
        )
    )
    return made


def host(theme):
    """A library beside a page, with a notice and the palette over it."""
    split = QSplitter()
    split.addWidget(library(theme))
    split.addWidget(page(theme, "read"))
    split.setSizes([300, 900])
    outer = QWidget()
    outer.setLayout(column(split, spacing=0))
    notices = Notices(theme, outer)
    notices.post(ToastText("Archived 3 skills", "success", "undo:1", "Undo"))
    notices.post(ToastText("The folder ~/agents/skills is missing. It is looked for every 30 seconds.", "warn"))
    return outer


def render(folder, theme):
    """Everything in one theme."""
    name = "dark" if theme.dark else "light"
    kept = []
    for tab in ("read", "files", "edit", "history", "use", "findings"):
        kept.append(page(theme, tab))
        shoot(kept[-1], folder, f"{name}-skill-{tab}", 900, 700)
    kept.append(library(theme, "state:stale used:<20"))
    shoot(kept[-1], folder, f"{name}-library-filter", 300, 600)
    kept.append(library(theme, "nothing-like-this"))
    shoot(kept[-1], folder, f"{name}-library-none", 300, 600)
    kept.append(library(theme))
    kept[-1].head.columns_action.setChecked(True)
    shoot(kept[-1], folder, f"{name}-library-columns", 900, 500)
    kept.append(controls(theme))
    shoot(kept[-1], folder, f"{name}-controls", 900, 420)
    window = host(theme)
    shoot(window, folder, f"{name}-window", 1280, 800)
    window.resize(900, 600)
    palette = Palette(theme, window)
    palette.set_items([PaletteItem("skill", s.id, s.name, s.description, "skill") for s in sample_library.skills()])
    palette.open_panel()
    palette._field.setText("test")
    shoot(window, folder, f"{name}-window-small", 900, 600)
    failing = StatePages(theme, QWidget())
    failing.show_failure(
        Failure(
            "The library cannot be read",
            "Permission denied: /home/ada/melete/skills. Give yourself the right to read it, then try again.",
        )
    )
    shoot(failing, folder, f"{name}-failure", 500, 360)
    dialog = BugDialog(theme, Failure("Something went wrong in Melete", "KeyError: 'x'", "Traceback …", is_bug=True))
    shoot(dialog, folder, f"{name}-bug", 680, 440)
    for widget in (*kept, window, failing, dialog):
        widget.close()


def main():
    """Render both themes into the folder given."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv)
    for choice in ("light", "dark"):
        theme = Theme(Path(__file__).parents[2] / "resources", choice)
        theme.apply()
        render(folder, theme)
    application.processEvents()


if __name__ == "__main__":
    main()
