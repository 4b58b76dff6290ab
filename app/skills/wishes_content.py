"""Understanding requests that change a skill's content: create, patch, edit, write_file, remove_file, put."""

from collections.abc import Mapping
from dataclasses import replace

from app.history.trees import hash_files
from app.history.values import Blob, BlobKind, Origin, Snapshot
from app.skills.archived_twin import archived_twin_problem
from app.skills.bench import Bench
from app.skills.content import Content, changes_script, hides_more, skill_file
from app.skills.naming import category_problem, file_problem, name_problem, place_problem
from app.skills.parse import parse_skill
from app.skills.patching import NotPatched, apply_patch
from app.skills.policy import Subject
from app.skills.validity import findings_of, result_problem, size_problem
from app.skills.values import Action, Request, Skill, Source, Writer
from app.skills.wish import Wish, problem

_PREVIEW = 200


def wish_create(bench: Bench, request: Request, writer: Writer) -> Wish:
    """A new skill: `skill` is the name, `content` the whole SKILL.md, `category` where (one level)."""
    name, category = request.skill, request.category or ""
    data = _bytes(request.content)
    trouble = name_problem(name, bench.library) or category_problem(category, bench.library)
    if not trouble and data is None:
        trouble = "There is no content. Give the whole SKILL.md, front matter included."
    if trouble or data is None:
        return problem(request.action, trouble, name)
    skill_id = f"{category}/{name}" if category else name
    files: Snapshot = {"SKILL.md": Blob(data)}
    trouble = result_problem(None, files, name) or _too_large(writer, "SKILL.md", data)
    if not trouble and bench.exists(skill_id):
        trouble = f"Something else stands at skills/{skill_id}. Choose another name."
    trouble = trouble or archived_twin_problem(bench, data)
    script, hides = changes_script({}, files), hides_more({}, files)
    subject = Subject(problem=trouble, script=script, hides=hides, draft=bench.place.is_draft)
    wish = Wish(request.action, None, subject, skill_id, name, files=files, fields=_born(writer))
    shown = parse_skill(data, name).description
    return replace(
        wish,
        new_preview=shown[:_PREVIEW],
        findings=findings_of(files, name),
        done=f"Created {skill_id}.",
        detail={"name": name, "hash": hash_files(files)},
    )


def wish_patch(bench: Bench, request: Request, writer: Writer, skill: Skill) -> Wish:
    """One piece of text of one file replaced by another."""
    before = bench.content(skill).files
    file = _file(request.file, skill, before)
    blob = before.get(file)
    if blob is None or blob.kind is BlobKind.LINK:
        known = ", ".join(sorted(before)[:8])
        return problem(request.action, f"{skill.name} has no file {file!r}. It has: {known}.", skill.id, skill)
    done = apply_patch(blob.data, request.old, request.new, request.replace_all)
    if isinstance(done, NotPatched):
        return problem(request.action, done.why, skill.id, skill)
    after = {**before, file: replace(blob, data=done.data)}
    wish = _changed(bench, request, writer, skill, after, file)
    places = "1 place" if done.count == 1 else f"{done.count} places"
    return replace(
        wish,
        done=f"Patched {file} of {skill.name} in {places}.",
        old_preview=(request.old or "")[:_PREVIEW],
        new_preview=(request.new or "")[:_PREVIEW],
    )


def wish_edit(bench: Bench, request: Request, writer: Writer, skill: Skill) -> Wish:
    """The whole SKILL.md written anew."""
    before = bench.content(skill).files
    return _whole_file(bench, request, writer, skill, skill_file(before) if before else skill.file)


def wish_write(bench: Bench, request: Request, writer: Writer, skill: Skill) -> Wish:
    """One file written as a whole; SKILL.md by this way is an edit."""
    if not request.file:
        return problem(request.action, "Name the file to write, for example references/notes.md.", skill.id, skill)
    return _whole_file(bench, request, writer, skill, _file(request.file, skill, bench.content(skill).files))


def wish_remove(bench: Bench, request: Request, writer: Writer, skill: Skill) -> Wish:
    """One support file removed."""
    before = bench.content(skill).files
    file = _file(request.file, skill, before) if request.file else ""
    trouble = ""
    if file and file == skill_file(before):
        trouble = "SKILL.md is the skill itself. Archive the skill instead of removing it."
    elif file not in before:
        trouble = f"{skill.name} has no file {file!r}, so there is nothing to remove."
    if trouble:
        return problem(request.action, trouble, skill.id, skill)
    after = {path: blob for path, blob in before.items() if path != file}
    wish = _changed(bench, request, writer, skill, after, file)
    text = before[file].data.decode("utf-8", "replace")
    return replace(wish, done=f"Removed {file} from {skill.name}.", old_preview=text[:_PREVIEW])


def wish_put(bench: Bench, request: Request, writer: Writer, skill: Skill | None) -> Wish:
    """A skill's folder replaced by a given set of files, or made anew at the id `skill`."""
    files = {path: blob for path, blob in (request.files or {}).items() if isinstance(blob, Blob)}
    if skill is not None:
        trouble = _put_problem(files, bench.content(skill).files, skill.id)
        if trouble:
            return problem(request.action, trouble, skill.id, skill)
        wish = _changed(bench, request, writer, skill, files, "")
        wish = replace(wish, done=f"Wrote {skill.name} ({len(files)} files).")
        return _with_record(wish, request, bench.record(skill.id)) if request.record else wish
    trouble = _put_problem(files, None, request.skill)
    trouble = trouble or _place_problem(bench, request.skill, archived=_is_user(writer))
    name = parse_skill(files[skill_file(files)].data, request.skill.rpartition("/")[2]).name if not trouble else ""
    subject = Subject(problem=trouble, script=changes_script({}, files), draft=bench.place.is_draft)
    return Wish(
        request.action,
        None,
        subject,
        request.skill,
        name or request.skill,
        files=files,
        fields={**_born(writer), **(request.record or {})},
        done=f"Wrote {request.skill} ({len(files)} files).",
        detail={"name": name, "hash": hash_files(files) if not trouble else ""},
    )


def _with_record(wish: Wish, request: Request, before: Mapping[str, object]) -> Wish:
    """The wish with fields of the usage record set, too; what they were stands in the entry, for an undo."""
    given = dict(request.record or {})
    was = {key: before.get(key) for key in given}
    nothing = wish.nothing if was == given else ""
    return replace(wish, fields={**wish.fields, **given}, detail={**wish.detail, "record": was}, nothing=nothing)


def _whole_file(bench: Bench, request: Request, writer: Writer, skill: Skill, file: str) -> Wish:
    data = _bytes(request.content)
    before = bench.content(skill).files
    own = file == skill_file(before) or file == skill.file
    trouble = "" if own else file_problem(file, by_user=_is_user(writer)) or _in_the_way(file, bench.content(skill))
    if data is None:
        trouble = "There is no content. Give the whole text of the file."
    if trouble or data is None:
        return problem(request.action, trouble, skill.id, skill)
    old = before.get(file)
    if old is not None and old.data == data and old.kind is not BlobKind.LINK:
        return problem(request.action, f"{file} has exactly this content already.", skill.id, skill)
    kind = old.kind if old is not None and old.kind is not BlobKind.LINK else BlobKind.FILE
    wish = _changed(bench, request, writer, skill, {**before, file: Blob(data, kind)}, file)
    if not wish.subject.problem and (large := _too_large(writer, file, data)):
        wish = replace(wish, subject=replace(wish.subject, problem=large))
    return replace(
        wish,
        done=f"Wrote {file} of {skill.name}.",
        old_preview=old.data.decode("utf-8", "replace")[:_PREVIEW] if old else "",
        new_preview=data.decode("utf-8", "replace")[:_PREVIEW],
    )


def _changed(bench: Bench, request: Request, writer: Writer, skill: Skill, after: Snapshot, file: str) -> Wish:
    before = bench.content(skill).files
    folder_name = skill.id.rpartition("/")[2]
    lenient = request.action is Action.PUT
    trouble = result_problem(before, after, folder_name, lenient=lenient)
    name = parse_skill(after[skill_file(after)].data, folder_name).name if skill_file(after) in after else skill.name
    key = f"{skill.id}/{file}"
    # A patch that names one exact place of the file shows by itself that the file was read.
    shown = request.action is Action.PATCH and not request.replace_all
    unread = bool(file) and file in before and not shown and writer.read is not None and key not in writer.read
    subject = Subject(
        skill=skill,
        problem=trouble,
        script=changes_script(before, after),
        hides=hides_more(before, after),
        unread=file if unread else "",
        draft=bench.place.is_draft,
        renames=name != skill.name and not lenient,
    )
    edited = skill.source is not Source.LOCAL and writer.origin is not Origin.IMPORT
    return Wish(
        request.action,
        skill,
        subject,
        skill.id,
        name,
        before=before,
        files=after,
        counts=True,
        fields={**({"_melete_edited": True} if edited else {}), **_given(request)},
        nothing="" if after != before else f"{skill.name} has exactly this content already.",
        findings=findings_of(after, folder_name),
        detail={"name": skill.name, "file": file, "hash": hash_files(after)} if not trouble else {},
    )


def _given(request: Request) -> Mapping[str, object]:
    """What a put says of the usage record (a skill that is as it was shipped is no longer marked as edited)."""
    return dict(request.record or {}) if request.action is Action.PUT else {}


def _born(writer: Writer) -> Mapping[str, object]:
    """What the record of a new skill says: a review's (and a curator's) skills are managed, others are not."""
    if writer.origin is Origin.IMPORT:
        return {"created_by": None}
    managed = writer.origin in {Origin.REVIEW, Origin.CURATOR}
    by_agent = managed or writer.origin is Origin.CHAT
    return {"created_by": "agent" if managed else None, "_melete_author": "agent" if by_agent else "user"}


def _is_user(writer: Writer) -> bool:
    return writer.approved or writer.origin in {Origin.USER, Origin.IMPORT}


def _bytes(content: object) -> bytes | None:
    if isinstance(content, str):
        return content.encode("utf-8", "surrogatepass")
    return content if isinstance(content, bytes) else None


def _file(given: str | None, skill: Skill, before: Snapshot) -> str:
    """The file a request means: SKILL.md by default, also when it is written as `<skill>/SKILL.md`."""
    own = skill_file(before)
    if given is None or given.lower() in {"skill.md", f"{skill.name}/skill.md".lower()}:
        return own
    return given.removeprefix("./")


def _in_the_way(file: str, content: Content) -> str:
    before = content.files
    left_out = next((item for item in content.not_kept if item.path == file), None)
    if left_out is not None:
        return f"{file} is not recorded in the history ({left_out.why}), so it is not overwritten here."
    if before.get(file, Blob(b"")).kind is BlobKind.LINK:
        return f"{file} is a link. Links are kept as they are; choose another name."
    parts = file.split("/")
    for cut in range(1, len(parts)):
        if "/".join(parts[:cut]) in before:
            return f"{'/'.join(parts[:cut])} is a file or a link, so nothing can be put below it."
    if any(path.startswith(file + "/") for path in before):
        return f"{file} is a folder. Choose another name."
    return ""


def _put_problem(files: Snapshot, before: Snapshot | None, skill_id: str) -> str:
    for path in files:
        if trouble := file_problem(path, by_user=True):
            return trouble
    return result_problem(before, files, skill_id.rpartition("/")[2], lenient=True)


def _place_problem(bench: Bench, skill_id: str, *, archived: bool) -> str:
    trouble = place_problem(skill_id, bench.library, archived=archived)
    if not trouble and bench.exists(skill_id):
        trouble = f"Something else stands at skills/{skill_id} already."
    return trouble


def _too_large(writer: Writer, path: str, data: bytes) -> str:
    return "" if _is_user(writer) else size_problem(path, data)
