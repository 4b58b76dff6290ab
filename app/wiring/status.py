"""The status line: whether changes are seen, how many skills there are, what a review does, what it all cost."""

from PySide6.QtCore import QObject, Slot

from app.bridge.services import Services
from app.cycles.values import ReviewOutcome
from app.providers.values import Usage
from app.sessions.values import SessionInfo
from app.skills.values import Library
from app.wiring.panes import Panes
from app.wiring.steering import Steering


class StatusWires(QObject):
    """Says facts of the services in the fields of the status line."""

    def __init__(self, services: Services, panes: Panes, steering: Steering) -> None:
        super().__init__(steering)
        self._services = services
        self._panes = panes
        panes.frame.build_status(
            {
                "watching": self.tr("Whether changes on disk are seen at once"),
                "skills": self.tr("Skills in the library"),
                "waiting": self.tr("Changes that wait for a decision"),
                "review": self.tr("What a review is doing"),
                "curator": self.tr("The next curator run"),
                "cost": self.tr("What this program's model calls cost so far"),
            }
        )
        for name, text in (("watching", self.tr("starting")), ("review", self.tr("review idle")), ("cost", "$0.00")):
            panes.frame.set_status(name, text)
        services.library.library_changed.connect(self._on_library)
        services.library.watching_changed.connect(self._on_watching)
        services.library.scanning_changed.connect(self._on_scanning)
        services.library.recording_changed.connect(self._on_recording)
        services.review.idle_changed.connect(self._on_review)
        services.review.reviewed.connect(self._on_reviewed)
        services.sessions.listed.connect(self._on_sessions)

    @Slot(object)
    def _on_library(self, library: Library) -> None:
        if self._services.library.scanning and not self._services.library.rescans:
            told = self.tr("What stands in the library is compared with its history; a first time takes a while.")
            self._panes.frame.set_status("watching", self.tr("recording"), told)
        counts = library.counts
        live = counts.active + counts.stale
        text = self.tr("1 skill") if live == 1 else self.tr("{} skills").format(live)
        if counts.broken:
            text += self.tr(", {} broken").format(counts.broken)
        self._panes.frame.set_status("skills", text)

    @Slot(str, str)
    def _on_watching(self, mode: str, text: str) -> None:
        words = {"live": self.tr("watching"), "polling": self.tr("polling"), "off": self.tr("not watching")}
        self._panes.frame.set_status("watching", words[mode], text)

    @Slot(int, int)
    def _on_recording(self, done: int, total: int) -> None:
        told = self.tr("The library is written into its history for the first time. You can work meanwhile.")
        words = self.tr("recording {} of {} skills").format(f"{done:,}", f"{total:,}")
        self._panes.frame.set_status("watching", words, told)

    @Slot(bool)
    def _on_scanning(self, scanning: bool) -> None:
        library = self._services.library
        if scanning and not library.known:
            self._panes.library.show_loading()

    @Slot(bool)
    def _on_review(self, idle: bool) -> None:
        self._panes.frame.set_status("review", self.tr("review idle") if idle else self.tr("reviewing"))

    @Slot(object)
    def _on_reviewed(self, outcome: ReviewOutcome) -> None:
        told = self.tr("The last review used {}.").format(self._spent(outcome.usage))
        self._panes.frame.set_status("review", self.tr("review idle"), told)

    @Slot(object)
    def _on_sessions(self, sessions: tuple[SessionInfo, ...]) -> None:
        total = sum((info.usage for info in sessions), Usage())
        self._panes.frame.set_status("cost", f"${total.cost:.2f}" if total.cost else self._spent(total))

    def _spent(self, usage: Usage) -> str:
        tokens = self.tr("{} tokens").format(f"{usage.tokens:,}")
        return f"{tokens} (${usage.cost:.4f})" if usage.cost else tokens
