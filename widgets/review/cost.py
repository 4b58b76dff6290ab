"""What a group costs the agent before and after: its lines in the catalogue, and its bodies when they are read."""

from dataclasses import dataclass

from app.proposals.values import Change, Group
from widgets.review.words import tr

#: As everywhere in the program: four characters are about one token.
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of the catalogue lines and of the bodies."""

    listed: int = 0
    read: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.listed + other.listed, self.read + other.read)


def cost_of(text: str, name: str) -> Cost:
    """The cost of one SKILL.md. The catalogue shows name and description, an opened skill its body."""
    front, body = _parts(text)
    description = _description(front)
    listed = (len(name) + len(description)) // _CHARS_PER_TOKEN if text else 0
    return Cost(listed, len(body) // _CHARS_PER_TOKEN)


def costs_of(group: Group) -> tuple[Cost, Cost]:
    """Before and after, over all changes of skills whose texts are known."""
    before, after = Cost(), Cost()
    for change in group.changes:
        if change.memory is None:
            name = change.name or change.skill.rpartition("/")[2]
            before += cost_of(change.before_text, name)
            after += cost_of(change.after_text, name)
    return before, after


def cost_word(group: Group) -> str:
    """The cost as one line; empty while no text is known."""
    if not any(_known(change) for change in group.changes):
        return ""
    before, after = costs_of(group)
    told = tr("Always listed: {a} → {b} tokens. When read: {c} → {d}.")
    return told.format(a=f"{before.listed:,}", b=f"{after.listed:,}", c=f"{before.read:,}", d=f"{after.read:,}")


def _known(change: Change) -> bool:
    return change.memory is None and bool(change.before_text or change.after_text)


def _parts(text: str) -> tuple[list[str], str]:
    """Front matter lines and body."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return [], text
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    return lines[1:end], "\n".join(lines[end + 1 :])


def _description(front: list[str]) -> str:
    """The description with its continued lines, near enough for an estimate."""
    found: list[str] = []
    for line in front:
        if line.startswith("description:"):
            found = [line.partition(":")[2].strip()]
        elif found and line[:1] in (" ", "\t"):
            found.append(line.strip())
        elif found:
            break
    return " ".join(found)
