"""What can be done with a stored conversation beyond reading it: giving it away as a file."""

import json

from app.cycles.home import OpenHome
from app.sessions.export import to_markdown, to_sharegpt
from app.toolbox.schemas import SPECS


def export(open_home: OpenHome, session: str, form: str) -> str:
    """A conversation as `markdown`, or one `sharegpt` line; secrets are masked. Raises AppError(NOT_FOUND)."""
    info = open_home.sessions.get(session)
    messages = open_home.sessions.messages(info.id)
    if form == "markdown":
        return to_markdown(info, messages)
    line = to_sharegpt(info, open_home.sessions.system(info.id) or "", SPECS, messages)
    return json.dumps(line, ensure_ascii=False) + "\n"
