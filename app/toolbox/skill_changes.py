"""The writing tool for skills: turns one call into one request at the door and says what came of it."""

from collections.abc import Mapping
from typing import Any

from app.skills.resolve import find, resolve
from app.skills.values import Action, Library, Receipt, Request, Verdict, Writer
from app.toolbox.arguments import Form, for_action
from app.toolbox.schemas import SKILL_MANAGE
from app.toolbox.skill_tools import OWN_FILE, plain_path
from app.toolbox.values import Answer, Surroundings, refused

_FORMS: Mapping[str, Form] = {
    "create": Form(("name", "content"), ("category", "reason")),
    "patch": Form(("name", "old_string", "new_string"), ("file_path", "replace_all", "reason")),
    "edit": Form(("name", "content"), ("reason",)),
    "write_file": Form(("name", "file_path", "file_content"), ("reason",)),
    "remove_file": Form(("name", "file_path"), ("reason",)),
    "delete": Form(("name",), ("absorbed_into", "reason")),
}
_ACTIONS: Mapping[str, Action] = {
    "create": Action.CREATE,
    "patch": Action.PATCH,
    "edit": Action.EDIT,
    "write_file": Action.WRITE_FILE,
    "remove_file": Action.REMOVE_FILE,
    "delete": Action.ARCHIVE,
}


def manage_skill(around: Surroundings, values: Mapping[str, Any], writer: Writer) -> Answer:
    """Tool skill_manage. Raises BadArguments, and AppError when the skill is unknown or the disk refuses."""
    action = values["action"]
    for_action(SKILL_MANAGE, action, _FORMS[action], values)
    name = values["name"].strip()
    if _ACTIONS[action] is Action.CREATE:
        target = name
    else:
        library = around.library()
        merged = _merged_into(library, name)
        if merged:
            return refused(f"'{name}' was merged into '{merged}'. Change that skill instead.", target=name)
        found = resolve(library, name)
        target = found.skill.id if found and not found.via else find(library, name).id
    request = _request(_ACTIONS[action], target, values)
    receipt = around.do(request, writer)
    return _answer(around, request, receipt, name)


def _merged_into(library: Library, name: str) -> str:
    """The live skill a name was merged into, "" when the name is a row of its own."""
    found = resolve(library, name)
    if found is None or not found.via or library.get(name) is not None:
        return ""
    return found.skill.name


def _request(action: Action, target: str, values: Mapping[str, Any]) -> Request:
    get = values.get
    content = get("file_content") if action is Action.WRITE_FILE else get("content")
    takes_content = action in (Action.CREATE, Action.EDIT, Action.WRITE_FILE)
    takes_file = action in (Action.PATCH, Action.WRITE_FILE, Action.REMOVE_FILE)
    file = (get("file_path") or "").strip() or None
    return Request(
        action,
        target,
        content=content if takes_content else None,
        old=get("old_string") if action is Action.PATCH else None,
        new=get("new_string") if action is Action.PATCH else None,
        replace_all=bool(get("replace_all", False)) and action is Action.PATCH,
        file=file if takes_file else None,
        category=(get("category") or "").strip() or None if action is Action.CREATE else None,
        absorbed_into=get("absorbed_into") if action is Action.ARCHIVE else None,
        reason=get("reason") or "",
    )


def _answer(around: Surroundings, request: Request, receipt: Receipt, name: str) -> Answer:
    shown = receipt.name or name
    if receipt.verdict is Verdict.REFUSE:
        return refused(receipt.why or "The rules do not allow this.", skill=receipt.skill, target=name)
    if receipt.verdict is Verdict.PROPOSE:
        return _waiting(around.propose(request, receipt), receipt, shown, name)
    if receipt.entry is None and not around.draft:
        return refused(f"Nothing changed. {receipt.why}", skill=receipt.skill, target=name)
    data: dict[str, Any] = {"message": receipt.why, "name": shown, "path": receipt.skill}
    if around.draft:
        data |= {"verdict": Verdict.PROPOSE.value, "note": "It stands in a draft and waits for the user's approval."}
    if receipt.entry:
        data["entry"] = receipt.entry
    about = request.skill if request.action is Action.ARCHIVE else receipt.skill
    verdict = Verdict.PROPOSE if around.draft else Verdict.ALLOW
    read = _written(request, receipt)
    return Answer(True, data, verdict, entry=receipt.entry, skill=about, target=name, read=read)


def _waiting(proposal: str, receipt: Receipt, shown: str, name: str) -> Answer:
    """A change the user has to decide; an empty id says that they decided against the same before."""
    if not proposal:
        return refused("The user has decided against exactly this before. Leave it.", skill=receipt.skill, target=name)
    why = f" {receipt.why}" if receipt.why else ""
    message = f"Not written yet: waiting for the user to decide.{why} Do not repeat it."
    data = {"verdict": "propose", "waiting": True, "message": message, "name": shown, "proposal": proposal}
    return Answer(False, data, Verdict.PROPOSE, proposal=proposal, skill=receipt.skill, target=name)


def _written(request: Request, receipt: Receipt) -> tuple[str, ...]:
    """The file the caller now knows because it wrote it."""
    if request.action in (Action.ARCHIVE, Action.REMOVE_FILE):
        return ()
    file = plain_path(request.file, receipt.name) if request.file else OWN_FILE
    return (f"{receipt.skill}/{file}",)
