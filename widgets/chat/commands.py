"""The commands that can be written instead of a message: what there is, what a text means, and the help."""

from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from widgets.chat.completion import Choice


class Command(StrEnum):
    """What a text asks for; MESSAGE is an ordinary one, UNKNOWN a command nobody knows."""

    MESSAGE = ""
    NEW = "new"
    REVIEW = "review"
    MODEL = "model"
    HELP = "help"
    UNKNOWN = "?"


def command_in(text: str) -> Command:
    """Read a text. Only one word after a slash is a command: `/usr/bin` and `/path with blanks` are messages."""
    word = text.strip().lower().removeprefix("/")
    if not text.strip().startswith("/") or not word or " " in word or "\n" in word or "/" in word:
        return Command.MESSAGE
    known = (Command.NEW, Command.REVIEW, Command.MODEL, Command.HELP)
    return next((command for command in known if command.value == word), Command.UNKNOWN)


def choices() -> tuple[Choice, ...]:
    """What '/' offers."""
    return (
        Choice("new", _tr("start a new conversation")),
        Choice("review", _tr("learn from this conversation now")),
        Choice("model", _tr("choose or connect a model")),
        Choice("help", _tr("what can be written here")),
    )


def help_text() -> str:
    """All commands and keys as Markdown."""
    lines = [f"- `/{choice.text}` {choice.hint}" for choice in choices()]
    keys = _tr("`@` completes the name of a skill. Enter sends, Shift+Enter breaks the line, Up brings back.")
    more = _tr("A text file can be dropped here. In the conversation above J and K walk, C copies.")
    return "\n".join([*lines, "", keys, more])


def _tr(text: str) -> str:
    return QCoreApplication.translate("Chat", text)
