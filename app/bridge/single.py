"""One window per home: a second start asks the first to come to the front, and ends."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 500


class SingleWindow(QObject):
    """Claims the window of a home.

    Signals: raise_requested() when a second start asks this one to come to the front.
    """

    raise_requested = Signal()

    def __init__(self, home: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = "melete-" + hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:24]
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def claim(self) -> bool:
        """Become the home's window. False when another one is there; it has been asked to come to the front."""
        if self._ask_first():
            return False
        # Nobody answered: what is left of a crashed process would block the name.
        QLocalServer.removeServer(self._name)
        return self._server.listen(self._name)

    def release(self) -> None:
        """Give the name back."""
        self._server.close()

    def _ask_first(self) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_WAIT_MS):
            return False
        socket.write(b"raise\n")
        socket.waitForBytesWritten(_WAIT_MS)
        socket.disconnectFromServer()
        return True

    @Slot()
    def _on_connection(self) -> None:
        connection = self._server.nextPendingConnection()
        if connection is not None:
            connection.disconnected.connect(connection.deleteLater)
            connection.close()
        self.raise_requested.emit()
