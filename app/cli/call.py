"""What every command shares: options that may stand anywhere, an open home, and answers as text or JSON."""

import functools
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from app.clock import Clock, fixed_clock, parse_time, system_clock
from app.cycles.home import OpenHome, home_key
from app.cycles.start import ready_home
from app.cycles.values import Recorded
from app.errors import AppError, Kind
from app.paths import default_home
from app.providers.keys import KeyStore
from app.text.invisible import terminal_safe

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(slots=True)
class Call:
    """One command being run."""

    root: Path
    quiet: bool = False
    debug: bool = False
    as_json: bool = False
    clock: Clock = system_clock

    @contextmanager
    def open(self) -> Iterator[OpenHome]:
        """The home, made on first use; closed when the block ends."""
        home = OpenHome(home_key(self.root, self.clock))
        try:
            for notice in ready_home(home, self._tell_recording):
                self.note(f"{notice.title}. {notice.text}")
            for problem in home.settings.problems:
                self.note(problem)
            yield home
        finally:
            if home.rescued:
                self.note(home.rescued)
            home.close()

    def _tell_recording(self, recorded: Recorded) -> None:
        self.note(f"Recording the library for the first time: {recorded.done} of {recorded.total} skills.")

    def answer(self, data: Any, lines: Iterator[str] | list[str]) -> None:  # noqa: ANN401 - any JSON value
        """Print one JSON document, or the lines."""
        if self.as_json:
            click.echo(json.dumps(data))
            return
        for line in lines:
            click.echo(terminal_safe(line))

    def line(self, data: Any) -> None:  # noqa: ANN401 - any JSON value
        """Print one compact JSON object on a line of its own."""
        click.echo(json.dumps(data, separators=(",", ":")))

    def note(self, text: str) -> None:
        """Say something beside the answer, on standard error."""
        if not self.quiet:
            click.echo(terminal_safe(text), err=True)

    @property
    def keys(self) -> KeyStore:
        """Where keys of providers are looked up."""
        return KeyStore(os.environ)


def command_options(function: Command) -> Command:
    """Add the options every command takes, and hand it the Call."""

    @click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")
    @click.option("--home", "home", type=click.Path(path_type=Path, readable=False), help="The home to work on.")
    @click.option("--now", "now", metavar="ISO", help="Fix the clock at this time (UTC unless it says otherwise).")
    @click.option("--debug", "debug", is_flag=True, help="Show tracebacks.")
    @click.option("--quiet", "quiet", is_flag=True, help="Nothing beside the answer.")
    @click.pass_context
    @functools.wraps(function)
    def run(
        context: click.Context,
        /,
        *args: Any,  # noqa: ANN401 - click's own arguments
        as_json: bool,
        home: Path | None,
        now: str | None,
        debug: bool,
        quiet: bool,
        **options: Any,  # noqa: ANN401 - click's own arguments
    ) -> Any:  # noqa: ANN401 - what the command returns
        call = context.ensure_object(Call)
        call.as_json = as_json
        call.root = home or call.root
        call.debug = call.debug or debug
        call.quiet = call.quiet or quiet
        if now is not None:
            call.clock = read_now(now)
        return function(call, *args, **options)

    return run  # type: ignore[return-value]


def read_now(text: str) -> Clock:
    """A clock that stands at a time given as text."""
    try:
        return fixed_clock(parse_time(text))
    except ValueError:
        raise click.UsageError(f"--now {text!r} is not an ISO 8601 time such as 2026-06-01T12:00:00Z.") from None


def new_call() -> Call:
    """A call with nothing chosen yet."""
    return Call(default_home())


def exit_code(error: AppError) -> int:
    """2 for wrong usage, 1 for everything refused or found."""
    return 2 if error.kind is Kind.USAGE else 1


def utf8_output() -> None:
    """Make both streams write UTF-8 whatever the locale says; what cannot be encoded is shown as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
