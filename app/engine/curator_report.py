"""The final answer of a curator run by rules: prose for the report, then the block that says what went where."""

import json
from collections.abc import Mapping, Sequence

from app.engine.groups import Group


def final_answer(
    candidates: int,
    alike: Sequence[Sequence[str]],
    groups: Sequence[Group],
    folded: Mapping[Group, Sequence[str]],
    left: Mapping[str, str],
) -> str:
    """What was folded and why, what was left alone and why. `alike` are hints whose names say nothing in common."""
    lines = [f"I compared {counted(candidates, 'skill')} by rules (basic mode, no language model)."]
    done = [group for group in groups if folded.get(group)]
    if not done:
        lines.append("Nothing was folded: I found no siblings that clearly belong into one skill.")
    lines += [f"- **{group.name}**, {_what(group)}, takes in {_listed(folded[group])}. {_why(group)}" for group in done]
    for name, reason in left.items():
        lines.append(f"- {name} was left alone: {reason.rstrip('.')}.")
    strangers = [_listed(names) for names in alike if len(names) > 1]
    lines += [
        f"- {names} use similar words, but I cannot tell by rules that they belong together." for names in strangers
    ]
    if done:
        lines.append("Every step, command and pitfall was kept; only word-for-word repetitions were joined.")
    return "\n".join(lines) + "\n\n" + _block(done, folded)


def counted(number: int, thing: str) -> str:
    """A number with its thing, in the plural where it needs one."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _what(group: Group) -> str:
    if group.target is None:
        return "a new skill for the class of task"
    if not group.shared:
        return "pinned" if group.target.pinned else "the fullest or most used of them"
    return "which is wide enough already" if group.wide else "whose own files have to stay where they are"


def _why(group: Group) -> str:
    words = ", ".join(f"*{word}*" for word in group.shared)
    return f"Their names share {words}, their descriptions the subject." if words else "They are nearly the same text."


def _block(groups: Sequence[Group], folded: Mapping[Group, Sequence[str]]) -> str:
    rows = []
    for group in groups:
        for name in folded[group]:
            reason = f"Same class of task as the other parts of {group.name}; carried over whole."
            rows += [
                f"  - from: {json.dumps(name)}",
                f"    into: {json.dumps(group.name)}",
                f"    reason: {json.dumps(reason)}",
            ]
    merged = "consolidations:\n" + "\n".join(rows) if rows else "consolidations: []"
    return f"```yaml\n{merged}\nprunings: []\n```"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
