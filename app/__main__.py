"""The one door of the program: without a command the window, with one the command line, which starts without Qt.

The imports stand inside the functions so that a command never loads Qt, and the window nothing before it needs it.
"""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

_WINDOW_OPTIONS = {"--home", "--quiet", "--debug"}


#: A command looks for garbage after it made so many objects more than it gave up.
_MANY_OBJECTS = 300_000
#: What shells expect of a program that Ctrl+C ended.
_INTERRUPTED = 130


def main() -> int:
    """Pick the door by the arguments and return the exit code."""
    try:
        return _door(sys.argv[1:])
    except KeyboardInterrupt:  # around the loading of the modules; later each door answers it itself
        return _INTERRUPTED


@contextlib.contextmanager
def _loading() -> Iterator[None]:
    """Ctrl+C while modules are loaded leaves at once: nothing is open yet, and an exception may come out as another.

    (Python 3.11 turns one that arises while a class is being made into a RuntimeError.)
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # a shell's background job ignores it, and goes on to
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _door(arguments: list[str]) -> int:
    command = _command(arguments)
    if command is None:
        return _window(arguments)
    if command == "tour":
        with _loading():
            from app.tour import run as run_tour  # noqa: PLC0415 - Qt only for those who ask for it

        return run_tour(arguments[arguments.index("tour") + 1 :])
    gc.disable()  # everything loaded now stays for good, and a library of thousands of skills is no garbage either
    with _loading():
        from app.cli.main import run as run_command  # noqa: PLC0415 - the window needs no command line
    gc.freeze()
    gc.set_threshold(_MANY_OBJECTS)
    gc.enable()
    return run_command(arguments)


def _window(arguments: list[str]) -> int:
    gc.disable()  # everything loaded now stays for good; looking through it again and again costs a fifth of the start
    with _loading():
        from app.window import run as run_window  # noqa: PLC0415 - Qt only for those who ask for it

    return run_window(_home(arguments), debug="--debug" in arguments)


def _home(arguments: list[str]) -> Path | None:
    """The home named by `--home DIR` or `--home=DIR`, None when it is not."""
    for place, argument in enumerate(arguments):
        if argument == "--home" and place + 1 < len(arguments):
            return Path(arguments[place + 1])
        if argument.startswith("--home="):
            return Path(argument.removeprefix("--home="))
    return None


def _command(arguments: list[str]) -> str | None:
    """The first word that is no option of the window; help and version count as commands."""
    skip = False
    for argument in arguments:
        if skip:
            skip = False
        elif argument == "--home":
            skip = True
        elif argument not in _WINDOW_OPTIONS and not argument.startswith("--home="):
            return argument
    return None


if __name__ == "__main__":
    sys.exit(main())
