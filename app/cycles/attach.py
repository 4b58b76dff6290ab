"""Files dropped into the chat: their text is quoted in the message, and the turn knows it is not the user's own."""

import re
from collections.abc import Sequence
from pathlib import Path

from app.errors import AppError, Kind
from app.files import read_plain_file

#: A larger file is a case for a skill's references, not for a message.
LIMIT_BYTES = 100_000
_QUOTED = re.compile(r"^\[file: [^\n]+\]$", re.MULTILINE)


def quote_file(path: Path) -> str:
    """The file's text as it stands in a message: its name, then a fence no line of it can close.

    Raises AppError when it is no readable text file of a fitting size.
    """
    try:
        size = path.stat().st_size
        if path.is_dir():
            text = f"{path.name} is a folder. Drop the files you mean, or add it under File → Add a folder of skills."
            raise AppError(Kind.REFUSED, "Not a file", text)
        if size > LIMIT_BYTES:
            text = f"{path.name} has {size // 1000:,} KB; {LIMIT_BYTES // 1000} KB fit. Drop a part of it."
            raise AppError(Kind.REFUSED, "Too large for a message", text)
        content = read_plain_file(path).decode("utf-8-sig")
    except OSError as error:
        text = f"{path.name}: {error.strerror or error}. Check the file and drop it again."
        raise AppError(Kind.STORAGE, "The file cannot be read", text) from error
    except UnicodeDecodeError as error:
        text = f"{path.name} is no text in UTF-8. Only text can be put into a message."
        raise AppError(Kind.INVALID, "Not a text", text) from error
    if "\x00" in content:
        raise AppError(Kind.INVALID, "Not a text", f"{path.name} is a binary file. Only text can be put in.")
    name = " ".join(path.name.split())
    return f"[file: {name}]\n{_fenced(content)}\n"


def quote_files(paths: Sequence[str]) -> str:
    """Several files, one after the other. Raises AppError for the first that cannot be quoted."""
    return "\n".join(quote_file(Path(path)) for path in paths)


def holds_file(text: str) -> bool:
    """Whether a message quotes a file."""
    return _QUOTED.search(text) is not None


def _fenced(content: str) -> str:
    longest = max((len(found) for found in re.findall("`+", content)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{content.rstrip()}\n{fence}"
