"""Commands about conversations: chat, review, sessions, trajectories, memory, and one tool call."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from app.agent.values import Ending, Stalled, Waiting
from app.cancel import CancelToken
from app.cli.call import Call, command_options
from app.cli.playing import INTERRUPTED, played
from app.cli.rows import review_line, review_row, session_row, time_text, usage_row
from app.cycles import review as reviews
from app.cycles.provider import provider_for
from app.cycles.trajectory import trajectory_folder
from app.cycles.turn import run_turn
from app.cycles.values import ReviewOutcome, TurnResult
from app.errors import AppError, Kind
from app.providers.values import Text, Thinking, ToolResult, ToolUse
from app.sessions.checking import check_file
from app.sessions.trajectory import TrajectoryFiles
from app.sessions.values import StoredMessage


@click.command("chat")
@click.option("-m", "--message", "text", required=True, help="What to say; - reads standard input.")
@click.option("--session", help="Go on in this conversation.")
@click.option("--wait-review/--no-wait-review", default=True, show_default=True, help="Review the turn before ending.")
@command_options
def chat(call: Call, text: str, session: str | None, wait_review: bool) -> None:
    """Say something and print the answer. The turn is stored, recorded and, by default, reviewed."""
    words = sys.stdin.read() if text == "-" else text
    if not words.strip():
        raise click.UsageError("There is nothing to say: the message is empty.")
    with call.open() as home:
        provider = provider_for(home.settings, call.keys)
        token = CancelToken()
        result = played(run_turn(home, provider, session, words, token), token, _waits(call))
        outcome = None
        if wait_review and result.snapshot is not None and reviews.due(home, result.session.id):
            outcome = played(reviews.run_review(home, provider, result.snapshot, token), token, _waits(call))
        _answer_turn(call, result, outcome)


def _answer_turn(call: Call, result: TurnResult, outcome: ReviewOutcome | None) -> None:
    data = {
        "session": result.session.id,
        "turn": result.turn,
        "reply": result.reply,
        "ending": str(result.ended.ending),
        "reason": result.ended.reason,
        "tool_calls": [
            {"name": note.name, "target": note.target, "ok": note.ok, "entry": note.entry, "proposal": note.proposal}
            for note in result.calls
        ],
        "review": review_row(outcome),
        "usage": usage_row(result.ended.usage),
    }
    summary = [review_line(outcome)] if outcome is not None and outcome.line else []
    call.answer(data, [*result.reply.splitlines(), *summary])
    if result.notice:
        call.note(result.notice)
    if outcome is not None and outcome.error:
        call.note(f"The review was not finished: {outcome.error}")
    if result.ended.ending is not Ending.DONE:
        failure = result.ended.failure
        call.note(f"{failure.title}. {failure.text}" if failure else result.ended.reason)
        raise SystemExit(INTERRUPTED if result.ended.ending is Ending.STOPPED else 1)


def _waits(call: Call) -> Callable[[object], None]:
    """Tell what a turn waits for, as it happens."""

    def heed(event: object) -> None:
        if isinstance(event, Waiting):
            call.note(f"{event.why} Trying again in {event.seconds:.0f} s.")
        elif isinstance(event, Stalled):
            call.note(f"No progress for {event.seconds:.0f} s. Ctrl+C stops and keeps what arrived.")

    return heed


@click.command("review")
@click.argument("session")
@click.option("--focus", default="", help="Look at this above all.")
@command_options
def review(call: Call, session: str, focus: str) -> None:
    """Review a stored conversation now."""
    with call.open() as home:
        snapshot = reviews.snapshot_of(home, session, focus)
        token = CancelToken()
        work = reviews.run_review(home, provider_for(home.settings, call.keys), snapshot, token)
        outcome = played(work, token, _waits(call))
        call.answer(review_row(outcome), [review_line(outcome)])
        if token.cancelled:
            raise SystemExit(INTERRUPTED)
        if outcome.error:
            call.note(outcome.error)
            raise SystemExit(1)


@click.group("sessions")
def sessions() -> None:
    """Stored conversations."""


@sessions.command("list")
@click.option("--limit", default=200, show_default=True, type=click.IntRange(1, 100_000))
@command_options
def sessions_list(call: Call, limit: int) -> None:
    """All conversations, newest first."""
    with call.open() as home:
        rows = [session_row(info) for info in home.sessions.list(limit)]
        call.answer({"sessions": rows}, [f"{row['id']} {row['updated_at']} {row['title']}" for row in rows])


@sessions.command("show")
@click.argument("session")
@command_options
def sessions_show(call: Call, session: str) -> None:
    """One conversation with everything in it."""
    with call.open() as home:
        info = home.sessions.get(session)
        messages = [_message_row(item) for item in home.sessions.messages(info.id)]
        lines = [f"{row['role']}: {row['text']}" for row in messages if row["text"]]
        call.answer(session_row(info) | {"message_list": messages}, lines)


@sessions.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@command_options
def sessions_import(call: Call, file: Path) -> None:
    """Store conversations from a JSON file, or from JSON lines, one conversation each."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        sentence = f"{file} cannot be read: {error.strerror}. Check the path and try again."
        raise AppError(Kind.NOT_FOUND, "Nothing was imported", sentence) from error
    with call.open() as home:
        rows = [session_row(home.sessions.import_session(data)) for data in _documents(text, file)]
        call.answer({"sessions": rows}, [f"imported {row['id']}" for row in rows])


def _documents(text: str, file: Path) -> list[Any]:
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        sentence = f"{file} is neither JSON nor JSON lines ({error}). Nothing was imported."
        raise AppError(Kind.INVALID, "Not JSON", sentence) from None


@sessions.command("delete")
@click.argument("session")
@command_options
def sessions_delete(call: Call, session: str) -> None:
    """Delete one conversation."""
    with call.open() as home:
        removed = home.sessions.delete(session)
        call.answer({"deleted": removed.session}, [f"deleted {removed.session}"])


def _message_row(item: StoredMessage) -> dict[str, Any]:
    return {
        "id": item.id,
        "turn": item.turn,
        "role": str(item.message.role),
        "kind": item.kind,
        "state": str(item.state),
        "at": time_text(item.at),
        "text": item.message.text,
        "blocks": [_block_row(block) for block in item.message.blocks],
        "data": item.data,
    }


def _block_row(block: object) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    if isinstance(block, Thinking):
        return {"type": "thinking", "text": block.text}
    if isinstance(block, ToolUse):
        return {"type": "tool_use", "id": block.id, "name": block.name, "input": dict(block.input or {})}
    if isinstance(block, ToolResult):
        return {"type": "tool_result", "id": block.id, "content": block.content, "is_error": block.is_error}
    return {"type": "redacted"}


@click.group("trajectories", invoke_without_command=True)
@click.option("--failed", is_flag=True, help="The failure stream.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1_000_000))
@command_options
@click.pass_context
def trajectories(context: click.Context, call: Call, failed: bool, limit: int) -> None:
    """The last lines of a trajectory stream; `check FILE` looks whether a file is valid."""
    if context.invoked_subcommand is not None:
        return
    with call.open() as home:
        folder = trajectory_folder(home)
        lines = TrajectoryFiles(folder).read(failed=failed, limit=limit)
        data = {"lines": lines, "folder": str(folder)}
        call.answer(data, [f"{line.get('timestamp')} {line.get('session')} {line.get('turn')}" for line in lines])


@trajectories.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@command_options
def trajectories_check(call: Call, file: Path) -> None:
    """Check a trajectory file line by line."""
    problems = list(check_file(file))
    call.answer({"valid": not problems, "problems": problems}, problems or ["valid"])
    if problems:
        raise SystemExit(1)
