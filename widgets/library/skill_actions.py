"""What can be done to skills, as one list, and which of it fits a selection."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.skills.values import Skill, Source, State
from widgets.common.actions import ActionSpec

PIN_TIP = (
    "Nobody archives, merges, renames or moves it, or removes its files, until it is unpinned; its text may improve"
)

SKILL_ACTIONS = (
    ActionSpec("skill.open", "Open", "skill", "Ctrl+O", "Show the skill", "open"),
    ActionSpec("skill.edit", "Edit", "edit", "Ctrl+E", "Edit SKILL.md", "open"),
    ActionSpec("skill.history", "History", "history", "Ctrl+H", "Every step of it, and the ways back", "open"),
    ActionSpec(
        "skill.rename", "Rename…", "edit", "F2", "Another name; the old one leads to it", "name", scope="widget"
    ),
    ActionSpec("skill.move", "Move to a category…", "folder", "Ctrl+Shift+M", "Put it into another category", "name"),
    ActionSpec(
        "skill.copy", "Copy as your own…", "copy", "Ctrl+Alt+C", "A skill of your own with the same files", "name"
    ),
    ActionSpec("skill.pin", "Pin", "pin", "Ctrl+Shift+P", PIN_TIP, "state"),
    ActionSpec("skill.unpin", "Unpin", "pin-off", "Ctrl+Alt+P", "Let it be archived and merged again", "state"),
    ActionSpec(
        "skill.archive",
        "Archive",
        "archive",
        "Del",
        "Move it to the archive; it can be restored",
        "state",
        scope="widget",
    ),
    ActionSpec("skill.restore", "Restore", "restore", "Ctrl+Shift+B", "Put it back where it was", "state"),
    ActionSpec(
        "skill.reset", "Reset to what was shipped", "undo", "Ctrl+Shift+S", "Your edits stay in its history", "state"
    ),
    ActionSpec("skill.adopt", "Adopt", "adopt", "Ctrl+Shift+A", "Let automation improve it", "managed"),
    ActionSpec(
        "skill.unadopt", "Do not let automation change it", "lock", "Ctrl+Shift+J", "Only you change it", "managed"
    ),
    ActionSpec(
        "skill.enable", "Offer to the agent", "eye", "Ctrl+Shift+E", "List it in the agent's catalogue", "managed"
    ),
    ActionSpec(
        "skill.disable",
        "Do not offer to the agent",
        "eye-off",
        "Ctrl+Shift+X",
        "Leave it out of the catalogue",
        "managed",
    ),
    ActionSpec(
        "skill.import", "Import into the library…", "download", "Ctrl+Shift+I", "Copy it into the library", "managed"
    ),
    ActionSpec(
        "skill.export", "Export…", "upload", "Ctrl+Shift+W", "As a file or a folder that can be imported again", "place"
    ),
    ActionSpec(
        "skill.link", "Link into…", "link", "Ctrl+Shift+T", "Let other agents read it from the library", "place"
    ),
    ActionSpec("skill.copy_name", "Copy name", "copy", "Ctrl+Shift+K", "Put the name on the clipboard", "place"),
    ActionSpec(
        "skill.copy_path", "Copy path", "copy", "Ctrl+Shift+Y", "Put the folder's path on the clipboard", "place"
    ),
    ActionSpec(
        "skill.open_editor",
        "Open in your editor",
        "external",
        "Ctrl+Shift+O",
        "Open SKILL.md in another program",
        "place",
    ),
    ActionSpec(
        "skill.open_folder",
        "Open folder",
        "folder-open",
        "Ctrl+Shift+F",
        "Show the folder in the file manager",
        "place",
    ),
    ActionSpec(
        "skill.purge",
        "Delete for good…",
        "trash",
        "Shift+Del",
        "List what goes, and ask before it does",
        "end",
        danger=True,
        scope="widget",
    ),
)

#: Those that make sense for many skills at once, in the order of the bulk bar.
BULK_ACTIONS = (
    "skill.pin",
    "skill.unpin",
    "skill.archive",
    "skill.restore",
    "skill.adopt",
    "skill.unadopt",
    "skill.enable",
    "skill.disable",
    "skill.move",
    "skill.import",
    "skill.export",
    "skill.purge",
)

#: Those that are about one skill only.
_SINGLE = frozenset(
    {
        "skill.open",
        "skill.edit",
        "skill.history",
        "skill.rename",
        "skill.reset",
        "skill.copy",
        "skill.link",
        "skill.copy_name",
        "skill.copy_path",
        "skill.open_folder",
        "skill.open_editor",
    }
)


def fitting(skills: Sequence[Skill]) -> frozenset[str]:
    """The actions that do something for this selection. One skill that fits is enough for the bulk actions."""
    if not skills:
        return frozenset()
    found = {action for skill in skills for action in _of(skill)}
    if len(skills) > 1:
        found -= _SINGLE
    return frozenset(found)


def targets(action: str, skills: Sequence[Skill]) -> tuple[str, ...]:
    """The ids of those skills of the selection that the action is for."""
    return tuple(skill.id for skill in skills if action in _of(skill))


def _of(skill: Skill) -> set[str]:
    found = {"skill.open", "skill.copy_name", "skill.copy_path", "skill.open_folder", "skill.open_editor"}
    if not skill.broken:
        found.add("skill.export")
        if skill.state is not State.ARCHIVED:
            found |= {"skill.link", "skill.copy"}
    if not skill.in_home:
        return found | {"skill.import"} | ({"skill.edit"} if not skill.broken else set())
    found.add("skill.history")
    if skill.state is State.ARCHIVED:
        return found | {"skill.restore", "skill.purge"}
    found.add("skill.edit")
    found.add("skill.disable" if skill.enabled else "skill.enable")
    if skill.linked:
        return found
    found.add("skill.unpin" if skill.pinned else "skill.pin")
    if not skill.pinned:
        found |= {"skill.archive", "skill.rename", "skill.move"}
    if skill.source is Source.BUNDLED and skill.edited_here:
        found.add("skill.reset")
    if skill.source is Source.LOCAL:
        found.add("skill.unadopt" if skill.managed else "skill.adopt")
    return found


def can_pin(skill: Skill) -> bool:
    """Whether a pin does anything for a skill."""
    return skill.in_home and not skill.linked and skill.live


def pin_words(skill: Skill) -> str:
    """What a pin blocks for this very skill, or why it has no effect."""
    if not skill.in_home:
        return _tr("A pin has no effect here: skills of further folders are never changed by Melete.")
    if skill.linked:
        return _tr("A pin has no effect here: automation never changes a linked skill.")
    words = _tr("{pinned}: while pinned, nobody archives, merges, renames or moves it, or removes its files.")
    words = words.format(pinned=_tr("Pinned") if skill.pinned else _tr("Pin"))
    if skill.source is not Source.LOCAL or not skill.managed:
        return words + " " + _tr("Automation does not archive this one anyway; the pin holds you, too.")
    return words + " " + _tr("Reviews may still improve its text.")


def _tr(text: str) -> str:
    return QCoreApplication.translate("SkillActions", text)
