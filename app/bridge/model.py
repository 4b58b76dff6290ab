"""The model service: keys in the system's key store, and a test whether a provider answers."""

from collections.abc import Callable, Generator
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.lane import Job, Lane
from app.cancel import CancelToken
from app.cycles.model import ask_once
from app.errors import Failure
from app.providers.address import normal_address
from app.providers.base import Provider
from app.providers.keys import KeyStore
from app.settings import Settings

#: Makes the model the settings name; called in a lane, because it may load much.
ModelMaker = Callable[[Settings, KeyStore], Provider]


class ModelService(QObject):
    """Keys and the connection test.

    Signals: tested(ok, sentence); key_known(whether there is one, where it comes from); failed(Failure) when the key
    store refuses.
    """

    tested = Signal(bool, str)
    key_known = Signal(bool, str)
    failed = Signal(object)

    def __init__(self, keys: KeyStore, make: ModelMaker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._make = make
        self._lane = Lane("model test", self)
        self._job: Job | None = None

    def look_for_key(self, settings: Settings) -> None:
        """Ask whether a key is known for the settings' address, and where it comes from; it is never handed out."""
        self._with_key(settings, normal_address)

    def store_key(self, settings: Settings, key: str) -> None:
        """Keep a key for the settings' address."""
        self._with_key(settings, lambda address: self._keys.store(address, key))

    def forget_key(self, settings: Settings) -> None:
        """Forget the key of the settings' address."""
        self._with_key(settings, self._keys.forget)

    def _with_key(self, settings: Settings, work: Callable[[str], object]) -> None:
        """Do something with the key store, in the lane: it may wait for the desktop or for the user to unlock it."""
        keys = self._keys

        def play(token: CancelToken) -> Generator[Any, None, str]:
            yield from ()
            address = keys.address(settings.model.base_url)
            token.check()
            work(address)
            return str(keys.source(address) or "")

        job = self._lane.submit("key store", play)
        job.finished.connect(self._on_key)
        job.failed.connect(self._on_key_failed)

    def test(self, settings: Settings) -> None:
        """Ask the provider for one word."""
        if self._job is not None:
            return
        keys, make = self._keys, self._make

        def play(token: CancelToken) -> Generator[Any, None, str]:
            yield from ()
            return ask_once(make(settings, keys), token)

        self._job = self._lane.submit("model test", play)
        self._job.finished.connect(self._on_answered)
        self._job.failed.connect(self._on_failed)

    @property
    def lane(self) -> Lane:
        """The lane this works on, for whoever ends it."""
        return self._lane

    @Slot(object)
    def _on_key(self, source: str) -> None:
        self.key_known.emit(bool(source), source)

    @Slot(object)
    def _on_key_failed(self, failure: Failure) -> None:
        self.key_known.emit(False, "")
        self.failed.emit(failure)

    @Slot(object)
    def _on_answered(self, model: str) -> None:
        self._job = None
        self.tested.emit(True, self.tr("{} answers.").format(model))

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._job = None
        self.tested.emit(False, f"{failure.title}. {failure.text}")
