"""Reading memory: the two stores as shown, and the frozen block of text that goes into a system prompt."""

from pathlib import Path

from app.errors import AppError, Kind
from app.files import read_plain_file
from app.history.values import Origin
from app.memory.entries import DELIMITER, FILE_NAMES, size, split_entries
from app.memory.provenance import Provenance
from app.memory.threats import order, unseen
from app.memory.values import MemoryEntry, MemoryView, Target
from app.paths import Home
from app.settings import MemorySettings

_RULE = "═" * 46
_TITLES = {Target.MEMORY: "MEMORY (your own notes)", Target.USER: "USER PROFILE (who the user is)"}


class MemoryReader:
    """Reads memory files as they are on disk now; needs no lock, for they are replaced whole."""

    def __init__(self, home: Home, limits: MemorySettings | None = None) -> None:
        self._folder = home.memories
        self._limits = limits or MemorySettings()

    def view(self, target: Target) -> MemoryView:
        """One store with where its entries come from and which of them the model does not see.

        Raises AppError(STORAGE) when the file is there and cannot be read.
        """
        text, problem = read_text(self._folder, target)
        provenance = Provenance(self._folder)
        texts = tuple(dict.fromkeys(split_entries(text)))
        limit = limit_of(self._limits, target)
        entries = tuple(_with_block(provenance, target, entry, limit) for entry in texts)
        return MemoryView(target, entries, size(texts), limit, problem)

    def snapshot_text(self) -> str:
        """Both stores as one block for the system prompt; a blocked entry is named by its reason instead of its text.

        Empty when nothing is remembered. Take it once per session: a prompt that changes loses the prefix cache.
        """
        return "\n\n".join(filter(None, (_block_text(self.view(target)) for target in Target)))


def read_text(folder: Path, target: Target) -> tuple[str, str]:
    """A store's text and, when its bytes are not UTF-8, the sentence that says so (the text is then only for show)."""
    path = folder / FILE_NAMES[target]
    try:
        raw = read_plain_file(path)
    except FileNotFoundError:
        return "", ""
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}. Change its permissions, then try again."
        raise AppError(Kind.STORAGE, "Memory cannot be read", text) from error
    try:
        return raw.decode("utf-8"), ""
    except UnicodeDecodeError:
        problem = f"{path.name} is not UTF-8 text. Save it as UTF-8 in an editor; until then it is not changed."
        return raw.decode("utf-8", "replace"), problem


def limit_of(limits: MemorySettings, target: Target) -> int:
    """How many characters a store may have."""
    return limits.memory_limit if target is Target.MEMORY else limits.user_limit


def _with_block(provenance: Provenance, target: Target, text: str, limit: int) -> MemoryEntry:
    entry = provenance.entry(target, text)
    blocked = unseen(text) or ("" if len(text) <= limit else f"longer than the whole limit of {limit} characters")
    if not blocked and entry.origin is not Origin.USER and not provenance.approved(target, text):
        reason = order(text)
        blocked = f"it reads like an order to the model: {reason}" if reason else ""
    return MemoryEntry(target, text, entry.origin, entry.session, entry.turn, entry.at, entry.span, blocked)


def _block_text(view: MemoryView) -> str:
    if not view.entries:
        return ""
    percent = round(100 * view.used / view.limit)
    over = ", over the limit" if view.used > view.limit else ""
    head = f"{_TITLES[view.target]} [{percent}%, {view.used:,} of {view.limit:,} characters{over}]"
    body = DELIMITER.join(f"[BLOCKED: {entry.blocked}]" if entry.blocked else entry.text for entry in view.entries)
    return f"{_RULE}\n{head}\n{_RULE}\n{_capped(body, max(2 * view.limit, 4000))}"


def _capped(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 7 // 10], text[-limit * 2 // 10 :]
    return f"{head}\n[… {len(text) - len(head) - len(tail):,} characters left out …]\n{tail}"
