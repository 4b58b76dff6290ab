"""The command line: plain Python, no window, the same functions the window calls."""

import errno
import logging
import subprocess
import sys
import traceback
from pathlib import Path

import click

from app import __version__
from app.cli import care, exchange, ledger, library, memory, talk, tool
from app.cli.call import Call, command_options, exit_code, new_call, utf8_output
from app.cli.curate import curator, proposals
from app.cycles.doctor import examine
from app.errors import AppError
from app.skills.values import Action
from app.text.invisible import terminal_safe

#: Troubles of the disk that the user can end: no permission, read-only, full.
_THE_DISK = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT})

_ACTIONS = {
    Action.PIN: "Never archive or merge these skills by themselves.",
    Action.UNPIN: "Let these skills be archived and merged again.",
    Action.ARCHIVE: "Move these skills to the archive; they can be restored.",
    Action.RESTORE: "Bring archived skills back to where they were.",
    Action.ADOPT: "Let automation improve and curate these skills.",
    Action.UNADOPT: "Leave these skills to yourself alone.",
}


@click.group("melete", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--home",
    type=click.Path(path_type=Path, readable=False),  # opening it says what is wrong, wherever its name came from
    help="The home to work on (else MELETE_HOME, else the platform's folder).",
)
@click.option("--quiet", is_flag=True, help="Nothing beside the answers.")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@click.version_option(__version__, prog_name="melete", message="%(prog)s %(version)s")
@click.pass_context
def melete(context: click.Context, home: Path | None, quiet: bool, debug: bool) -> None:
    """Melete keeps the skills an AI agent learns.

    Without a command the window opens; `melete tour` plays the whole loop in it on a sample library.
    """
    call = new_call()
    call.root = home or call.root
    call.quiet = quiet
    call.debug = debug
    context.obj = call


@melete.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what can be mended without losing anything.")
@command_options
def doctor(call: Call, fix: bool) -> None:
    """Look whether the home is well."""
    with call.open() as home:
        checks = examine(home, call.keys, fix=fix)
        rows = [{"id": item.id, "ok": item.ok, "message": item.message, "fix": item.fix} for item in checks]
        lines = [f"{'ok ' if item.ok else 'NOT'} {item.id}: {item.message} {item.fix}".rstrip() for item in checks]
        call.answer({"checks": rows}, lines)
        if not all(item.ok for item in checks):
            raise SystemExit(1)


@melete.command("tour", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def tour(arguments: tuple[str, ...]) -> None:
    """Play the whole loop in the window on a sample library (--out DIR, --offscreen)."""
    # The program's first door takes it before it comes here; whoever asks this door gets the same in a new process.
    raise SystemExit(subprocess.run([sys.executable, "-m", "app", "tour", *arguments], check=False).returncode)


for command in (
    library.list_skills,
    library.show,
    library.validate,
    library.search,
    ledger.history,
    ledger.undo,
    ledger.revert,
    ledger.roll_back,
    ledger.lost,
    care.fix,
    care.heal,
    care.reset,
    care.purge,
    care.duplicates,
    library.resolve_name,
    library.graph,
    library.catalogue,
    *(library.action_command(action, text) for action, text in _ACTIONS.items()),
    talk.chat,
    talk.review,
    talk.sessions,
    talk.trajectories,
    exchange.import_skills,
    exchange.export_skills,
    exchange.update_skills,
    exchange.link_skill,
    exchange.unlink_skill,
    memory.memory,
    tool.tool,
    curator,
    proposals,
):
    melete.add_command(command)


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code: 0 done, 1 refused or problems found, 2 wrong usage, 130 interrupted."""
    utf8_output()
    logging.getLogger().addHandler(logging.NullHandler())
    debug = "--debug" in arguments
    try:
        melete.main(arguments, prog_name="melete", standalone_mode=False)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else 1
    except click.exceptions.Abort:
        return 130
    except KeyboardInterrupt:
        return 130
    except click.ClickException as error:
        error.show()
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        if error.errno not in _THE_DISK or debug:
            return _bug(error, debug=debug)
        click.echo(terminal_safe(_disk_says(error)), err=True)
        return 1
    except AppError as error:
        click.echo(terminal_safe(f"{error.title}. {error.text}"), err=True)
        return exit_code(error)
    except Exception as error:  # noqa: BLE001 - the door's edge: a bug is told in one line, with --debug in full
        return _bug(error, debug=debug)
    return 0


def _disk_says(error: OSError) -> str:
    """What a full or forbidden place on disk is to the user: no bug, but something to change."""
    if error.filename is None:
        return "The answer cannot be written: there is no space left."
    return f"{error.filename} cannot be used: {error.strerror}. Change its permissions or free space, then try again."


def _bug(error: Exception, *, debug: bool) -> int:
    if debug:
        traceback.print_exception(error)
    else:
        told = f"This is a bug in Melete: {type(error).__name__}: {error}. Run again with --debug."
        click.echo(terminal_safe(told), err=True)
    return 1
