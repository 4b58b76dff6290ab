"""Reads an opened file if it is a plain one, whatever it was opened as; the handle is closed in any case."""

import os
import stat

_STEP = 1 << 16


def read_plain(handle: int, limit: int) -> bytes | None:
    """At most `limit` bytes from a handle; None when it is no plain file. Raises OSError."""
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        parts: list[bytes] = []
        left = limit
        while left > 0 and (part := os.read(handle, min(left, max(status.st_size + 1, _STEP)))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(handle)
