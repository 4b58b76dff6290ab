"""Lays a graph out without stopping anybody: few new nodes join the old picture, all else is for a child process.

igraph holds the interpreter's lock while it works, so in the window's process it would freeze the window.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import app
from app.cancel import Cancelled, CancelToken
from app.errors import AppError, Kind
from app.graph.placing import place_few
from app.graph.values import Graph, Layout
from app.graph.wire import layout_from, question

_SECONDS = 30.0


def layout_in_child(graph: Graph, previous: Layout | None, token: CancelToken) -> Layout:
    """Places for every node of a graph, old places kept while few nodes are new.

    Raises Cancelled (the child is killed at once), AppError(BUSY) when it takes longer than 30 s, AppError(CORRUPT)
    when the child fails, with its last words as detail.
    """
    token.check()
    placed = place_few(graph, previous)
    if placed is not None:
        return placed
    process = subprocess.Popen(
        [sys.executable, "-m", "app.graph.layout_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    forget = token.on_cancel(process.kill)
    try:
        answer, words = process.communicate(question(graph, previous), timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        text = "Laying out the graph took more than 30 seconds. Filter it, or use the table beside it."
        raise AppError(Kind.BUSY, "The graph is too large", text) from None
    finally:
        forget()
        process.kill()
        process.communicate()
    if token.cancelled:
        raise Cancelled
    return _answer(answer, process.returncode, words)


def _answer(answer: bytes, code: int, words: bytes) -> Layout:
    text = "The graph could not be laid out. The table beside it shows the same skills; try again from the View menu."
    if code != 0:
        detail = f"exit code {code}\n{words.decode(errors='replace')[-4000:]}"
        raise AppError(Kind.CORRUPT, "No picture of the graph", text, detail=detail)
    try:
        return layout_from(json.loads(answer))
    except (ValueError, KeyError, TypeError) as error:
        raise AppError(Kind.CORRUPT, "No picture of the graph", text, detail=str(error)) from error


def _environment() -> dict[str, str]:
    """The child's environment: this very package is importable, whatever the current folder is."""
    here = str(Path(app.__file__).parent.parent)
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, before] if before else [here])}
