"""Which names, categories and file paths may be made: sentences for what may not, empty texts for what may.

Names never become paths by themselves: whatever a model or a user types passes here before it is joined to a folder.
"""

import re

from app.errors import AppError
from app.files import safe_parts
from app.history.walk import GENERATED
from app.skills.checks_name import plain_name
from app.skills.names import folded
from app.skills.values import Library, Skill, State

#: Where a model may put support files (Agent Skills format; anatomy of the skill tools).
SUPPORT_FOLDERS = ("references", "templates", "scripts", "assets")

_CATEGORY = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_LONGEST_PART = 200
_DEEPEST = 12
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})


def name_problem(name: str, library: Library, *, ours: Skill | None = None) -> str:
    """Why no skill may be given this name now; `ours` is the skill that is renamed."""
    if name != plain_name(name) or not name:
        offer = plain_name(name)
        text = f"{name!r} is not a name: 1 to 64 lower-case letters, digits and single hyphens."
        return f"{text} {offer!r} would be one." if offer else text
    if name in _RESERVED:
        return f"{name!r} is a device's name on some systems. Choose another."
    same = [skill for skill in library.skills if skill is not ours and _is_called(skill, name)]
    live = next((skill for skill in same if skill.state is not State.ARCHIVED), None)
    if live is not None:
        return f"There is a skill {live.name} already, at {live.id}. Change that one, or choose another name."
    if same:
        return f"{same[0].name} was archived ({same[0].id}). Restore it, or choose another name."
    return ""


def category_problem(category: str, library: Library) -> str:
    """Why no skill may be put into this category; an empty category is the library itself."""
    if not category or any(skill.in_home and skill.category == category for skill in library.skills):
        return "" if not category.startswith(".") else f"{category!r} is not a category."
    if _CATEGORY.fullmatch(category) is None or category in _RESERVED:
        return f"{category!r} is not a category: one word of lower-case letters, digits, dots, hyphens."
    if any(skill.in_home and skill.id == category for skill in library.skills):
        return f"{category!r} is a skill, and a skill cannot hold others. Choose another category."
    return ""


def file_problem(path: str, *, by_user: bool) -> str:
    """Why no file of a skill may have this path. A model may only write below the support folders."""
    try:
        parts = safe_parts(path)
    except AppError as error:
        return error.text
    if "/".join(parts) != path or len(parts) > _DEEPEST or any(len(part.encode()) > _LONGEST_PART for part in parts):
        return f"{path!r} is not a usable path. Use short names separated by single /."
    generated = next((part for part in parts if part.lower() in GENERATED), None)
    if generated is not None:
        return f"{generated!r} is a name for generated folders, which are not part of a skill."
    if not by_user and (len(parts) < 2 or parts[0] not in SUPPORT_FOLDERS):
        return f"{path!r} is not below {', '.join(SUPPORT_FOLDERS)}. Put the file there, or edit SKILL.md."
    return ""


def place_problem(skill_id: str, library: Library, *, archived: bool = False) -> str:
    """Why no skill can stand at this id, whatever stands there now; with `archived` the archive is a place too."""
    parts = skill_id.split("/")
    if archived and len(parts) == 2 and parts[0] == ".archive":
        parts = parts[1:]
    if any(not part or part.startswith(".") for part in parts) or any(char in skill_id for char in "\\\0"):
        return f"{skill_id!r} is no place for a skill."
    above = {"/".join(parts[:cut]) for cut in range(1, len(parts))}
    inside = next((skill for skill in library.skills if skill.in_home and skill.id in above), None)
    if inside is not None:
        return f"{skill_id!r} lies inside the skill {inside.id}, and a skill cannot hold others."
    return ""


def _is_called(skill: Skill, name: str) -> bool:
    folder = skill.id.rpartition("/")[2]
    return folded(skill.name) == folded(name) or (skill.in_home and folded(folder) == folded(name))
