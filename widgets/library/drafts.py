"""Texts being edited, one per skill, so that nothing typed is lost when another skill is shown."""

from dataclasses import dataclass, replace

#: How a place begins where a merge left both texts one after the other.
MARK = "<<<<<<< my text"


@dataclass(frozen=True, slots=True)
class EditDraft:
    """`base` and `base_hash` are what was read from disk, `text` what stands in the editor."""

    base: str
    base_hash: str
    text: str
    gone: bool = False

    @property
    def changed(self) -> bool:
        """Whether there is something to save."""
        return self.gone or self.text != self.base

    @property
    def unmerged(self) -> bool:
        """Whether a merge left a place with both texts."""
        return f"\n{MARK}" in f"\n{self.text}"


class Drafts:
    """Drafts by skill id."""

    def __init__(self) -> None:
        self._held: dict[str, EditDraft] = {}

    def get(self, skill_id: str) -> EditDraft | None:
        """The draft of a skill."""
        return self._held.get(skill_id)

    def read(self, skill_id: str, text: str, text_hash: str) -> tuple[EditDraft, bool]:
        """The file was read. Gives the draft to show, and whether it conflicts with what was typed."""
        held = self._held.get(skill_id)
        if held is None or not held.changed or held.text == text:
            fresh = EditDraft(text, text_hash, text)
            self._held[skill_id] = fresh
            return fresh, False
        return held, held.base_hash != text_hash or held.gone

    def type(self, skill_id: str, text: str) -> None:
        """The editor's text changed."""
        held = self._held.get(skill_id)
        if held is not None:
            self._held[skill_id] = replace(held, text=text)

    def rebase(self, skill_id: str, base: str, base_hash: str, text: str) -> None:
        """A conflict was decided: from now on `base` is what a save replaces."""
        self._held[skill_id] = EditDraft(base, base_hash, text)

    def lose(self, skill_id: str) -> bool:
        """The skill is gone on disk. True when a typed text is kept, else the draft is dropped."""
        held = self._held.get(skill_id)
        if held is None or not held.changed:
            self._held.pop(skill_id, None)
            return False
        self._held[skill_id] = replace(held, base_hash="", gone=True)
        return True

    def carry(self, old: str, new: str) -> None:
        """The skill stands at another id now: what was typed goes along."""
        held = self._held.pop(old, None)
        if held is not None and held.changed:
            self._held[new] = replace(held, gone=False)

    def saved(self, skill_id: str, text: str, text_hash: str) -> None:
        """A save was written; what was typed since stays typed."""
        held = self._held.get(skill_id)
        current = held.text if held is not None else text
        self._held[skill_id] = EditDraft(text, text_hash, current)

    def discard(self, skill_id: str) -> EditDraft | None:
        """Back to what is on disk."""
        held = self._held.get(skill_id)
        if held is not None and not held.gone:
            self._held[skill_id] = replace(held, text=held.base)
        return self._held.get(skill_id)

    def unsaved(self) -> tuple[str, ...]:
        """Ids with something to save."""
        return tuple(skill_id for skill_id, held in self._held.items() if held.changed)
