"""A git server on this machine that speaks just enough of the smart protocol for one shallow fetch, or says nothing."""

import hashlib
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pygit2

_FLUSH = b"0000"
_PART = 65_000


def _line(data: bytes) -> bytes:
    return f"{len(data) + 4:04x}".encode() + data


class GitServer:
    """Serves the bare repository `path` at `url` while the block runs; `silent` accepts and never answers."""

    def __init__(self, path: Path, *, silent: bool = False) -> None:
        self.path = path
        self.silent = silent
        self.asked = threading.Event()
        self._end = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        """The repository's address."""
        return f"http://127.0.0.1:{self._server.server_port}/{self.path.name}"

    def __enter__(self) -> "GitServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def wait(self) -> None:
        """Keep a request waiting until the block ends."""
        self.asked.set()
        self._end.wait(20)

    def refs(self) -> bytes:
        """What the repository offers."""
        repository = pygit2.Repository(str(self.path))
        tip = str(repository.head.target)
        rows = [f"{tip} HEAD\0shallow side-band-64k ofs-delta agent=fake\n", f"{tip} {repository.head.name}\n"]
        repository.free()
        return _line(b"# service=git-upload-pack\n") + _FLUSH + b"".join(_line(row.encode()) for row in rows) + _FLUSH

    def pack(self) -> bytes:
        """The newest commit alone, as a shallow clone gets it."""
        repository = pygit2.Repository(str(self.path))
        commit = repository[repository.head.target]
        objects = [(commit.type, commit.read_raw()), *_below(repository, commit.tree)]
        data = b"PACK" + struct.pack(">II", 2, len(objects)) + b"".join(_packed(*one) for one in objects)
        data += hashlib.sha1(data, usedforsecurity=False).digest()
        repository.free()
        parts = (_line(b"\1" + data[start : start + _PART]) for start in range(0, len(data), _PART))
        return _line(f"shallow {commit.id}".encode()) + _FLUSH + _line(b"NAK\n") + b"".join(parts) + _FLUSH


def _below(repository: pygit2.Repository, tree: pygit2.Tree) -> list[tuple[int, bytes]]:
    found = [(tree.type, tree.read_raw())]
    for item in tree:
        found += _below(repository, item) if isinstance(item, pygit2.Tree) else [(item.type, item.read_raw())]
    return found


def _packed(kind: int, data: bytes) -> bytes:
    """One object of a pack: its kind and length in groups of seven bits, then the compressed bytes."""
    head, rest = (int(kind) << 4) | (len(data) & 15), len(data) >> 4
    out = bytearray()
    while rest:
        out.append(head | 0x80)
        head, rest = rest & 0x7F, rest >> 7
    out.append(head)
    return bytes(out) + zlib.compress(data)


def _handler(server: GitServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if server.silent:
                server.wait()
                return
            found = self.path.startswith(f"/{server.path.name}/info/refs")
            self._send(200 if found else 404, "application/x-git-upload-pack-advertisement", server.refs())

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self._send(200, "application/x-git-upload-pack-result", server.pack())

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
