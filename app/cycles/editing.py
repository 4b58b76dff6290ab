"""Editing a skill by hand: check as you type, one field at a time, save against what was opened, create, fix."""

from collections.abc import Iterable, Mapping

from app.cycles.care import create_or_offer
from app.cycles.home import OpenHome
from app.cycles.library import USER, change
from app.cycles.values import ActionReport
from app.errors import AppError, Kind
from app.history.values import Blob, Origin
from app.history.walk import read_folder
from app.skills.front import set_field
from app.skills.parse import parse_skill
from app.skills.read import list_files, read_skill_text
from app.skills.resolve import find
from app.skills.values import Action, Finding, Receipt, Request, Writer
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
    receipt = change(open_home, Request(Action.EDIT, skill.id, content=text))
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


def import_copies(open_home: OpenHome, ids: Iterable[str]) -> ActionReport:
    """Copy skills of further folders (or linked ones) into the library, each as a skill of its own."""
    library = open_home.library()
    done: list[tuple[str, str]] = []
    refused: list[tuple[str, str]] = []
    entries: list[str] = []
    for skill_id in ids:
        skill = next((item for item in library.skills if item.id == skill_id and not item.in_home), None)
        if skill is None:
            refused.append((skill_id, "It is in the library already."))
            continue
        files = read_folder(skill.real or skill.folder, limit=open_home.live.file_limit).files
        request = Request(Action.PUT, skill.id, files=dict(files), reason=f"copied from {skill.root}")
        receipt = open_home.door.do(request, Writer(Origin.USER))
        if receipt.ok:
            done.append((skill.name, receipt.skill))
            entries += [receipt.entry] if receipt.entry else []
        else:
            refused.append((skill.name, receipt.why))
    return ActionReport("import", tuple(done), tuple(refused), tuple(entries))


def fix(open_home: OpenHome, skill_id: str, finding: Finding) -> Receipt:
    """Apply a finding's safe fix. Raises AppError(USAGE) when the finding offers none that can be applied."""
    skill = find(open_home.library(), skill_id)
    text = read_skill_text(skill)
    fixed = _fixed(text, skill.folder.name, finding)
    if fixed is None or fixed == text:
        sentence = "This finding has no fix that is safe to apply by itself. Edit the file at the line it names."
        raise AppError(Kind.USAGE, "No safe fix", sentence)
    receipt: Receipt = open_home.door.do(Request(Action.EDIT, skill.id, content=fixed, reason=finding.rule), USER)
    if not receipt.ok:
        raise AppError(Kind.REFUSED, "This is not changed", receipt.why)
    return receipt


def _fixed(text: str, folder: str, finding: Finding) -> str | None:
    """The text after the fix: a name made valid, an unquoted colon quoted, line ends or a BOM made plain."""
    fields = parse_skill(text.encode("utf-8", "surrogateescape"), folder).front.fields
    makers: Mapping[str, str] = {"NAME": "name", "YAML.UNQUOTED": "description", "DESC": "description"}
    if finding.rule.startswith("ENC.BOM"):
        return text.lstrip("\ufeff")
    if finding.rule.startswith(("ENC.CRLF", "ENC.CR")):
        return text.replace("\r\n", "\n").replace("\r", "\n")
    if finding.rule.startswith("NAME"):
        return set_text_field(text, "name", folder)
    key = next((field for prefix, field in makers.items() if finding.rule.startswith(prefix)), None)
    value = fields.get(key) if key else None
    return set_text_field(text, key, value) if key and isinstance(value, str) else None
