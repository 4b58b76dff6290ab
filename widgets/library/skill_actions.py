"""What can be done to skills, as one list, and which of it fits a selection."""

from collections.abc import Sequence

from app.skills.values import Skill, Source, State
from widgets.common.actions import ActionSpec

SKILL_ACTIONS = (
    ActionSpec("skill.open", "Open", "skill", "", "Show the skill", "open"),
    ActionSpec("skill.edit", "Edit", "edit", "Ctrl+E", "Edit SKILL.md", "open"),
    ActionSpec("skill.pin", "Pin", "pin", "Ctrl+Shift+P", "Never archive or merge it by itself", "state"),
    ActionSpec("skill.unpin", "Unpin", "pin-off", "", "Let it be archived and merged again", "state"),
    ActionSpec(
        "skill.archive",
        "Archive",
        "archive",
        "Del",
        "Move it to the archive; it can be restored",
        "state",
        scope="widget",
    ),
    ActionSpec("skill.restore", "Restore", "restore", "", "Put it back where it was", "state"),
    ActionSpec("skill.adopt", "Adopt", "adopt", "", "Let automation improve it", "managed"),
    ActionSpec("skill.unadopt", "Do not let automation change it", "lock", "", "Only you change it", "managed"),
    ActionSpec("skill.enable", "Offer to the agent", "eye", "", "List it in the agent's catalogue", "managed"),
    ActionSpec("skill.disable", "Do not offer to the agent", "eye-off", "", "Leave it out of the catalogue", "managed"),
    ActionSpec("skill.import", "Import into the library", "download", "", "Copy it into the library", "managed"),
    ActionSpec("skill.copy_name", "Copy name", "copy", "", "Put the name on the clipboard", "place"),
    ActionSpec("skill.copy_path", "Copy path", "copy", "", "Put the folder's path on the clipboard", "place"),
    ActionSpec("skill.open_editor", "Open in your editor", "external", "", "Open SKILL.md in another program", "place"),
    ActionSpec("skill.open_folder", "Open folder", "folder-open", "", "Show the folder in the file manager", "place"),
    ActionSpec(
        "skill.purge", "Delete for good…", "trash", "", "Move the archived skill to the trash", "end", danger=True
    ),
)

#: Those that make sense for many skills at once, in the order of the bulk bar.
BULK_ACTIONS = ("skill.pin", "skill.unpin", "skill.archive", "skill.restore", "skill.adopt", "skill.unadopt")


def fitting(skills: Sequence[Skill]) -> frozenset[str]:
    """The actions that do something for this selection. One skill that fits is enough for the bulk actions."""
    if not skills:
        return frozenset()
    found = {action for skill in skills for action in _of(skill)}
    if len(skills) > 1:
        found -= {
            "skill.open",
            "skill.edit",
            "skill.copy_name",
            "skill.copy_path",
            "skill.open_folder",
            "skill.open_editor",
        }
    return frozenset(found)


def targets(action: str, skills: Sequence[Skill]) -> tuple[str, ...]:
    """The ids of those skills of the selection that the action is for."""
    return tuple(skill.id for skill in skills if action in _of(skill))


def _of(skill: Skill) -> set[str]:
    found = {"skill.open", "skill.copy_name", "skill.copy_path", "skill.open_folder", "skill.open_editor"}
    if not skill.in_home:
        return found | {"skill.import"} | ({"skill.edit"} if not skill.broken else set())
    if skill.state is State.ARCHIVED:
        return found | {"skill.restore", "skill.purge"}
    found.add("skill.edit")
    found.add("skill.disable" if skill.enabled else "skill.enable")
    if skill.linked:
        return found
    found.add("skill.unpin" if skill.pinned else "skill.pin")
    if not skill.pinned:
        found.add("skill.archive")
    if skill.source is Source.LOCAL:
        found.add("skill.unadopt" if skill.managed else "skill.adopt")
    return found
