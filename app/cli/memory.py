"""Commands about memory: what is remembered, and the user's own changes to it."""

import click

from app.cli.call import Call, command_options
from app.cli.rows import time_text
from app.cycles.home import OpenHome
from app.history.values import Origin
from app.memory.values import MemoryBy, MemoryReceipt, MemoryView, Target

_USER = MemoryBy(Origin.USER)
_TARGETS = click.Choice(["memory", "user"])


@click.group("memory")
def memory() -> None:
    """What is remembered about you and your surroundings."""


@memory.command("list")
@click.option("--target", type=_TARGETS, help="Only this store.")
@command_options
def memory_list(call: Call, target: str | None) -> None:
    """All entries, with where they came from."""
    with call.open() as home:
        chosen = [Target(target)] if target else list(Target)
        views = [home.memory.view(item) for item in chosen]
        _answer_memory(call, views)


@memory.command("add")
@click.argument("text")
@click.option("--target", type=_TARGETS, default="memory", show_default=True, help="Which store.")
@command_options
def memory_add(call: Call, text: str, target: str) -> None:
    """Add an entry."""
    with call.open() as home:
        _answer_write(call, home, home.memory_writer.add(Target(target), text, _USER, text), target, "added")


@memory.command("replace")
@click.argument("old")
@click.argument("new")
@click.option("--target", type=_TARGETS, default="memory", show_default=True, help="Which store.")
@command_options
def memory_replace(call: Call, old: str, new: str, target: str) -> None:
    """Put another text in the place of the one entry that contains OLD."""
    with call.open() as home:
        _answer_write(call, home, home.memory_writer.replace(Target(target), old, new, _USER, new), target, "replaced")


@memory.command("remove")
@click.argument("text")
@click.option("--target", type=_TARGETS, default="memory", show_default=True, help="Which store.")
@command_options
def memory_remove(call: Call, text: str, target: str) -> None:
    """Remove the one entry that contains TEXT; it is kept in the archive file."""
    with call.open() as home:
        _answer_write(call, home, home.memory_writer.remove(Target(target), text, _USER), target, "removed")


def _answer_write(call: Call, home: OpenHome, receipt: MemoryReceipt, target: str, done: str) -> None:
    if receipt.ok:
        call.note(f"{done}; what {target} holds now:")
    else:
        call.note(receipt.why)
        for candidate in receipt.candidates:
            call.note(f"  {candidate}")
    _answer_memory(call, [home.memory.view(Target(target))])
    if not receipt.ok:
        raise SystemExit(1)


def _answer_memory(call: Call, views: list[MemoryView]) -> None:
    rows = [
        {
            "target": str(entry.target),
            "text": entry.text,
            "origin": str(entry.origin) if entry.origin else None,
            "session": entry.session,
            "at": time_text(entry.at),
            "blocked": entry.blocked,
        }
        for view in views
        for entry in view.entries
    ]
    data = {
        "entries": rows,
        "used": sum(view.used for view in views),
        "limit": sum(view.limit for view in views),
        "problems": [view.problem for view in views if view.problem],
    }
    lines = [f"{row['target']}: {row['text']}" + (f" [{row['blocked']}]" if row["blocked"] else "") for row in rows]
    call.answer(data, lines or ["nothing is remembered here"])
