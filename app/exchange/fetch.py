"""Fetches one commit of a repository into a folder of its own, in a child process that can be stopped at any moment.

A process, because a server that says nothing holds a library call for as long as it likes, and because whatever a
hostile server makes of the library stays out of the window.
"""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import IO

import app
from app.cancel import Cancelled, CancelToken
from app.errors import AppError, Kind
from app.exchange.limits import Limits
from app.exchange.values import Location, Progress


def fetch(location: Location, into: Path, limits: Limits, token: CancelToken) -> Generator[Progress, None, None]:
    """Fetch the newest commit of the location's branch into the bare repository `into`, which is made.

    Yields the progress. Raises Cancelled at once when the token is set, AppError(STORAGE) with the server's or the
    network's reason, AppError(INVALID) when it is larger than the limit.
    """
    token.check()
    wish = {"url": location.place, "ref": location.ref, "into": str(into), "limit": limits.packed}
    process = subprocess.Popen(
        [sys.executable, "-m", "app.exchange.fetch_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    forget = token.on_cancel(process.kill)
    last: dict[str, object] = {}
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(wish).encode())
        process.stdin.close()
        yield Progress(f"Fetching {location.place}")
        for last in _lines(process.stdout):
            if "bytes" in last:
                yield Progress(f"Fetching {location.place}", int(str(last["bytes"])))
    except BrokenPipeError:
        last = {}  # the child is gone already; how it ended is told below
    finally:
        forget()
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    if token.cancelled:
        raise Cancelled
    if not last.get("done"):
        raise _failed(location, str(last.get("error", "")), large=bool(last.get("large")))


def _lines(stream: IO[bytes]) -> Generator[dict[str, object], None, None]:
    for line in stream:
        loaded = json.loads(line)
        if isinstance(loaded, dict):
            yield loaded


def _failed(location: Location, why: str, *, large: bool) -> AppError:
    if large:
        text = f"{location.place} is larger than allowed. Clone it yourself and import the folder you need."
        return AppError(Kind.INVALID, "Too large to import", text, detail=why)
    reason = why or "the connection took too long"
    text = f"{location.place} could not be fetched: {reason}. Check the address and the network, then try again."
    return AppError(Kind.STORAGE, "Not fetched", text, detail=why)


def _environment() -> dict[str, str]:
    """The child's environment: this very package is importable, whatever the current folder is."""
    here = str(Path(app.__file__).parent.parent)
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, before] if before else [here])}
