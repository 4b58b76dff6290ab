"""Carrying a skill's support files into an umbrella: new places named after the old skill, and links that follow."""

import posixpath
import re
from collections.abc import Mapping, Sequence

_LINK = re.compile(r"(\]\(\s*<?)([^)\s>]+)")
_TEXT = (".md", ".markdown", ".txt", ".rst")


def new_places(old_name: str, files: Sequence[str]) -> dict[str, str]:
    """Old path to new path: `references/x.md` of `a` becomes `references/a-x.md`, folders below it likewise."""
    places = {}
    for path in files:
        first, _, rest = path.partition("/")
        places[path] = f"{first}/{old_name}-{rest}" if rest else f"references/{old_name}-{path}"
    return places


def rewritten(text: str, places: Mapping[str, str], here: str = "SKILL.md", now: str = "SKILL.md") -> str:
    """The text with its mentions of moved files changed: links relative to the file it stands in, and whole paths.

    `here` is the file's old place, `now` its new one.
    """
    folder, new_folder = posixpath.dirname(here), posixpath.dirname(now)

    def relink(found: re.Match[str]) -> str:
        address, mark, anchor = found.group(2).partition("#")
        target = posixpath.normpath(posixpath.join(folder, address)) if address else ""
        if target not in places:
            return found.group(0)
        return f"{found.group(1)}{posixpath.relpath(places[target], new_folder or '.')}{mark}{anchor}"

    linked = _LINK.sub(relink, text)
    for old, new in sorted(places.items(), key=lambda pair: -len(pair[0])):
        linked = re.sub(rf"(?<![\w/.-]){re.escape(old)}(?![\w/-]|\.\w)", new.replace("\\", r"\\"), linked)
    return linked


def carried_text(path: str, text: str, places: Mapping[str, str]) -> str:
    """What is written at the new place of a file: prose with its links corrected, everything else as it is."""
    return rewritten(text, places, path, places[path]) if path.lower().endswith(_TEXT) else text
