"""The one hook for exceptions nobody caught: log them, and hop to the main thread, where the window can show them."""

import logging
import sys
import threading
from types import TracebackType

from PySide6.QtCore import QObject, Signal

from app.errors import Failure, failure_from

_log = logging.getLogger(__name__)


class CrashHook(QObject):
    """Installs itself for the main thread and for Python's own threads; never ends the process.

    Signals: failed(Failure) with a traceback in its detail.
    """

    failed = Signal(object)

    def install(self) -> None:
        """Take over from Python's own hooks."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception

    def remove(self) -> None:
        """Give the hooks back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        _log.critical("uncaught", exc_info=(kind, error, trace))
        self.failed.emit(failure_from(error))

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        error = args.exc_value if args.exc_value is not None else args.exc_type()
        _log.critical("uncaught in %s", args.thread, exc_info=error)
        failure: Failure = failure_from(error)
        self.failed.emit(failure)
