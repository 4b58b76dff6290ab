"""One window per home: a second start asks the first to come to the front, and ends.

A lock file in the home decides who is first, so that two starts in the same moment cannot both be; a local socket is
how the second reaches the first.
"""

import hashlib
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QThread, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 500
_PAUSE_MS = 50
#: How often the first window is asked before it is taken for one that hangs: it may only just be starting or closing.
_ASKED = 60
_LOCK = "melete.window.lock"


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
        self._lock = QLockFile(str(home.resolve() / _LOCK))
        self._lock.setStaleLockTime(0)  # however old: it is stale only when its process has ended

    def claim(self) -> bool:
        """Become the home's window. False when another one is there; it has been asked to come to the front."""
        for _ in range(_ASKED):
            if self._lock.tryLock(0):
                # Ours now: what is left of a crashed process would block the name.
                QLocalServer.removeServer(self._name)
                self._server.listen(self._name)
                return True
            if self._ask_first():
                return False
            if self._lock.error() is not QLockFile.LockError.LockFailedError:
                # The home cannot be written: only the socket can tell, and nobody answered.
                QLocalServer.removeServer(self._name)
                return self._server.listen(self._name)
            QThread.msleep(_PAUSE_MS)
        return False

    def release(self) -> None:
        """Give the name back."""
        self._server.close()
        self._lock.unlock()

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
