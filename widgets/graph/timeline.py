"""The slider that shows the library as it was: every step of its history, played or picked."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QSlider, QWidget

from widgets.common.parts import ElidedLabel, button, column, row, tool_button
from widgets.common.theme import Theme

#: Milliseconds a step stays on the screen while the history is played, and between a move and its request.
_STEP_MS = 650
_PICK_MS = 90


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of the history: its entry, when it was, and what happened, in words."""

    entry: str
    when: str
    what: str


class Timeline(QFrame):
    """Signals: moment_chosen(entry id, empty for now). While playing, the next step waits for `arrived`."""

    moment_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._moments: tuple[Moment, ...] = ()
        self._asked = ""
        self._playing = False
        self.setProperty("ground", "surface")
        self.setProperty("edge", "top")
        told = self.tr("Play the history (P)")
        self._play = tool_button(theme, "play", self.tr("Play"), told, checkable=True)
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setAccessibleName(self.tr("Moment of the library"))
        self._slider.setPageStep(5)
        self._told = ElidedLabel(theme, "muted")
        self._now = button(theme, self.tr("Now"), "link", "", self.tr("Back to the library as it is"))
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.setInterval(_STEP_MS)
        self._next.timeout.connect(self._go_on)
        self._pick = QTimer(self)
        self._pick.setSingleShot(True)
        self._pick.setInterval(_PICK_MS)
        self._pick.timeout.connect(self._ask)
        self._play.toggled.connect(self._set_playing)
        self._slider.valueChanged.connect(self._on_value)
        self._now.clicked.connect(self.go_to_now)
        above = row(self._play, self._slider, self._now, spacing=8)
        above.setStretch(1, 1)
        self.setLayout(column(above, self._told, margins=(8, 4, 12, 4), spacing=0))
        self._say()

    def set_moments(self, moments: Sequence[Moment]) -> None:
        """Take the steps, oldest first. The last place of the slider is now."""
        at_now = self._slider.value() >= len(self._moments)
        self._moments = tuple(moments)
        was = self._slider.blockSignals(True)
        self._slider.setRange(0, len(moments))
        if at_now:
            self._slider.setValue(len(moments))
        self._slider.blockSignals(was)
        self._play.setEnabled(bool(moments))
        self._slider.setEnabled(bool(moments))
        self._say()

    def arrived(self) -> None:
        """The picture of the asked moment is shown; a playing history goes on after a while."""
        if self._playing:
            self._next.start()

    def go_to_now(self) -> None:
        """Back to the library as it is."""
        self.stop()
        self._slider.setValue(len(self._moments))

    def toggle_play(self) -> None:
        """Play or pause."""
        self._play.toggle()

    def stop(self) -> None:
        """Stop playing."""
        self._play.setChecked(False)

    @property
    def moment(self) -> Moment | None:
        """The shown step, None for now."""
        at = self._slider.value()
        return self._moments[at] if at < len(self._moments) else None

    @property
    def playing(self) -> bool:
        """Whether the history is being played."""
        return self._playing

    def _set_playing(self, on: bool) -> None:
        self._playing = on
        self._theme.bind_icon(self._play, "pause" if on else "play", "muted")
        if not on:
            self._next.stop()
            return
        if self.moment is None:
            self._slider.setValue(0)
        self._ask()

    def _go_on(self) -> None:
        self._slider.setValue(self._slider.value() + 1)
        if self.moment is None:
            self.stop()

    def _on_value(self, _value: int) -> None:
        self._say()
        self._pick.start()

    def _ask(self) -> None:
        self._pick.stop()
        wanted = self.moment.entry if self.moment is not None else ""
        if wanted != self._asked:
            self._asked = wanted
            self.moment_chosen.emit(wanted)
        elif self._playing:
            self._next.start()

    def _say(self) -> None:
        moment = self.moment
        if not self._moments:
            text = self.tr("No step was recorded yet.")
        elif moment is None:
            text = self.tr("Now. Drag the slider, or play, to see the library as it was.")
        else:
            text = f"{moment.when}  ·  {moment.what}"
        self._told.set_text(text)
        self._slider.setAccessibleDescription(text)
