"""The newest picture of a library that any thread of this process has taken, for the others to begin from.

Where there is none yet, a look begins from what an earlier process kept in the scan cache.
"""

import threading

from app.paths import Home
from app.settings import LibrarySettings
from app.skills.scan import Seen
from app.skills.scan_cache import Kept, kept_of, load_cache, store_cache
from app.skills.values import Library

#: The cache is written anew when so many skills, and one in so many, would have to be read without it.
_FEWEST = 20
_ONE_IN = 50


class LastLook:
    """Holds one frozen Library. Reading and replacing it are single steps, so threads need no lock; which of two looks
    of the same moment stays does not matter, since every look checks against the disk what it takes over.
    """

    def __init__(self) -> None:
        self.library: Library | None = None
        self._cached: Library | None = None
        self._on_disk: Kept | None = None
        self._lock = threading.Lock()

    def before(self, home: Home, settings: LibrarySettings) -> Library | None:
        """What a look begins from: the last one of this process, else what the cache keeps, which has no rows."""
        if self.library is not None:
            return self.library
        with self._lock:
            if self._on_disk is None:
                self._cached = load_cache(home, settings)
                self._on_disk = kept_of(self._cached) if self._cached is not None else {}
            return self._cached

    def keep(self, home: Home) -> None:
        """Write the cache when it would save the next process some work: blocks, so never on the main thread."""
        library = self.library
        if library is None or not isinstance(library.seen, Seen):
            return
        kept = kept_of(library)
        with self._lock:
            self._cached = None
            before = self._on_disk or {}
            stale = sum(before.get(folder) != one for folder, one in kept.items()) + len(before.keys() - kept.keys())
            if kept and stale >= max(_FEWEST, len(kept) // _ONE_IN):
                self._on_disk = kept
                store_cache(home, library.seen.roots, kept)
