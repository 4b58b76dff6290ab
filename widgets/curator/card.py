"""The status card: on or paused, when it ran and will run, what holds it back, its thresholds, and the buttons."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.curator.values import CuratorStatus, Gate
from widgets.common.ages import age_word, day_word, now_utc, span_word
from widgets.common.chips import Chip
from widgets.common.parts import button, card, column, label, row
from widgets.common.theme import Theme


class StatusCard(QWidget):
    """Signals: run_requested(dry run), pause_requested(paused), settings_requested()."""

    run_requested = Signal(bool)
    pause_requested = Signal(bool)
    settings_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paused = False
        self._title = label(self.tr("Curator"), "title")
        self._state = Chip(theme)
        self._why = label(wrap=True)
        self._limits = label(role="caption", wrap=True)
        self._facts: dict[str, QLabel] = {}
        self._run = button(theme, self.tr("Run now"), "primary", "play", self.tr("Look through the library now"))
        told = self.tr("The same, but nothing is changed or filed: only a report")
        self._dry = button(theme, self.tr("Dry run"), "", "eye", told)
        self._pause = button(theme, "", "", "pause")
        self._settings = button(theme, self.tr("Settings"), "link")
        self._run.clicked.connect(self._ask_run)
        self._dry.clicked.connect(self._ask_dry)
        self._pause.clicked.connect(self._ask_pause)
        self._settings.clicked.connect(self.settings_requested)
        buttons = row(self._run, self._dry, self._pause, None, spacing=8)
        limits = row(self._limits, self._settings, spacing=8)
        limits.setStretch(0, 1)
        inside = column(
            row(self._title, self._state, None), self._why, self._grid(), buttons, limits, margins=(16, 12, 16, 12)
        )
        self.setLayout(column(card(inside)))

    def set_status(self, status: CuratorStatus) -> None:
        """Show how things stand."""
        self._paused = status.paused
        self._state.show_fact(*self._state_word(status))
        self._why.setText(status.why)
        self._why.setVisible(bool(status.why))
        now = now_utc()
        self._fact("last", self._ago(age_word(status.ran_at, now)) or self.tr("never"), day_word(status.ran_at))
        self._fact("next", self._next(status), day_word(status.next_run_at))
        self._fact("idle", span_word(status.idle_s) if status.idle_s >= 60 else self.tr("in use"))
        self._fact("runs", str(status.run_count))
        self._pause.setText(self.tr("Resume") if status.paused else self.tr("Pause"))
        self._pause.setEnabled(status.enabled)
        for part in (self._run, self._dry):
            part.setEnabled(status.enabled and not status.running)
        limits = status.thresholds
        told = self.tr(
            "Every {hours} h after {idle} h of rest. Stale after {stale} days without use, archived after {archive}. "
            "Skills younger than {young} days are left alone, pinned ones always."
        )
        self._limits.setText(
            told.format(
                hours=f"{limits.interval_hours:g}",
                idle=f"{limits.min_idle_hours:g}",
                stale=f"{limits.stale_after_days:g}",
                archive=f"{limits.archive_after_days:g}",
                young=f"{limits.min_age_days:g}",
            )
        )

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        words = {
            "last": self.tr("Last run"),
            "next": self.tr("Next run"),
            "idle": self.tr("Idle for"),
            "runs": self.tr("Runs"),
        }
        for place, (key, word) in enumerate(words.items()):
            self._facts[key] = label("–", "heading")
            grid.addWidget(label(word, "caption"), 0, place)
            grid.addWidget(self._facts[key], 1, place)
        grid.setColumnStretch(len(words), 1)
        return grid

    def _fact(self, key: str, text: str, tip: str = "") -> None:
        self._facts[key].setText(text or "–")
        self._facts[key].setToolTip(tip)

    def _ago(self, age: str) -> str:
        return self.tr("{age} ago").format(age=age) if age and age != "now" else age

    def _next(self, status: CuratorStatus) -> str:
        if not status.enabled or status.paused:
            return self.tr("not planned")
        if status.next_run_at is None:
            return ""
        ahead = (status.next_run_at - now_utc()).total_seconds()
        return self.tr("in {span}").format(span=span_word(ahead)) if ahead > 60 else self.tr("when idle")

    def _state_word(self, status: CuratorStatus) -> tuple[str, str]:
        if status.running:
            return self.tr("running"), "info"
        if not status.enabled:
            return self.tr("off"), "muted"
        if status.paused:
            return self.tr("paused"), "warn"
        return (self.tr("due"), "info") if status.gate is Gate.OPEN else (self.tr("on"), "active")

    def _ask_run(self) -> None:
        self.run_requested.emit(False)

    def _ask_dry(self) -> None:
        self.run_requested.emit(True)

    def _ask_pause(self) -> None:
        self.pause_requested.emit(not self._paused)
