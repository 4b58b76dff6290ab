"""Which skills and memory files differ between two content trees, and which ones a tree holds.

A skill in a tree is a folder with a SKILL.md entry; what lies deeper belongs to it. Only subtrees whose ids differ are
read, so comparing two neighbours of a large library costs the changed path and no more.
"""

from app.history.objects import Objects
from app.history.trees import EMPTY_TREE, Items

#: Prefix to (id before, id after); None where it does not exist.
Changes = dict[str, tuple[str | None, str | None]]

_SKILLS = "skills"


def prefixes(store: Objects, root: str) -> dict[str, str]:
    """Every skill prefix and memory file of a content tree with the id of its subtree or blob, in path order."""
    found: dict[str, str] = {}
    for name, item in sorted(store.tree(root).items()):
        if not item.is_tree:
            continue
        if name == _SKILLS:
            _skills(store, name, item.id, found)
        else:
            found.update((f"{name}/{file}", one.id) for file, one in sorted(store.tree(item.id).items()))
    return found


def compare(store: Objects, before: str, after: str) -> Changes:
    """The prefixes that differ between two content trees."""
    found: Changes = {}
    old, new = store.tree(before), store.tree(after)
    for name in sorted(old.keys() | new.keys()):
        a, b = old.get(name), new.get(name)
        if a == b:
            continue
        left = a.id if a is not None and a.is_tree else EMPTY_TREE
        right = b.id if b is not None and b.is_tree else EMPTY_TREE
        if name == _SKILLS:
            _folders(store, name, left, right, found)
        else:
            _files(name, store.tree(left), store.tree(right), found)
    return found


def is_skill(items: Items) -> bool:
    """Whether a folder with these entries is a skill; `SKILL.md` in any spelling counts, as the reader takes it."""
    usual = items.get("SKILL.md")
    if usual is not None and not usual.is_tree:
        return True
    return any(name.lower() == "skill.md" and not item.is_tree for name, item in items.items())


def _folders(store: Objects, path: str, before: str, after: str, found: Changes) -> None:
    old, new = store.tree(before), store.tree(after)
    for name in sorted(old.keys() | new.keys()):
        a, b = old.get(name), new.get(name)
        if a == b:
            continue
        left = a.id if a is not None and a.is_tree else EMPTY_TREE
        right = b.id if b is not None and b.is_tree else EMPTY_TREE
        here = f"{path}/{name}"
        was, now = is_skill(store.tree(left)), is_skill(store.tree(right))
        if was or now:
            if left != right:
                found[here] = (left if was else None, right if now else None)
            _folders(store, here, EMPTY_TREE if was else left, EMPTY_TREE if now else right, found)
        else:
            _folders(store, here, left, right, found)


def _skills(store: Objects, path: str, tree: str, found: dict[str, str]) -> None:
    for name, item in sorted(store.tree(tree).items()):
        here = f"{path}/{name}"
        if item.is_tree and is_skill(store.tree(item.id)):
            found[here] = item.id
        elif item.is_tree:
            _skills(store, here, item.id, found)


def _files(path: str, old: Items, new: Items, found: Changes) -> None:
    for name in sorted(old.keys() | new.keys()):
        a, b = old.get(name), new.get(name)
        if a != b:
            found[f"{path}/{name}"] = (a.id if a else None, b.id if b else None)
