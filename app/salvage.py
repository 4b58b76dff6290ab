"""Reading what can still be read of a damaged SQLite file. The damaged file itself is renamed and never written."""

import contextlib
import logging
import os
import shutil
import sqlite3
from pathlib import Path

_log = logging.getLogger(__name__)

_MAGIC = b"SQLite format 3\0"


def beside(path: Path, ending: str) -> Path:
    """The file next to a database whose name is the database's with `ending` after it."""
    return path.with_name(path.name + ending)


def replace(path: Path, fresh: Path, stamp: str) -> Path:
    """Keep what is at `path` as `<name>.corrupt-<stamp>` and put the closed database `fresh` in its place.

    Returns where the old file lies. Nothing is overwritten, and at no time is there no database at `path` for another
    process to begin anew.
    """
    number, kept = 1, beside(path, f".corrupt-{stamp}")
    while kept.exists() or beside(kept, "-wal").exists():
        number += 1
        kept = beside(path, f".corrupt-{stamp}-{number}")
    with contextlib.suppress(FileNotFoundError):
        beside(path, "-wal").rename(beside(kept, "-wal"))
    if path.is_file():
        try:
            kept.hardlink_to(path)
        except OSError:  # a file system without hard links
            path.rename(kept)
    elif path.exists():
        path.rename(kept)
    for ending in ("-shm", ".check"):
        beside(path, ending).unlink(missing_ok=True)
    fresh.replace(path)
    return kept


def remove(path: Path) -> None:
    """Remove a database and what belongs to it, if it is there."""
    for ending in ("", "-wal", "-shm"):
        beside(path, ending).unlink(missing_ok=True)


def salvage(damaged: Path, target: sqlite3.Connection) -> int:
    """Copy every row that can be read, table by table, from a copy of the damaged file; returns how many."""
    copy = beside(damaged, ".reading")
    try:
        shutil.copyfile(damaged, copy)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(beside(damaged, "-wal"), beside(copy, "-wal"))
        _mend_header(copy, target)
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as source:
            # Without this SQLite refuses to read a file that is shorter than its header says.
            source.execute("PRAGMA writable_schema = ON")
            source.text_factory = lambda raw: raw.decode("utf-8", "replace")
            target.execute("PRAGMA foreign_keys = OFF")
            sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('migration', 'sqlite_sequence')"
            return sum(_copy_table(source, target, row[0]) for row in target.execute(sql).fetchall())
    except (sqlite3.DatabaseError, OSError) as error:
        _log.info("nothing more can be read from %s: %s", damaged, error)
        return 0
    finally:
        target.execute("PRAGMA foreign_keys = ON")
        remove(copy)


def _mend_header(copy: Path, target: sqlite3.Connection) -> None:
    """Give a file whose first bytes are gone the header of a new database, for its other pages may be whole."""
    with copy.open("r+b") as stream:
        if stream.read(len(_MAGIC)) == _MAGIC:
            return
        page = target.execute("PRAGMA page_size").fetchone()[0]
        pages = stream.seek(0, os.SEEK_END) // page
        header = bytearray(_MAGIC + page.to_bytes(2, "big") + bytes((1, 1, 0, 64, 32, 32)) + bytes(76))
        header[28:32] = pages.to_bytes(4, "big")
        header[44:48] = (4).to_bytes(4, "big")  # schema format
        header[56:60] = (1).to_bytes(4, "big")  # UTF-8
        stream.seek(0)
        stream.write(header)


def _copy_table(source: sqlite3.Connection, target: sqlite3.Connection, table: str) -> int:
    try:
        there = {row[1] for row in source.execute(f'PRAGMA table_info("{table}")')}
        columns = [row[1] for row in target.execute(f'PRAGMA table_info("{table}")') if row[1] in there]
    except sqlite3.DatabaseError:
        return 0
    if not columns:
        return 0
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    before = target.total_changes
    target.execute("BEGIN IMMEDIATE")
    # From both ends, because reading stops at the first damaged page.
    for order in ("ASC", "DESC"):
        try:
            for row in source.execute(f'SELECT {names} FROM "{table}" ORDER BY rowid {order}'):
                target.execute(f'INSERT OR IGNORE INTO "{table}" ({names}) VALUES ({marks})', tuple(row))
        except sqlite3.DatabaseError as error:
            _log.info("%s: not all rows of %s can be read: %s", source, table, error)
            continue
        break
    target.commit()
    return target.total_changes - before
