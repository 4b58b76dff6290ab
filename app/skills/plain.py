"""Reads an opened file if it is a plain one, whatever it was opened as; the handle is closed in any case."""

import os
import stat


def read_plain(handle: int, limit: int) -> bytes | None:
    """At most `limit` bytes from a handle; None when it is no plain file. Raises OSError."""
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        # Not owned by the stream: a stream that cannot be made would leave the handle open.
        with os.fdopen(handle, "rb", closefd=False) as stream:
            return stream.read(limit)
    finally:
        os.close(handle)
