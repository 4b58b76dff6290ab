"""One request that the door answered with *propose*, as a drafted change; no draft folder is needed for it."""

from app.history.trees import hash_files
from app.proposals.grouping import Drafted
from app.proposals.values import Step
from app.skills.edit import Preview
from app.skills.resolve import live_by_name
from app.skills.values import Action, Library, Request


def drafted_from(preview: Preview, request: Request, library: Library) -> Drafted:
    """What the request would change, worked out by the door on the live library `library`."""
    into = live_by_name(library, request.absorbed_into) if request.absorbed_into else None
    absorbed = into.name if into else request.absorbed_into
    archive = request.action is Action.ARCHIVE
    return Drafted(
        skill=preview.to if preview.before is None else preview.skill,
        name=preview.name,
        action=request.action,
        base=None if preview.before is None else hash_files(preview.before),
        result=None if archive else preview.after,
        absorbed_into=(absorbed or "") if archive else None,
        into=into.id if into and archive else None,
        reason=request.reason,
        steps=(Step(request.action, preview.skill, request.file, request.reason, absorbed),),
        has_script=preview.script and not archive,
        base_files=preview.before,
    )
