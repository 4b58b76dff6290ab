"""Sources made on the spot: folders, archives with whatever a hostile one could hold, and bare repositories."""

import io
import os
import stat
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pygit2
import pytest

from app.history.repository import shut_out_settings

TEXT = "---\nname: {name}\ndescription: {about}\n---\n\n# {name}\n"


def skill_text(name: str, about: str = "A sample. Use in tests.") -> bytes:
    return TEXT.format(name=name, about=about).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[Mapping[str, bytes]], Path]:
    """Write files below a new folder."""

    def make(files: Mapping[str, bytes], name: str = "source") -> Path:
        root = tmp_path / name
        for path, data in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        return root

    return make


@pytest.fixture
def archive(tmp_path: Path) -> Callable[..., Path]:
    """Write a zip from (name, data) pairs, names as they are; `modes` sets Unix modes by name."""

    def make(rows: list[tuple[str, bytes]], modes: Mapping[str, int] | None = None, name: str = "source.zip") -> Path:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
            for path, data in rows:
                info = zipfile.ZipInfo("x" * len(path.encode()))
                info.filename = path
                info.create_system = 3
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = (modes or {}).get(path, 0o100644) << 16
                target.writestr(info, data)
        made = tmp_path / name
        made.write_bytes(stream.getvalue())
        return made

    return make


@pytest.fixture
def bare(tmp_path: Path) -> Callable[..., Path]:
    """Make a bare repository whose branch holds these files; values are bytes, or (mode, bytes)."""

    def make(files: Mapping[str, bytes | tuple[int, bytes]], name: str = "source.git") -> Path:
        shut_out_settings()
        path = tmp_path / name
        repository = pygit2.init_repository(path, bare=True, initial_head="main")
        tree = _tree(
            repository,
            {path: value if isinstance(value, tuple) else (0o100644, value) for path, value in files.items()},
        )
        who = pygit2.Signature("A", "a@example.org", 0, 0)
        parents = [repository.head.target] if not repository.head_is_unborn else []
        repository.create_commit("refs/heads/main", who, who, "x", tree, parents)
        repository.free()
        return path

    return make


def _tree(repository: pygit2.Repository, files: Mapping[str, tuple[int, bytes]]) -> pygit2.Oid:
    """Store a tree as the plain bytes git prescribes: hostile names included."""
    here: dict[str, tuple[int, bytes]] = {}
    below: dict[str, dict[str, tuple[int, bytes]]] = {}
    for path, value in files.items():
        head, _, rest = path.partition("/")
        if rest:
            below.setdefault(head, {})[rest] = value
        else:
            here[head] = value
    rows = [(name.encode(), 0o40000, _tree(repository, inner)) for name, inner in below.items()]
    for name, (mode, data) in here.items():
        raw = name.replace("\u2215", "/").encode()  # a slash inside one name, which no path could give
        target = data.hex()[:40] if mode == 0o160000 else None
        oid = pygit2.Oid(hex=target) if target else repository.create_blob(data)
        rows.append((raw, mode, oid))
    rows.sort(key=lambda row: row[0] + (b"/" if row[1] == 0o40000 else b""))
    data = b"".join(f"{mode:o} ".encode() + raw + b"\0" + oid.raw for raw, mode, oid in rows)
    return repository.odb.write(int(pygit2.enums.ObjectType.TREE), data)


SYMLINK = stat.S_IFLNK | 0o777
DEVICE = stat.S_IFCHR | 0o644
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
