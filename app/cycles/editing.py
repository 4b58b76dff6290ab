"""Editing a skill by hand: check as you type, one field at a time, save against what was opened, create, fix."""

from app.cycles.care import create_or_offer
from app.cycles.home import OpenHome
from app.cycles.library import change
from app.errors import AppError, Kind
from app.history.values import Blob
from app.skills.content import read_content
from app.skills.fixes import all_fixed, fix_request
from app.skills.front import set_field
from app.skills.kept_bytes import kept_bytes
from app.skills.parse import parse_skill
from app.skills.read import list_files, read_skill_bytes
from app.skills.resolve import find
from app.skills.values import Action, Finding, Receipt, Request
from app.text.diff import diff_text
from app.text.values import FileDiff

_MERGED = "SKILL.md"
#: What the lines between both versions of a place are called in the editor.
_MARKS = {"<<<<<<<": "<<<<<<< my text", "=======": "=======", ">>>>>>>": ">>>>>>> text on disk"}
_FIRST_TEXT = "---\nname: name\ndescription: what it is for\n---\n\n# {title}\n\n## Steps\n\n1. \n"


def save_text(open_home: OpenHome, skill_id: str, text: str, base_hash: str) -> tuple[Receipt, str]:
    """Save a skill's SKILL.md from the editor, if it is still what the editor was opened with; and its new hash.

    Raises AppError(REFUSED) when the file changed meanwhile: nothing is written, both texts stay reachable.
    """
    library = open_home.library()
    if library.get(skill_id) is None and not base_hash:
        name = skill_id.rpartition("/")[2]
        category = skill_id.rpartition("/")[0] or None
        receipt = change(open_home, Request(Action.CREATE, name, content=text, category=category))
        return receipt, find(open_home.library(), receipt.skill).body_hash
    skill = find(library, skill_id)
    if base_hash and skill.body_hash != base_hash:
        sentence = "The file changed on disk since it was opened. Compare both versions and choose."
        raise AppError(Kind.REFUSED, "Changed outside", sentence, action="editor.conflict")
    data = kept_bytes(read_skill_bytes(skill), text)
    receipt = change(open_home, Request(Action.EDIT, skill.id, content=data))
    return receipt, find(open_home.library(), skill.id).body_hash


def check_text(open_home: OpenHome, skill_id: str, text: str) -> tuple[str, dict[str, str], tuple[Finding, ...]]:
    """The text, its front matter as plain texts, and the findings it would have as this skill's SKILL.md."""
    skill = open_home.library().get(skill_id)
    folder = skill.folder.name if skill else skill_id.rpartition("/")[2]
    files = list_files(skill) if skill else None
    parsed = parse_skill(text.encode("utf-8", "surrogateescape"), folder, files)
    fields = {key: value for key, value in parsed.front.fields.items() if isinstance(value, str)}
    return text, fields, parsed.findings


def set_text_field(text: str, key: str, value: str) -> str:
    """The text with one front matter field set; every other line stays byte for byte. Raises AppError(INVALID)."""
    return set_field(text.encode("utf-8", "surrogateescape"), key, value or None).decode("utf-8", "surrogateescape")


def merge_text(open_home: OpenHome, base: str, mine: str, theirs: str) -> tuple[str, int]:
    """Both texts merged line by line, and how many places both changed; those stand one after the other, marked."""
    old, ours, other = ({_MERGED: Blob(text.encode("utf-8", "surrogateescape"))} for text in (base, mine, theirs))
    merged = open_home.history.merge(old, ours, other)
    text = merged.files[_MERGED].data.decode("utf-8", "surrogateescape")
    if merged.clean:
        return text, 0
    lines = [_named(line) for line in text.splitlines(keepends=True)]
    return "".join(lines), sum(line.startswith("<<<<<<<") for line in lines)


def _named(line: str) -> str:
    """A line between both versions of a place says whose text follows."""
    mark, end = _MARKS.get(line[:7]), line[len(line.rstrip("\r\n")) :]
    return f"{mark}{end}" if mark else line


def difference(old: str, new: str) -> tuple[FileDiff, ...]:
    """The difference between two texts of SKILL.md."""
    data = (text.encode("utf-8", "surrogateescape") for text in (old, new))
    return (diff_text("SKILL.md", *data),)


def create(open_home: OpenHome, name: str, description: str, category: str) -> Receipt:
    """Make a new skill with a first text. Raises AppError(REFUSED) with the door's sentence."""
    title = name.replace("-", " ").capitalize()
    text = set_text_field(_FIRST_TEXT.format(title=title), "description", " ".join(description.split()))
    text = set_text_field(text, "name", name)
    return create_or_offer(open_home, name, description, text, category)


def fix(open_home: OpenHome, skill_id: str, finding: Finding) -> Receipt:
    """Apply a finding's safe fix.

    Raises AppError(USAGE) when the finding offers none, AppError(REFUSED) with the door's sentence.
    """
    skill = find(open_home.library(), skill_id)
    request = fix_request(skill, read_content(skill, open_home.live.file_limit).files, finding)
    if request is None:
        sentence = "This finding has no fix that is safe to apply by itself. Edit the file at the line it names."
        raise AppError(Kind.USAGE, "No safe fix", sentence)
    return change(open_home, request)


def fix_all(open_home: OpenHome, skill_id: str) -> tuple[tuple[str, ...], Receipt | None]:
    """Apply every safe fix within SKILL.md as one step; the rules that were mended, and the receipt (None: nothing).

    Fixes that rename or move the skill are left to a click of their own. Raises AppError(REFUSED) with the door's
    sentence, AppError(NOT_FOUND, STORAGE) when the file cannot be read.
    """
    skill = find(open_home.library(), skill_id)
    data, rules = all_fixed(read_skill_bytes(skill), skill.id.rpartition("/")[2])
    if not rules:
        return (), None
    request = Request(Action.EDIT, skill.id, content=data, reason=", ".join(dict.fromkeys(rules)))
    return rules, change(open_home, request)
