"""The front matter of a SKILL.md as lines: fields with their exact text, and a new description in its place."""

from app.engine.skilltext import LONGEST_DESCRIPTION, scalar, shorten
from app.skills.parse import parse_skill
from app.text.sections import cut_front


def raw_fields(content: str) -> dict[str, str]:
    """Every top-level field and its exact lines without the last line end; empty when there is no usable block."""
    front, _ = cut_front(content)
    if not front:
        return {}
    lines = front.split("\n")
    starts = sorted(parse_skill(content.encode("utf-8", "surrogatepass"), "").front.lines.items(), key=lambda p: p[1])
    closing = max((n for n, line in enumerate(lines, 1) if line.rstrip() == "---"), default=len(lines))
    ends = [line for _, line in starts[1:]] + [closing]
    return {key: "\n".join(lines[at - 1 : end - 1]).rstrip() for (key, at), end in zip(starts, ends, strict=True)}


def with_description(content: str, description: str) -> str:
    """The same text with another description; all other lines stay. Raises ValueError when it has none."""
    old = raw_fields(content).get("description")
    if old is None:
        raise ValueError("the skill has no description field")
    return content.replace(old, f"description: {scalar(shorten(description, LONGEST_DESCRIPTION))}", 1)
