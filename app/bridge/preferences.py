"""The settings as the window changes them: one value at a time, saved at once, told once."""

from PySide6.QtCore import QObject, Signal

from app.cycles.home import read_settings
from app.errors import AppError, failure_from
from app.paths import Home
from app.settings import Settings, save_settings, with_value


class Preferences(QObject):
    """Owns the settings of the window's home.

    Signals: changed(Settings, section); refused(section, key, sentence) for a value that does not fit; failed(Failure).
    """

    changed = Signal(object, str)
    refused = Signal(str, str, str)
    failed = Signal(object)

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._settings = read_settings(home)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    def set_value(self, section: str, key: str, value: object) -> None:
        """Change one value and save. What is on disk is read first, so that an edit in a text editor survives."""
        try:
            changed = with_value(read_settings(self._home), section, key, value)
        except AppError as error:
            self.refused.emit(section, key, error.text)
            return
        try:
            save_settings(self._home.settings, changed)
        except AppError as error:
            self.failed.emit(failure_from(error))
            return
        self._settings = changed
        self.changed.emit(changed, section)
