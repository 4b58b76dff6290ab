"""The memory service: both stores as shown, and the user's own changes to them."""

from PySide6.QtCore import Signal, Slot

from app.bridge.service import Service
from app.cycles.home import OpenHome
from app.history.values import Origin
from app.memory.values import MemoryBy, MemoryReceipt, Target

_USER = MemoryBy(Origin.USER)


class MemoryService(Service):
    """What is remembered.

    Signals: viewed(MemoryView), once per store; refused(Target, sentence); written(ledger entry);
    changed() after a write.
    """

    viewed = Signal(object)
    refused = Signal(object, str)
    written = Signal(str)
    changed = Signal()

    @Slot()
    def refresh(self) -> None:
        """Read both stores again."""
        self._ask("reading memory", _views, self._on_views)

    def add(self, target: Target, text: str) -> None:
        """Add an entry in the user's own words."""
        self._write(target, lambda home: home.memory_writer.add(target, text, _USER, text))

    def replace(self, target: Target, old: str, new: str) -> None:
        """Put another text in an entry's place."""
        self._write(target, lambda home: home.memory_writer.replace(target, old, new, _USER, new))

    def remove(self, target: Target, text: str) -> None:
        """Remove an entry; it goes to the archive file."""
        self._write(target, lambda home: home.memory_writer.remove(target, text, _USER))

    def _write(self, target: Target, question: object) -> None:
        def answer(home: OpenHome) -> object:
            return target, question(home)  # type: ignore[operator]

        self._ask("changing memory", answer, self._on_written)

    @Slot(object)
    def _on_views(self, views: tuple[object, ...]) -> None:
        for view in views:
            self.viewed.emit(view)

    @Slot(object)
    def _on_written(self, answer: tuple[Target, MemoryReceipt]) -> None:
        target, receipt = answer
        if not receipt.ok:
            self.refused.emit(target, receipt.why)
        elif receipt.entry:
            self.written.emit(receipt.entry)
        self.changed.emit()
        self.refresh()


def _views(home: OpenHome) -> object:
    home.reload_settings()
    return tuple(home.memory.view(target) for target in Target)
