"""Reads one SKILL.md: bytes in, fields, body and findings out. Tolerant, bounded, and it never raises on any bytes."""

from collections.abc import Collection
from dataclasses import dataclass

from app.skills.checks_body import Target, check_body, check_references, link_targets
from app.skills.fences import decode, split
from app.skills.findings import Remarks
from app.skills.front_values import Front
from app.skills.names import can_be_name
from app.skills.rules import check_front
from app.skills.values import Finding, Load
from app.skills.yaml_block import read_block


@dataclass(frozen=True, slots=True)
class Parsed:
    """One SKILL.md as read. `body` is the text after the closing fence as it stands, `body_line` its 1-based line.

    `targets` are the body's inline links (offset in the body, target), those in code blocks left out.
    `name` falls back to the folder's name when none is given or it could only be a path (see can_be_name),
    `description` to an empty text; both are stripped, never cut.
    """

    front: Front
    body: str
    body_line: int
    findings: tuple[Finding, ...]
    load: Load
    name: str
    description: str
    targets: tuple[Target, ...] = ()


def parse_skill(data: bytes, folder_name: str, files: Collection[str] | None = None) -> Parsed:
    """Read SKILL.md's bytes as the skill in a folder called `folder_name`.

    `files` are the POSIX paths below the skill, for advice about links to missing files; without them that advice is
    left out. Everything wrong is a finding; `load` says whether the skill can be used.
    """
    remarks = Remarks()
    fenced = split(decode(data, remarks), remarks)
    front = read_block(fenced.block, fenced.block_line, remarks) if fenced.block is not None else None
    targets = link_targets(fenced.body)
    if front is None:
        front = Front()
    else:
        check_front(front, folder_name, remarks)
        check_body(fenced.body, fenced.body_line, remarks)
        if files is not None:
            check_references(front, fenced.body, fenced.body_line, targets, files, remarks)
    declared = " ".join((front.text("name") or "").split())
    name = declared if can_be_name(declared) else folder_name
    description = front.text("description") or ""
    return Parsed(
        front, fenced.body, fenced.body_line, remarks.findings, remarks.load, name, description, tuple(targets)
    )
