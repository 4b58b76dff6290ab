"""One tool call by hand, through the dispatcher every agent uses."""

import json
from typing import Any

import click

from app.cancel import CancelToken
from app.cli.call import Call, command_options
from app.cycles.desk import single_desk
from app.history.values import Origin
from app.providers.values import ToolUse


@click.command("tool")
@click.argument("name")
@click.argument("arguments", metavar="ARGS_JSON")
@click.option("--origin", type=click.Choice(["chat", "review", "curator"]), required=True, help="In whose name.")
@command_options
def tool(call: Call, name: str, arguments: str, origin: str) -> None:
    """Make one tool call through the dispatcher, as an agent would."""
    try:
        given = json.loads(arguments)
    except ValueError:
        given = None
    use = ToolUse("cli", name, given if isinstance(given, dict) else None, arguments)
    with call.open() as home:
        desk = single_desk(home, Origin(origin))
        try:
            outcome = desk.call(use, CancelToken())
            filed = desk.file_draft()
        finally:
            desk.close()
        proposal = outcome.proposal or (filed[0] if filed else None)
        verdict = "propose" if filed and outcome.verdict == "allow" else outcome.verdict
        data = {
            "ok": not outcome.result.is_error,
            "verdict": verdict,
            "result": _plain(outcome.result.content),
            "proposal": proposal,
            "entry": outcome.entry,
        }
        call.answer(data, [outcome.result.content])
        if outcome.result.is_error:
            raise SystemExit(1)


def _plain(content: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(content)
    except ValueError:
        return content
