"""The tour: plays the whole loop in the real window on a sample library, checks each step, and leaves pictures."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import click
from PySide6.QtCore import QObject, QTimer, SignalInstance, Slot

from app.bridge.services import Services
from app.clock import system_clock
from app.cycles.home import OpenHome, home_key
from app.cycles.provider import provider_for
from app.cycles.sample import sample_skills
from app.cycles.start import install_sample, ready_home
from app.log import RecentLines
from app.paths import resources_dir
from app.providers.base import Provider
from app.providers.failures import ProviderError, Reason, failure
from app.providers.keys import KeyStore
from app.providers.scripted import ScriptedProvider
from app.skills.resolve import resolve
from app.window import Window, make_application
from widgets.common.theme import Theme

_LOOK_MS = 25
_PATIENCE_S = 20.0
_SETTLE_S = 0.35
_QUESTION = "How do I rebase a branch without losing work?"
_WISH = "I prefer short answers without flattery."
_DOOMED = "This turn is meant to fail."

#: A step yields conditions to wait for; each is a function and what it waits for in words.
Steps = Generator[tuple[Callable[[], bool], str], None, None]


class TourError(Exception):
    """A step did not do what it should; the text says which."""


class Providers:
    """Gives the provider of the settings, or, while `failing` is set, a service that refuses the key."""

    def __init__(self) -> None:
        self.failing = False

    def __call__(self, home: OpenHome) -> Provider:
        """The provider for the next turn."""
        if self.failing:
            return ScriptedProvider([[ProviderError(failure(Reason.AUTH, "this turn of the tour is meant to fail"))]])
        return provider_for(home.settings, KeyStore(os.environ))


class Heard(QObject):
    """Keeps in order what a signal said: its last value, which is what its first ones are about."""

    def __init__(self, signal: SignalInstance, parent: QObject) -> None:
        super().__init__(parent)
        self.values: list[object] = []
        signal.connect(self._note)

    @Slot(object)
    @Slot(str, object)
    @Slot(str, str)
    def _note(self, *said: object) -> None:
        self.values.append(said[-1])


class Tour(QObject):
    """Plays the steps one after another, driven by a timer; `code` is 0 when all went well."""

    def __init__(self, window: Window, providers: Providers, out: Path, leave: Callable[[], None]) -> None:
        super().__init__()
        self.code = 1
        self._window = window
        self._providers = providers
        self._services: Services = window.services
        self._out = out
        self._leave = leave
        self._shots = 0
        self._steps = self._play()
        self._waiting: tuple[Callable[[], bool], str] | None = None
        self._since = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        services = self._services
        self._replies = Heard(services.chat.turn_ended, self).values
        self._reviews = Heard(services.review.reviewed, self).values
        self._reports = Heard(services.curator.run_ended, self).values
        self._outcomes = Heard(services.proposals.decided, self).values
        self._shown = Heard(services.proposals.shown, self).values
        self._read = Heard(services.curator.report_ready, self).values
        self._found = Heard(services.sessions.found, self).values
        window.ended.connect(self._on_ended)

    def start(self) -> None:
        """Begin with the first step."""
        self._timer.start()

    @Slot()
    def _look(self) -> None:
        if self._waiting is not None and not self._waiting[0]():
            if time.monotonic() - self._since > _PATIENCE_S:
                self._end(f"waited in vain: {self._waiting[1]}")
            return
        try:
            self._waiting = next(self._steps)
            self._since = time.monotonic()
        except StopIteration:
            self.code = 0
            self._end("")
        except TourError as error:
            self._end(str(error))

    def _end(self, trouble: str) -> None:
        self._timer.stop()
        if trouble:
            sys.stderr.write(f"The tour stopped: {trouble}\n")
        self._window.close()

    @Slot(bool)
    def _on_ended(self, in_time: bool) -> None:
        if not in_time:
            self.code = 1
        self._leave()

    def _play(self) -> Steps:
        yield from self._library()
        yield from self._chat()
        yield from self._outside()
        yield from self._curator()
        yield from self._approval()
        yield from self._forward()
        yield from self._by_click()
        yield from self._pages()
        yield from self._dark()

    def _library(self) -> Steps:
        wanted = len(sample_skills(system_clock()))
        yield lambda: len(self._services.library.library.skills) >= wanted, "the sample library in the list"
        yield self._rest(), "the first layout"
        self._window.panes.frame.show_page("graph")
        yield self._rest(1.2), "the graph to come to rest"
        self._shoot("graph", f"{len(self._services.library.library.skills)} skills listed and drawn")

    def _chat(self) -> Steps:
        self._services.chat.send(_QUESTION)
        yield lambda: len(self._replies) == 1, "an answer from the skills"
        _check("git-rebase" in getattr(self._replies[0], "reply", ""), "the answer names the skill it comes from")
        self._services.chat.send(_WISH)
        yield lambda: any(getattr(item, "line", "") for item in self._reviews), "the review to learn something"
        yield self._rest(), "the chat to come to rest"
        self._shoot("chat", "a question answered, a wish learned by the review")
        self._providers.failing = True
        self._services.chat.send(_DOOMED)
        yield lambda: len(self._replies) == 3, "the failing turn to end"
        _check("FAILED" in str(getattr(self._replies[2], "ended", "")), "the failing turn says that it failed")
        yield self._rest(), "the error card"
        self._providers.failing = False
        self._shoot("failed-turn", "a failed turn with its reason and Retry")
        self._services.chat.new_session()

    def _outside(self) -> Steps:
        folder = self._services.key.home.skills / "writing" / "email-subjects"
        head = "name: email-subjects\ndescription: Write subjects people open. Use for each mail."
        text = f"---\n{head}\n---\n\n# Subjects\n"
        began = time.monotonic()
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(text, encoding="utf-8")
        yield lambda: self._services.library.library.get("writing/email-subjects") is not None, "the new folder"
        seconds = time.monotonic() - began
        self._window.steering.open_skill("writing/email-subjects")
        yield self._rest(), "the skill page"
        self._shoot("outside", f"a skill written by another program, seen after {seconds:.2f} s")

    def _curator(self) -> Steps:
        self._window.panes.frame.show_page("curator")
        self._services.curator.run(dry_run=False)
        yield lambda: len(self._reports) == 1, "the curator to finish"
        yield lambda: bool(self._read), "the report to be read"
        report = self._reports[0]
        _check(bool(getattr(report, "consolidated", ())), "the run proposes merges")
        _check(getattr(report, "tree_before", "") == getattr(report, "tree_after", "x"), "the library was not touched")
        yield self._rest(0.8), "the report"
        self._shoot("curator", "a run with its report; the library untouched")

    def _approval(self) -> Steps:
        report = self._reports[0]
        proposal_id = getattr(report, "proposals", ("",))[0]
        self._services.proposals.show(proposal_id)
        yield lambda: bool(self._in_full(proposal_id)), "the proposal in full"
        proposal = self._in_full(proposal_id)[-1]
        groups = [group for group in getattr(proposal, "groups", ()) if any(c.absorbed_into for c in group.changes)]
        _check(len(groups) >= 2, "at least two merges wait")
        self._window.steering.show_proposal(proposal_id, groups[0].id)
        yield self._rest(0.8), "the difference"
        self._shoot("review", "one merge with its difference")
        seen = {change.id: change.seen or "" for change in groups[0].changes}
        self._services.proposals.approve(proposal_id, list(seen), seen)
        yield lambda: len(self._outcomes) == 1, "the merge to be applied"
        _check(not getattr(self._outcomes[0], "refused", ("x",)), "the approved merge was applied")
        self._services.proposals.reject(
            proposal_id, [change.id for change in groups[1].changes], "They are apart on purpose"
        )
        yield lambda: len(self._outcomes) == 2, "the rejection"
        self._absorbed = next(change.name for change in groups[0].changes if change.absorbed_into)
        yield self._rest(0.8), "the summary"
        self._shoot("approved", "one merge approved, another rejected with a reason", notices=True)

    def _in_full(self, proposal_id: str) -> list[object]:
        return [item for item in self._shown if getattr(item, "id", "") == proposal_id]

    def _forward(self) -> Steps:
        yield self._forwarded, "the forward of an absorbed skill"
        self._window.steering.open_skill(self._absorbed)
        yield self._rest(), "the umbrella's page"
        self._shoot("forward", f"{self._absorbed} leads to its umbrella")

    def _forwarded(self) -> bool:
        found = resolve(self._services.library.library, self._absorbed)
        return found is not None and bool(found.via)

    def _by_click(self) -> Steps:
        library = self._services.library
        self._window.steering.open_skill("git/git-rebase")
        yield self._open("git/git-rebase"), "the skill page"
        self._window.panes.skill.header.pin_button.click()
        yield lambda: _get(library, "git/git-rebase", "pinned"), "the pin"
        archived = next(skill.id for skill in library.library.skills if str(skill.state) == "archived")
        self._window.panes.library.action_requested.emit("skill.restore", (archived,))
        yield lambda: library.library.get(archived) is None, "the archived skill to come back"
        yield self._rest(), "the list"
        self._shoot("pinned", "pinned by click, an archived skill restored", notices=True)
        self._window.panes.frame.show_page("graph")
        yield self._rest(1.2), "the graph"
        self._shoot("graph-after", "the graph with pins and forwards")

    def _pages(self) -> Steps:
        self._window.panes.frame.show_page("sessions")
        self._services.sessions.search("flattery", tools=False)
        yield lambda: any(self._found), "a search through the conversations"
        hit = next(item for hits in self._found if isinstance(hits, Sequence) for item in hits)
        _check(getattr(hit, "message", None) is not None, "the search says which message it found")
        self._services.sessions.read(getattr(hit, "id", ""), getattr(hit, "message", -1), getattr(hit, "words", ()))
        yield self._rest(), "the conversation to be read"
        self._shoot("sessions", "a conversation, read where a search found something")
        self._window.panes.frame.show_page("memory")
        yield self._rest(), "memory"
        self._shoot("memory", "what is remembered, and where it comes from")

    def _dark(self) -> Steps:
        self._window.theme.set_choice("dark")
        for page in ("graph", "review", "curator"):
            self._window.panes.frame.show_page(page)
            yield self._rest(0.6), page
            self._shoot(f"{page}-dark", f"the {page} page, dark")

    def _open(self, skill: str) -> Callable[[], bool]:
        """The skill page shows this skill."""
        page = self._window.panes.skill
        return lambda: page.skill is not None and page.skill.id == skill

    def _rest(self, seconds: float = _SETTLE_S) -> Callable[[], bool]:
        until = time.monotonic() + seconds
        return lambda: time.monotonic() >= until and not self._services.library.scanning

    def _shoot(self, name: str, told: str, *, notices: bool = False) -> None:
        """Keep a picture of the window; with `notices` what is said in its corner stays in it."""
        if not notices:
            self._window.panes.notices.clear()
        self._shots += 1
        self._window.panes.frame.grab().save(str(self._out / f"{self._shots:02d}-{name}.png"))
        sys.stdout.write(f"{self._shots:2d} {told}\n")


def _get(library: object, skill_id: str, field: str) -> bool:
    skill = library.library.get(skill_id)  # type: ignore[attr-defined]
    return bool(skill is not None and getattr(skill, field))


def _check(holds: bool, sentence: str) -> None:
    if not holds:
        raise TourError(f"it does not hold that {sentence}")


@click.command("tour")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("melete-tour"), show_default=True, help="Where pictures go."
)
@click.option("--offscreen", is_flag=True, help="Play without a display.")
def tour(out: Path, offscreen: bool) -> None:
    """Play the whole loop on a sample library and leave pictures, the report and the trajectories."""
    if offscreen or not _has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    out.mkdir(parents=True, exist_ok=True)
    app = make_application()
    root = Path(tempfile.mkdtemp(prefix="melete-tour-"))
    try:
        key = home_key(root / "home", system_clock)
        home = OpenHome(key)
        ready_home(home)
        install_sample(home)
        home.close()
        providers = Providers()
        theme = Theme(resources_dir(), "light")
        theme.apply()
        window = Window(key, theme, RecentLines(), providers)
        played = Tour(window, providers, out, app.quit)
        window.open(first_start=False)
        window.panes.frame.resize(1280, 800)
        QTimer.singleShot(0, played.start)
        app.exec()
        _keep(key.home.root, out)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    sys.stdout.write(f"pictures, report and trajectories are in {out}\n")
    raise SystemExit(played.code)


def _keep(home: Path, out: Path) -> None:
    for pattern in ("logs/curator/*/REPORT.md", "logs/curator/*/run.json", "trajectories/*.jsonl"):
        for path in sorted(home.glob(pattern)):
            shutil.copy2(path, out / path.name)


def _has_display() -> bool:
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run(arguments: list[str]) -> int:
    """Play the tour and return the exit code."""
    try:
        tour.main(arguments, prog_name="melete tour", standalone_mode=False)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else 1
    except click.ClickException as error:
        error.show()
        return 2
    return 0
