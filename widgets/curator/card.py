"""The status card: on or paused, when it ran and will run, which gate holds it, its thresholds, and the buttons."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.curator.values import CuratorStatus, Gate
from widgets.common.ages import age_word, now_utc, span_word
from widgets.common.chips import Chip
from widgets.common.flow import FlowLayout
from widgets.common.parts import ElidedLabel, button, card, column, label, row
from widgets.common.theme import Theme
from widgets.common.times import local_time
from widgets.curator.words import budget_word, gates_of

#: Narrower than this, the less used buttons show their icon only.
_WORDS_FROM = 520


class StatusCard(QWidget):
    """Signals: run_requested(dry run), pause_requested(paused), settings_requested()."""

    run_requested = Signal(bool)
    pause_requested = Signal(bool)
    settings_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paused = False
        self._low = False
        self._words: dict[QPushButton, str] = {}
        self._state = Chip(theme)
        self._why = label(wrap=True)
        self._facts = ElidedLabel(theme, "muted")
        self._limits = label(role="caption", wrap=True)
        self._gates = [Chip(theme) for _ in range(4)]
        self._gate_row = QWidget()
        flow = FlowLayout(self._gate_row, spacing=6)
        for chip in self._gates:
            flow.addWidget(chip)
        self._run = button(theme, self.tr("Run now"), "primary", "play", self.tr("Look through the library now"))
        told = self.tr("The same, but nothing is changed or filed: only a report")
        self._dry = button(theme, self.tr("Dry run"), "", "eye", told)
        self._pause = button(theme, "", "", "pause")
        self._settings = button(theme, self.tr("Settings"), "", "settings", self.tr("Thresholds and budget"))
        self._run.clicked.connect(self._ask_run)
        self._dry.clicked.connect(self._ask_dry)
        self._pause.clicked.connect(self._ask_pause)
        self._settings.clicked.connect(self.settings_requested)
        head = row(
            label(self.tr("Curator"), "title"),
            self._state,
            None,
            self._run,
            self._dry,
            self._pause,
            self._settings,
            spacing=6,
        )
        self._inside = column(
            head, self._why, self._facts, self._gate_row, self._limits, margins=(14, 8, 12, 10), spacing=6
        )
        self.setLayout(column(card(self._inside)))

    def set_low(self, low: bool) -> None:
        """In a low page the thresholds are in the tooltip."""
        self._low = low
        self._limits.setVisible(not low)
        self._gate_row.setVisible(not low)
        self._inside.setSpacing(3 if low else 6)
        self._tell()

    def set_status(self, status: CuratorStatus) -> None:
        """Show how things stand."""
        self._paused = status.paused
        self._state.show_fact(*self._state_word(status))
        cut = self.tr("The last run was cut short: what it had found is kept. ") if status.cut_short else ""
        self._why.setText(cut + status.why)
        self._why.setVisible(bool(self._why.text()))
        self._facts.set_text(self._fact_line(status))
        for chip, (word, is_open) in zip(self._gates, gates_of(status), strict=True):
            chip.show_fact(word, "active" if is_open else "warn")
        self._words = {
            self._dry: self.tr("Dry run"),
            self._pause: self.tr("Resume") if status.paused else self.tr("Pause"),
            self._settings: self.tr("Settings"),
        }
        self._pause.setToolTip(self._words[self._pause])
        self._pause.setAccessibleName(self._words[self._pause])
        self._pause.setEnabled(status.enabled)
        for part in (self._run, self._dry):
            part.setEnabled(status.enabled and not status.running)
        self._limits.setText(self._limit_line(status))
        self._tell()
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words on the buttons where there is room for them."""
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """Buttons lose their words before the page gets wide."""
        return QSize(320, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        worded = self.width() >= _WORDS_FROM
        for part, word in self._words.items():
            part.setText(word if worded else "")
            part.setFixedWidth(part.sizeHint().width() if worded else 34)

    def _tell(self) -> None:
        gates = ", ".join(chip.text for chip in self._gates if chip.text)
        self.setToolTip(f"{gates}\n{self._limits.text()}" if self._low else "")

    def _fact_line(self, status: CuratorStatus) -> str:
        now = now_utc()
        ran = status.ran_at
        last = self._ago(age_word(ran, now)) if ran is not None else self.tr("never")
        count = self.tr("1 run") if status.run_count == 1 else self.tr("{n} runs").format(n=status.run_count)
        parts = [
            self.tr("Last run: {when}").format(when=last),
            self.tr("Next: {when}").format(when=self._next(status)),
            count,
        ]
        self._facts.setAccessibleDescription(local_time(ran, ""))
        return "  ·  ".join(parts)

    def _limit_line(self, status: CuratorStatus) -> str:
        limits = status.thresholds
        told = self.tr(
            "Every {hours} h after {idle} h of rest. Stale after {stale} days without use, archived after {archive}. "
            "Skills younger than {young} days are left alone, pinned ones always. A run may use {budget}."
        )
        return told.format(
            hours=f"{limits.interval_hours:g}",
            idle=f"{limits.min_idle_hours:g}",
            stale=f"{limits.stale_after_days:g}",
            archive=f"{limits.archive_after_days:g}",
            young=f"{limits.min_age_days:g}",
            budget=budget_word(status.budget),
        )

    def _ago(self, age: str) -> str:
        return self.tr("{age} ago").format(age=age) if age and age != "now" else age

    def _next(self, status: CuratorStatus) -> str:
        if not status.enabled or status.paused or status.next_run_at is None:
            return self.tr("not planned")
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
