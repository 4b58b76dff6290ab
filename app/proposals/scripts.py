"""Which changes bring something that can be run: those always need a person and never go through in a batch."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from app.history.values import Blob, BlobKind, Snapshot


def is_script(path: str, blob: Blob) -> bool:
    """Whether a file of a skill can be run: below `scripts/`, with the execute bit, or beginning with `#!`."""
    below_scripts = "scripts" in PurePosixPath(path).parts[:-1]
    return below_scripts or blob.kind is BlobKind.EXECUTABLE or blob.data.startswith(b"#!")


def script_changes(before: Snapshot | None, after: Snapshot | None) -> tuple[str, ...]:
    """The scripts that a change adds, alters or removes; archiving a folder keeps its scripts and counts as none."""
    if after is None:
        return ()
    old: Mapping[str, Blob] = before or {}
    differing = sorted(path for path in {*old, *after} if old.get(path) != after.get(path))
    return tuple(
        path for path in differing if any(is_script(path, side[path]) for side in (old, after) if path in side)
    )
