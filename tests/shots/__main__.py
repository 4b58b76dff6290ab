"""Pictures of every page of the real window: `python -m tests.shots OUT_DIR`.

A sample library, a played turn with its review and a curator run are shown in light and dark, in three sizes.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDockWidget, QTabWidget, QWidget

from app.clock import system_clock
from app.cycles.home import OpenHome, home_key
from app.cycles.start import install_sample, ready_home
from app.errors import Failure
from app.log import RecentLines
from app.paths import resources_dir
from app.proposals.values import Proposal
from app.window import Window, make_application
from tests.bench.beat import rest, wait_until
from tests.shots.exchange import exchange_sheets
from tests.shots.states import draw_states
from widgets.common.bug_dialog import BugDialog
from widgets.common.theme import Theme
from widgets.library.first_start import FirstStart
from widgets.library.new_skill import NewSkillDialog
from widgets.library.skill_page import TABS
from widgets.review.changes import ChangeList

SIZES = ((900, 600), (1280, 800), (2560, 1440))
QUESTION = "How do I rebase a branch without losing work?"
WISH = "I prefer short answers without flattery."
RECIPE = "Here is how we rotate web logs:\n1. `logrotate -f app.conf`\n2. `journalctl -u app`\nThat worked."


class Studio:
    """One window on one home, and where its pictures go."""

    def __init__(self, root: Path, theme: Theme, out: Path) -> None:
        self.window = Window(home_key(root, system_clock), theme, RecentLines())
        self.theme = theme
        self.out = out
        self.ended: list[bool] = []
        self.window.ended.connect(self.ended.append)
        self.proposals: tuple[Proposal, ...] = ()
        self.window.services.proposals.listed.connect(self._keep)
        self.window.open(first_start=False)
        library = self.window.services.library
        wait_until(lambda: library.known and not library.scanning)

    def _keep(self, proposals: tuple[Proposal, ...]) -> None:
        self.proposals = proposals

    @property
    def frame(self):
        """The window's frame."""
        return self.window.panes.frame

    def resize(self, width: int, height: int) -> None:
        """Show the window in a size, its sides as wide as they are when it is opened in that size."""
        self.frame.resize(width, height)
        rest(0.2)
        share = min(1.0, width / 1280)
        sides = [self.frame.findChild(QDockWidget, name) for name in ("library", "chat")]
        self.frame.resizeDocks(sides, [round(250 * share), round(330 * share)], Qt.Orientation.Horizontal)
        rest(0.3)

    def shoot(self, name: str, widget: QWidget | None = None) -> None:
        """Keep a picture of the window, or of one widget."""
        (widget or self.frame).grab().save(str(self.out / f"{name}.png"))

    def close(self) -> None:
        """End the window and wait until everything behind it has ended."""
        self.window.close()
        wait_until(lambda: bool(self.ended))


def play(studio: Studio) -> None:
    """Two turns with their reviews, and a curator run that proposes merges."""
    services = studio.window.services
    replies, reviews, reports = [], [], []
    services.chat.turn_ended.connect(replies.append)
    services.review.reviewed.connect(reviews.append)
    services.curator.run_ended.connect(reports.append)
    for number, text in enumerate((QUESTION, WISH, RECIPE), 1):
        services.chat.send(text)
        wait_until(lambda wanted=number: len(replies) == wanted and not services.review.busy)
    services.curator.run(dry_run=False)
    wait_until(lambda: bool(reports))
    rest(1.0)


def pages(studio: Studio) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every page by name, with what brings it up."""
    window, panes = studio.window, studio.window.panes
    frame, steering = panes.frame, window.steering
    yield "graph", lambda: frame.show_page("graph")
    for tab in TABS:
        yield f"skill-{tab}", lambda tab=tab: (steering.open_skill("git/git-rebase"), panes.skill.show_tab(tab))
    yield "review-diff", lambda: _review(studio, 0)
    yield "review-loss", lambda: _review(studio, 3)
    yield "review-files", lambda: _review(studio, 4)
    for page in ("curator", "sessions", "memory", "history"):
        yield page, lambda page=page: frame.show_page(page)
    yield "palette", lambda: window.menus.carry_out("palette.open")


def _review(studio: Studio, tab: int) -> None:
    review = studio.window.panes.review
    waiting = [item for item in studio.proposals if item.waiting]
    if waiting:
        merges = [g for item in waiting for g in item.waiting if any(c.absorbed_into for c in g.changes)]
        holder = next((item for item in waiting if merges and merges[0] in item.waiting), waiting[0])
        studio.window.steering.show_proposal(holder.id, (merges or list(holder.waiting))[0].id)
    rest(0.4)
    for changes in review.findChildren(ChangeList):
        changes.setCurrentRow(1 if tab == 3 else 0)
    rest(0.4)
    for tabs in review.findChildren(QTabWidget):
        if tabs.isTabVisible(tab):
            tabs.setCurrentIndex(tab)


def approve_all(studio: Studio) -> None:
    """Approve every merge, so that the graph shows where absorbed skills went."""
    service = studio.window.services.proposals
    full, outcomes = [], []
    service.shown.connect(full.append)
    service.decided.connect(outcomes.append)
    for number, light in enumerate([item for item in studio.proposals if item.waiting], 1):
        service.show(light.id)
        wait_until(lambda wanted=number: len(full) >= wanted)
        seen = {change.id: change.seen for group in full[-1].waiting for change in group.changes}
        service.approve(light.id, list(seen), seen)
        wait_until(lambda wanted=number: len(outcomes) >= wanted)
    rest(1.0)


def dialogs(studio: Studio) -> Iterator[tuple[str, QDialog]]:
    """The dialogs, made as the program makes them."""
    panes, theme = studio.window.panes, studio.theme
    found = (("Claude Code", "/home/ada/.claude/skills"), ("Codex", "/home/ada/.codex/skills"))
    failure = Failure("Something went wrong", "Melete met a bug. Nothing was lost.", "Traceback …", is_bug=True)
    yield "settings", panes.settings
    yield "first-start", FirstStart(theme, found, panes.frame)
    yield "new-skill", NewSkillDialog(theme, panes.frame)
    yield "bug", BugDialog(theme, failure, "12:00 watching\n12:01 failed", panes.frame)
    yield from exchange_sheets(theme, panes.frame)


def main() -> None:
    """Take all pictures."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "out/shots")
    out.mkdir(parents=True, exist_ok=True)
    app = make_application()
    theme = Theme(resources_dir(), "light")
    theme.apply()
    root = Path(tempfile.mkdtemp(prefix="melete-shots-"))
    try:
        home = OpenHome(home_key(root / "home", system_clock))
        ready_home(home)
        install_sample(home)
        home.close()
        studio = Studio(root / "home", theme, out)
        play(studio)
        for choice in ("light", "dark"):
            theme.set_choice(choice)
            for width, height in SIZES:
                studio.resize(width, height)
                for name, show in pages(studio):
                    show()
                    rest(0.8 if name == "graph" else 0.45)
                    studio.shoot(f"{name}-{choice}-{width}")
                    studio.window.panes.palette.close_panel()
            for name, dialog in dialogs(studio):
                dialog.show()
                rest(0.3)
                studio.shoot(f"{name}-{choice}", dialog)
                dialog.hide()
            draw_states(theme, out)
        theme.set_choice("light")
        studio.resize(*SIZES[1])
        approve_all(studio)
        studio.frame.show_page("graph")
        rest(1.5)
        studio.window.panes.notices.clear()
        studio.shoot("graph-merged-light-1280")
        studio.close()
        (root / "empty" / "skills").mkdir(parents=True)
        (root / "empty" / "skills" / ".keep").touch()
        empty = Studio(root / "empty", theme, out)
        for choice in ("dark", "light"):
            theme.set_choice(choice)
            empty.frame.resize(1280, 800)
            for page in ("graph", "skill", "review", "curator", "sessions", "memory", "history"):
                empty.frame.show_page(page)
                rest(0.3)
                empty.shoot(f"empty-{page}-{choice}")
        empty.close()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    sys.stdout.write(f"{len(list(out.glob('*.png')))} pictures in {out}\n")
    app.quit()


if __name__ == "__main__":
    main()
