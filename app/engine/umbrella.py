"""An umbrella's whole package: SKILL.md with description and carried fields, and the support files to write."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.engine.carry import carried_text, new_places, rewritten
from app.engine.frontlines import raw_fields, with_description
from app.engine.groups import Group, Member
from app.engine.merge import Part, appended_body, merged_body, part_of
from app.engine.skilltext import LONGEST_DESCRIPTION, scalar, shorten, titled
from app.skills.parse import parse_skill
from app.text.sections import cut_front
from app.text.units import sentences, triggers

#: The format advises SKILL.md files under 500 lines; what would go beyond this moves to references.
_MOST_LINES = 450
_OWN_FIELDS = frozenset({"name", "description"})


@dataclass(frozen=True, slots=True)
class Package:
    """What is written for one group: the whole SKILL.md and further files by path."""

    content: str
    files: Mapping[str, str]


def package_of(group: Group, texts: Mapping[str, Mapping[str, str]]) -> Package:
    """The umbrella of a group. `texts` holds, by member name, the text of each support file that was read."""
    files: dict[str, str] = {}
    contents: dict[str, str] = {}
    for member in group.absorbed:
        places = new_places(member.name, member.files)
        contents[member.name] = rewritten(member.content, places)
        for path in member.files:
            files[places[path]] = carried_text(path, texts[member.name][path], places)
    parts = _parts(group, contents, files)
    fields = _note(group)
    if group.target is not None:
        body = appended_body(group.target.content, group.target.name, parts) + fields
        return Package(with_description(body, _description(group)), files)
    head = [f"name: {group.name}", f"description: {scalar(_description(group))}", *_common_fields(group.absorbed)]
    head += _tags(group.absorbed)
    title = titled(group.name)
    return Package("---\n" + "\n".join(head) + "\n---\n\n" + merged_body(title, parts) + fields, files)


def _parts(group: Group, contents: Mapping[str, str], files: dict[str, str]) -> list[Part]:
    """The parts of the body; the longest become reference files while the whole would be too long to read."""
    start = group.target.content.count("\n") if group.target else 8 + len(group.absorbed)
    lines = {name: text.count("\n") for name, text in contents.items()}
    moved: set[str] = set()
    while start + sum(n for name, n in lines.items() if name not in moved) > _MOST_LINES and len(moved) < len(lines):
        moved.add(max((name for name in lines if name not in moved), key=lambda name: (lines[name], name)))
    parts = []
    for member in group.absorbed:
        part = part_of(member.name, member.description, contents[member.name])
        if member.name in moved:
            path = f"references/{member.name}.md"
            _, body = cut_front(contents[member.name])
            # Links were relative to the skill's root; from inside references/ they start one folder higher.
            files[path] = re.sub(r"(\]\(\s*<?)(?=(?:references|templates|assets)/)", r"\1../", body.lstrip("\n"))
            part = Part(part.title, part.description, f"{part.description}\n\nThe whole part: [{path}]({path})", ())
        parts.append(part)
    return parts


def _description(group: Group) -> str:
    """What the umbrella does and when to use it: the descriptions of all members, in short when they are long."""
    said = [" ".join(member.description.split()) for member in group.members]
    full = " ".join(dict.fromkeys(part if part.endswith((".", "!", "?")) else f"{part}." for part in said if part))
    if len(full) <= LONGEST_DESCRIPTION:
        return full
    firsts = " ".join(dict.fromkeys(sentences(part)[0] for part in said if part))
    if len(firsts) > LONGEST_DESCRIPTION - 200:
        firsts = f"{titled(group.name)}."
    words = dict.fromkeys(unit.text for part in said for unit in triggers(part) if unit.text not in firsts)
    return shorten(f"{firsts} Also for: {', '.join(words)}.", LONGEST_DESCRIPTION)


def _common_fields(members: Sequence[Member]) -> list[str]:
    """Fields that stand word for word the same in every member."""
    fields = [raw_fields(member.content) for member in members]
    return [raw for key, raw in fields[0].items() if key not in _OWN_FIELDS and all(f.get(key) == raw for f in fields)]


def _tags(members: Sequence[Member]) -> list[str]:
    """All tags of the parts as the umbrella's own, where its fields hold none yet."""
    common = {raw.split(":", 1)[0] for raw in _common_fields(members)}
    if common & {"metadata", "tags"}:
        return []
    fronts = [parse_skill(member.content.encode("utf-8", "surrogatepass"), member.name).front for member in members]
    said = [(front.fields.get("tags"), front.metadata.get("tags"), front.metadata.get("hermes")) for front in fronts]
    levels = [level for row in said for level in (*row[:2], row[2].get("tags") if isinstance(row[2], dict) else None)]
    found = [
        str(tag).strip()
        for level in levels
        for tag in (re.split(r"[,\s]+", level) if isinstance(level, str) else level if isinstance(level, list) else ())
    ]
    tags = ", ".join(dict.fromkeys(tag for tag in found if tag))
    return [f"metadata:\n  tags: {scalar(tags)}"] if tags else []


def _note(group: Group) -> str:
    """Front matter fields of absorbed skills that the umbrella does not have, kept as a block of text."""
    base = raw_fields(group.target.content) if group.target else {}
    common = set(_common_fields(group.absorbed)) if group.target is None else set()
    blocks = []
    for member in group.absorbed:
        kept = [
            raw
            for key, raw in raw_fields(member.content).items()
            if key not in _OWN_FIELDS and raw not in common and base.get(key) != raw
        ]
        if kept:
            title = part_of(member.name, "", member.content).title
            blocks.append(f"{title}:\n\n```yaml\n" + "\n".join(kept) + "\n```")
    return "\n## Front matter of the parts\n\n" + "\n\n".join(blocks) + "\n" if blocks else ""
