"""The fetching process: `python -m app.exchange.fetch_process` reads a wish from its input and tells its progress.

Objects of one commit are fetched into a new bare repository: no history, no tags, no submodules, no checkout, none of
the user's settings. It stops by itself at the size limit and when the server is silent or slow for too long.
"""

import faulthandler
import json
import sys
import time
from typing import Any

import pygit2

from app.history.repository import shut_out_settings

_CONNECT_MS = 20_000
_SILENT_MS = 30_000
_LONGEST_S = 600
_EVERY_S = 0.1


class _TooLarge(Exception):  # noqa: N818 - it ends a transfer
    """The transfer passed the limit."""


class _Bounded(pygit2.RemoteCallbacks):  # type: ignore[misc]  # the library has no types
    """Watches a transfer: tells its size and stops it at the limit. There are no credentials to give."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._told = 0.0

    def transfer_progress(self, stats: Any) -> None:  # noqa: ANN401 - the library's own statistics
        """Called for every part that arrived."""
        if stats.received_bytes > self._limit:
            raise _TooLarge(f"{stats.received_bytes} bytes")
        if time.monotonic() - self._told > _EVERY_S:
            self._told = time.monotonic()
            _say({"bytes": int(stats.received_bytes)})


def main() -> None:
    """Fetch once and end."""
    faulthandler.dump_traceback_later(_LONGEST_S, exit=True)
    wish = json.loads(sys.stdin.buffer.read())
    try:
        _fetch(wish)
    except _TooLarge as error:
        _say({"error": str(error), "large": True})
    except (pygit2.GitError, ValueError, KeyError, OSError) as error:
        _say({"error": str(error).strip() or type(error).__name__})
    else:
        _say({"done": True})


def _fetch(wish: dict[str, Any]) -> None:
    shut_out_settings()
    pygit2.settings.server_connect_timeout = _CONNECT_MS
    pygit2.settings.server_timeout = _SILENT_MS
    repository = pygit2.init_repository(wish["into"], bare=True, initial_head="import")
    remote = repository.remotes.create_anonymous(wish["url"])
    names = [f"refs/heads/{wish['ref']}", f"refs/tags/{wish['ref']}"] if wish["ref"] else ["HEAD"]
    for name in names:
        remote.fetch([f"+{name}:refs/heads/import"], callbacks=_Bounded(wish["limit"]), depth=1)
        if "refs/heads/import" in repository.references:
            return
    raise ValueError(f"there is no branch or tag {wish['ref']!r}" if wish["ref"] else "the repository is empty")


def _say(what: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
