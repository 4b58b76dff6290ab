"""Watching folders with watchdog: one recursive schedule per root, nothing but changes, and honest about its limits.

Plain Python: the observer's threads only fill a set; whoever owns the Watch takes from it. A full watch limit and lost
events are not reported by watchdog, so folders are counted against the system's limit first and a probe file proves
that events arrive (design: dependencies, watch).
"""

import errno
import logging
import os
import secrets
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import watchdog.observers
from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers.api import BaseObserver

from app.bridge.watch_roots import Root
from app.cancel import CancelToken
from app.history.walk import GENERATED

_log = logging.getLogger(__name__)

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    FileClosedEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
]

_FOLDER_EVENTS: list[type[FileSystemEvent]] = [DirCreatedEvent, DirMovedEvent, DirDeletedEvent]
#: More events than this between two looks may have hidden lost ones: look at everything once.
BURST = 2000
_PROBE = ".probe-"
#: In the archive only the coming and going of whole folders is news: `.archive/<folder>`.
_ARCHIVED_FOLDER = 2
#: Folders below which events are dropped.
_UNWATCHED = GENERATED | {".melete", ".curator_backups"}
#: What a system says that has no watches or instances left.
_FULL = frozenset({errno.ENOSPC, errno.EMFILE, errno.ENFILE})
_LIMIT_FILE = Path("/proc/sys/fs/inotify/max_user_watches")


@dataclass(frozen=True, slots=True)
class Watching:
    """What came of starting to watch: roots that are not live after all, and why, empty when all are."""

    polled: tuple[Root, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What was seen since the last look: paths as the library knows them, whether some may be missing, lost roots."""

    paths: frozenset[Path]
    overflow: bool
    lost: frozenset[Path]


class Watch:
    """The watched roots of one library.

    `wake` is called, in a thread of the observer, when the first change arrives after a look.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._paths: set[Path] = set()
        self._count = 0
        self._lost: set[Path] = set()
        self._observer: BaseObserver | None = None
        self._probe = ""
        self._probe_seen = threading.Event()

    def start(self, roots: Sequence[Root], probe_folder: Path | None, token: CancelToken) -> Watching:
        """Watch these roots, and say which of them have to be polled.

        Blocks while folders are counted and watches are made: call it from a lane. `probe_folder` is a writable folder
        inside the first root, None when there is none.
        """
        self.stop()
        # watchdog warns when a folder moves inside the tree; it re-registers the folder, nothing is lost.
        warnings.filterwarnings("ignore", message="Callback with id", category=RuntimeWarning)
        # It also logs events that arrive while an observer is being stopped as errors; they are of no use to anybody.
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)
        reason = self._over_limit(roots, token)
        if reason or not roots:
            return Watching(tuple(roots), reason)
        observer = self._observer = watchdog.observers.Observer()
        try:
            observer.start()
        except OSError as error:
            self.stop()
            return Watching(tuple(roots), _refusal(error))
        watching = self._schedule(observer, roots)
        if watching.polled == tuple(roots):
            self.stop()
        elif probe_folder is not None and roots[0] not in watching.polled and not self._events_arrive(probe_folder):
            self.stop()
            return Watching(tuple(roots), "Changes on this drive are not reported by the system.")
        return watching

    def _schedule(self, observer: BaseObserver, roots: Sequence[Root]) -> Watching:
        """One schedule per root. A root that cannot be watched is polled; a system that is full polls all of them."""
        polled: list[Root] = []
        reason = ""
        for root in roots:
            try:
                observer.schedule(_Handler(self, root), str(root.real), recursive=True, event_filter=_EVENTS)
                if not root.linked:
                    above = _RootHandler(self, root)
                    observer.schedule(above, str(root.real.parent), recursive=False, event_filter=_FOLDER_EVENTS)
            except OSError as error:
                _log.info("%s cannot be watched live: %s", root.real, error)
                reason = _refusal(error)
                if error.errno in _FULL:
                    return Watching(tuple(roots), reason)
                polled.append(root)
        return Watching(tuple(polled), reason)

    def stop(self) -> None:
        """End the observer's threads and forget what was seen."""
        with self._lock:  # from here on nobody is woken, also by a thread that does not end in time
            observer, self._observer = self._observer, None
        if observer is not None:
            _stop_quietly(observer)
        self.take()

    @property
    def running(self) -> bool:
        """Whether live watching is on."""
        return self._observer is not None

    def take(self) -> Changes:
        """Everything seen since the last call."""
        with self._lock:
            changes = Changes(frozenset(self._paths), self._count > BURST, frozenset(self._lost))
            self._paths.clear()
            self._lost.clear()
            self._count = 0
        return changes

    def note(self, root: Root, path: Path, *, gone_root: bool) -> None:
        """Remember one changed path (called by the handler, in the observer's thread)."""
        if self._probe and path.name == self._probe:
            self._probe_seen.set()
            return
        parts = path.relative_to(root.real).parts if path.is_relative_to(root.real) else ()
        if not _UNWATCHED.isdisjoint(parts) or path.name.endswith((".tmp", ".lock", "~", ".swp")):
            return
        if parts[:1] == (".archive",) and len(parts) > _ARCHIVED_FOLDER:
            return
        shown = root.shown.joinpath(*parts)
        with self._lock:
            first = not self._paths and not self._lost
            self._count += 1
            if gone_root:
                self._lost.add(root.shown)
            elif len(self._paths) <= BURST:
                self._paths.add(shown)
            if first and self._observer is not None:
                self._wake()

    def _events_arrive(self, folder: Path) -> bool:
        self._probe = f"{_PROBE}{secrets.token_hex(6)}"
        self._probe_seen.clear()
        probe = folder / self._probe
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe.write_bytes(b"")
        except OSError:
            return True  # a read-only library cannot be probed; the count said there is room
        try:
            return self._probe_seen.wait(2.0)
        finally:
            probe.unlink(missing_ok=True)
            self._probe = ""

    def _over_limit(self, roots: Sequence[Root], token: CancelToken) -> str:
        limit = watch_limit()
        if limit is None:
            return ""
        count = 0
        for root in roots:
            for _ in os.walk(root.real):
                count += 1
                if count % 256 == 0:
                    token.check()
                if count > limit:
                    return f"The library has more folders than the system may watch ({limit})."
        return ""


def watch_limit() -> int | None:
    """How many folders this user may watch on Linux; None where there is no such limit."""
    try:
        return int(_LIMIT_FILE.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


class _Handler(FileSystemEventHandler):
    def __init__(self, watch: Watch, root: Root) -> None:
        self._watch = watch
        self._root = root

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Pass on both ends of the event; a folder's own `modified` says nothing that its children do not say."""
        if isinstance(event, DirModifiedEvent):
            return
        for raw in (event.src_path, event.dest_path):
            if not raw:
                continue
            path = Path(os.fsdecode(raw))
            gone = path == self._root.real and event.event_type in {"deleted", "moved"}
            self._watch.note(self._root, path, gone_root=gone)


class _RootHandler(FileSystemEventHandler):
    """Looks at a root from above: one that is moved away, or replaced, tells nothing of it itself."""

    def __init__(self, watch: Watch, root: Root) -> None:
        self._watch = watch
        self._root = root

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Only the root's own coming and going counts."""
        real = self._root.real
        if real in {Path(os.fsdecode(raw)) for raw in (event.src_path, event.dest_path) if raw}:
            self._watch.note(self._root, real, gone_root=True)


def _refusal(error: OSError) -> str:
    return f"The system refuses more watches ({error.strerror or error})."


def _stop_quietly(observer: BaseObserver) -> None:
    observer.unschedule_all()
    if observer.is_alive():
        observer.stop()
        observer.join(2.0)
