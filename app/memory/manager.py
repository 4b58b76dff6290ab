"""Writing memory: the one door for entries of MEMORY.md and USER.md, for the user, the chat and reviews alike.

Every write holds the home lock, reads the file again, asks the rules, writes, reads back, and becomes a ledger entry
that can be undone. What another program changed is a ledger entry of its own first.
"""

from collections.abc import Sequence

from app.clock import Clock
from app.history.store import History
from app.locks import HomeLock
from app.memory.entries import locate, same_fact, short, size
from app.memory.ledger import MemoryLedger, Store
from app.memory.reversal import reverse
from app.memory.rules import Action, decide
from app.memory.values import MemoryBy, MemoryEntry, MemoryReceipt, MemoryVerdict, Target
from app.paths import Home
from app.settings import MemorySettings


class MemoryWriter:
    """Adds, replaces and removes entries. A receipt says what happened; AppError is only for disk and lock trouble."""

    def __init__(self, home: Home, history: History, lock: HomeLock, limits: MemorySettings, clock: Clock) -> None:
        self._lock = lock
        self._clock = clock
        self._ledger = MemoryLedger(home, history, limits)

    def add(self, target: Target, text: str, by: MemoryBy, span: str = "") -> MemoryReceipt:
        """Store a new entry. `span` is the user's own words it rests on.

        Refused when it is empty, there already, does not fit, or the rules say no. Raises AppError(BUSY, STORAGE).
        """
        text = _tidy(text)
        with self._lock.hold("memory"):
            store = self._ledger.open(target)
            refusal = _unwritable(store) or _unfit(text) or _known(store.entries, text)
            if refusal:
                return _receipt(store, MemoryVerdict.REFUSE, refusal)
            verdict, why = decide(Action.ADD, by, text, None)
            if verdict is not MemoryVerdict.REFUSE and _grows_over(store, [*store.entries, text]):
                verdict, why = MemoryVerdict.REFUSE, _full(store, text)
            if verdict is not MemoryVerdict.ALLOW:
                return _receipt(store, verdict, why)
            fresh = self._entry(target, text, by, span)
            return self._commit(store, [*store.entries, text], Action.ADD, by, fresh, f"Added: {short(text)}")

    def replace(self, target: Target, old_text: str, text: str, by: MemoryBy, span: str = "") -> MemoryReceipt:
        """Put `text` in place of the one entry that `old_text` means (the whole entry, or a piece only it has)."""
        text = _tidy(text)
        with self._lock.hold("memory"):
            store = self._ledger.open(target)
            refusal = _unwritable(store) or self._drifted(store) or _unfit(text)
            if refusal:
                return _receipt(store, MemoryVerdict.REFUSE, refusal)
            found = locate(store.entries, old_text)
            if len(found) != 1:
                return _unclear(store, old_text, found)
            place = found[0]
            others = [*store.entries[:place], *store.entries[place + 1 :]]
            refusal = "" if text != store.entries[place] else "The entry says exactly this already."
            refusal = refusal or _known(others, text)
            if refusal:
                return _receipt(store, MemoryVerdict.REFUSE, refusal)
            verdict, why = decide(Action.REPLACE, by, text, store.owner(place))
            after = [*store.entries[:place], text, *store.entries[place + 1 :]]
            if verdict is not MemoryVerdict.REFUSE and _grows_over(store, after):
                verdict, why = MemoryVerdict.REFUSE, _full(store, text)
            if verdict is not MemoryVerdict.ALLOW:
                return _receipt(store, verdict, why, (store.entries[place],))
            fresh = self._entry(target, text, by, span)
            done = f"Replaced: {short(store.entries[place])} → {short(text)}"
            return self._commit(store, after, Action.REPLACE, by, fresh, done)

    def remove(self, target: Target, old_text: str, by: MemoryBy) -> MemoryReceipt:
        """Remove the one entry that `old_text` means; its text goes to the archive."""
        with self._lock.hold("memory"):
            store = self._ledger.open(target)
            refusal = _unwritable(store) or self._drifted(store)
            if refusal:
                return _receipt(store, MemoryVerdict.REFUSE, refusal)
            found = locate(store.entries, old_text)
            if len(found) != 1:
                return _unclear(store, old_text, found)
            place = found[0]
            verdict, why = decide(Action.REMOVE, by, "", store.owner(place))
            if verdict is not MemoryVerdict.ALLOW:
                return _receipt(store, verdict, why, (store.entries[place],))
            after = [*store.entries[:place], *store.entries[place + 1 :]]
            return self._commit(store, after, Action.REMOVE, by, None, f"Removed: {short(store.entries[place])}")

    def undo(self, entry_id: str, by: MemoryBy) -> MemoryReceipt:
        """Take back one ledger entry about memory, keeping what was written since; itself an entry that can be undone.

        Refused with the reason when what it wrote was changed meanwhile. Raises AppError(NOT_FOUND) for an unknown id,
        AppError(INVALID) for an entry that is not about memory.
        """
        with self._lock.hold("memory"):
            target, before, after = self._ledger.sides(entry_id)
            store = self._ledger.open(target)
            refusal = _unwritable(store)
            if refusal:
                return _receipt(store, MemoryVerdict.REFUSE, refusal)
            entries, missing = reverse(before, after, store.entries)
            if missing:
                why = f"Not undone: this entry was changed or removed since: {short(missing[0])}"
                return _receipt(store, MemoryVerdict.REFUSE, why, tuple(missing))
            if entries == list(store.entries):
                return _receipt(store, MemoryVerdict.REFUSE, "Memory is already as it was before that change.")
            return self._commit(store, entries, "undo", by, None, f"Undone: {entry_id[:10]}", undone=entry_id)

    def observe_outside(self) -> tuple[str, ...]:
        """Record what other programs changed in the memory files; returns the ledger entries made."""
        with self._lock.hold("memory"):
            stores = [self._ledger.open(target) for target in Target]
        return tuple(store.outside for store in stores if store.outside)

    def _entry(self, target: Target, text: str, by: MemoryBy, span: str) -> MemoryEntry:
        return MemoryEntry(target, text, by.origin, by.session, by.turn, self._clock(), span)

    def _drifted(self, store: Store) -> str:
        if all(len(entry) <= store.limit for entry in store.entries):
            return ""
        kept = self._ledger.keep_copy(store, self._clock())
        return (
            f"{store.name} holds an entry longer than the whole limit, so something else writes it in another form. "
            f"Nothing was changed; a copy is kept as {kept}. Correct the file, then try again."
        )

    def _commit(
        self,
        store: Store,
        entries: Sequence[str],
        action: str,
        by: MemoryBy,
        fresh: MemoryEntry | None,
        done: str,
        undone: str | None = None,
    ) -> MemoryReceipt:
        entry = self._ledger.commit(store, entries, action, by, fresh, done, undone, self._clock())
        return MemoryReceipt(MemoryVerdict.ALLOW, done, size(entries), store.limit, entry)


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _unfit(text: str) -> str:
    if not text:
        return "An empty entry says nothing. Give the text to remember."
    if any(line.strip() == "§" for line in text.split("\n")):
        return "A line with only § separates entries, so it cannot stand inside one. Add two entries."
    return ""


def _known(entries: Sequence[str], text: str) -> str:
    twin = next((entry for entry in entries if same_fact(entry, text)), None)
    return "" if twin is None else f"Already stored, nothing was added: {short(twin)}"


def _unwritable(store: Store) -> str:
    return store.problem


def _grows_over(store: Store, after: Sequence[str]) -> bool:
    return size(after) > store.limit and size(after) > size(store.entries)


def _full(store: Store, text: str) -> str:
    return (
        f"{store.name} is full: {size(store.entries):,} of {store.limit:,} characters are used and this entry has "
        f"{len(text):,}. Nothing was stored. Shorten, merge or remove entries first, or raise the limit."
    )


def _unclear(store: Store, wanted: str, found: Sequence[int]) -> MemoryReceipt:
    if found:
        candidates = tuple(store.entries[index] for index in found)
        listed = "; ".join(f"“{short(text)}”" for text in candidates)
        why = f"{len(found)} entries hold this text. Give more of the one you mean: {listed}"
        return _receipt(store, MemoryVerdict.REFUSE, why, candidates)
    listed = "; ".join(f"“{short(text)}”" for text in store.entries) or "none"
    why = f"No entry holds “{short(wanted)}”. The entries are: {listed}"
    return _receipt(store, MemoryVerdict.REFUSE, why, store.entries)


def _receipt(store: Store, verdict: MemoryVerdict, why: str, candidates: Sequence[str] = ()) -> MemoryReceipt:
    return MemoryReceipt(verdict, why, size(store.entries), store.limit, None, tuple(candidates))
