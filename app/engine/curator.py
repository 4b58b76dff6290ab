"""The curator pass by rules: read the hinted siblings, fold those that belong together, archive what was absorbed.

At most five steps whatever the size of the library: read the skills, read their files, write the umbrellas, delete the
absorbed members of those umbrellas that were written, report.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.engine.curator_report import counted, final_answer
from app.engine.groups import Group, Member, groups_of, member_of
from app.engine.listing import listed_rows
from app.engine.step import Call, Step
from app.engine.transcript import Done, Transcript, Turn
from app.engine.umbrella import package_of

_BLOCK = re.compile(r"^```json[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
#: A package with more files than this is left for a person.
_MOST_FILES = 30


@dataclass(frozen=True, slots=True)
class Work:
    """What one run knows: the listed candidates by name, the hinted clusters, the members that were read."""

    rows: Mapping[str, Mapping[str, Any]]
    clusters: tuple[tuple[str, ...], ...]
    members: Mapping[str, Member]
    groups: tuple[Group, ...]
    left: Mapping[str, str]


def answer(transcript: Transcript) -> Step:
    """The next step of a curator run."""
    now = transcript.now
    rows, clusters = candidates_in(now.said)
    wanted = tuple(dict.fromkeys(name for cluster in clusters for name in cluster))
    if not wanted or "skill_view" not in transcript.tools:
        return Step(final_answer(len(rows), (), (), {}, {}))
    if not now.done:
        listing = (Call("skills_list"),) if "skills_list" in transcript.tools else ()
        text = f"Reading {len(wanted)} skills in {counted(len(clusters), 'group')} of siblings."
        return Step(text, (*listing, *(Call("skill_view", {"name": name}) for name in wanted)))
    work = _work(now, rows, clusters)
    unread = [
        Call("skill_view", {"name": member.name, "file_path": path})
        for group in work.groups
        for member in group.absorbed
        for path in member.files
        if _file(now, member.name, path) is None
    ]
    if unread:
        return Step(f"Reading {counted(len(unread), 'support file')}.", tuple(unread))
    return _write(transcript, work)


def candidates_in(said: str) -> tuple[dict[str, Mapping[str, Any]], tuple[tuple[str, ...], ...]]:
    """The candidates by name and the clusters of names in a curator message; nothing when it has no such block."""
    for block in _BLOCK.findall(said):
        try:
            data = json.loads(block)
        except ValueError:  # another block may be the list
            continue
        if isinstance(data, dict) and isinstance(data.get("candidates"), list):
            found = [row for row in data["candidates"] if isinstance(row, dict) and isinstance(row.get("name"), str)]
            rows: dict[str, Mapping[str, Any]] = {row["name"]: row for row in found}
            hinted = [group for group in data.get("clusters") or [] if isinstance(group, list)]
            left = _named_in(str(data.get("note") or ""), rows)
            known = (tuple(name for name in group if name in rows and name not in left) for group in hinted)
            return rows, tuple(group for group in known if len(group) > 1)
    return {}, ()


def _named_in(note: str, names: Iterable[str]) -> set[str]:
    """The skills that a person's note about an earlier proposal names: rules cannot read more, so they are left out."""
    return {name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", note)}


def _work(now: Turn, rows: Mapping[str, Mapping[str, Any]], clusters: tuple[tuple[str, ...], ...]) -> Work:
    members: dict[str, Member] = {}
    left: dict[str, str] = {}
    for name in dict.fromkeys(name for cluster in clusters for name in cluster):
        done = next((d for d in now.of("skill_view") if d.given("name") == name and not d.given("file_path")), None)
        content = done.result.string("content") if done is not None and done.result.ok else ""
        if done is None or not content.startswith(("---", "\ufeff---")):
            left[name] = (done.result.sentence if done is not None else "") or "it could not be read"
            continue
        files = done.result.data.get("files")
        members[name] = member_of(rows[name], content, files if isinstance(files, list) else [])
    readable = [tuple(members[name] for name in cluster if name in members) for cluster in clusters]
    groups = groups_of([cluster for cluster in readable if len(cluster) > 1])
    return Work(rows, clusters, members, tuple(_whole(now, group, left) for group in groups if group.absorbed), left)


def _whole(now: Turn, group: Group, left: dict[str, str]) -> Group:
    """The group without members whose files cannot be carried; they are named with the reason."""
    kept = []
    for member in group.absorbed:
        bad = [path for path in member.files if (done := _file(now, member.name, path)) and not _readable(done)]
        if bad or len(member.files) > _MOST_FILES:
            left[member.name] = f"its file {bad[0]} is no text" if bad else f"it has {len(member.files)} files"
        else:
            kept.append(member)
    return Group(group.name, tuple(kept), group.target, group.shared)


def _write(transcript: Transcript, work: Work) -> Step:
    now = transcript.now
    groups = [group for group in work.groups if len(group.members) > 1]
    taken = _taken(now, work)
    possible = [group for group in groups if group.target is not None or group.name not in taken]
    left = dict(work.left) | {
        member.name: f"there is another skill called {group.name}"
        for group in groups
        if group not in possible
        for member in group.absorbed
    }
    writes = now.of("skill_manage")
    if "skill_manage" in transcript.tools and possible and not writes:
        calls = tuple(call for group in possible for call in _writing(now, group))
        return Step(f"Writing {counted(len(possible), 'umbrella')}.", calls)
    refused = {d.given("name"): d.result.sentence for d in writes if not d.result.ok and d.given("action") != "delete"}
    written = [group for group in possible if group.name not in refused]
    deleted = [done for done in writes if done.given("action") == "delete"]
    if writes and written and not deleted:
        return Step("", tuple(_deletion(group, member) for group in written for member in group.absorbed))
    gone = {done.given("name") for done in deleted if done.result.ok}
    left |= {done.given("name"): done.result.sentence or "refused" for done in deleted if not done.result.ok}
    for group in possible:
        if group.name in refused:
            left |= {member.name: f"{group.name} was refused: {refused[group.name]}" for member in group.absorbed}
    grouped = {member.name for group in groups for member in group.members}
    alike = tuple(tuple(n for n in c if n not in grouped) for c in work.clusters)
    folded = {group: tuple(m.name for m in group.absorbed if m.name in gone or not writes) for group in written}
    return Step(final_answer(len(work.rows), tuple(alike), tuple(written), folded, left))


def _writing(now: Turn, group: Group) -> list[Call]:
    texts = {member.name: {path: _text(now, member.name, path) for path in member.files} for member in group.absorbed}
    package = package_of(group, texts)
    names = ", ".join(member.name for member in group.absorbed)
    why = f"Takes in {names}."
    given: dict[str, Any] = {"name": group.name, "content": package.content, "reason": why}
    if group.target is None:
        given["action"] = "create"
        categories = {member.category for member in group.absorbed}
        if len(categories) == 1 and (category := categories.pop()) and "/" not in category:
            given["category"] = category
    else:
        given["action"] = "edit"
    calls = [Call("skill_manage", given)]
    for path, text in package.files.items():
        carried = {"action": "write_file", "name": group.name, "file_path": path, "file_content": text, "reason": why}
        calls.append(Call("skill_manage", carried))
    return calls


def _deletion(group: Group, member: Member) -> Call:
    why = f"Folded whole into {group.name}."
    given = {"action": "delete", "name": member.name, "absorbed_into": group.name, "reason": why}
    return Call("skill_manage", given)


def _taken(now: Turn, work: Work) -> set[str]:
    return {str(row.get("name")) for row in listed_rows(now)} | set(work.rows)


def _file(now: Turn, name: str, path: str) -> Done | None:
    views = now.of("skill_view")
    return next((done for done in views if done.given("name") == name and done.given("file_path") == path), None)


def _readable(done: Done) -> bool:
    return done.result.ok and isinstance(done.result.data.get("content"), str) and not done.result.data.get("binary")


def _text(now: Turn, name: str, path: str) -> str:
    done = _file(now, name, path)
    return done.result.string("content") if done is not None else ""
