"""The place every tool call passes: what may be called is decided here, never by what is advertised.

A fork sees the same tools as the chat it came from, so that its requests stay the same bytes; a call it may not make
is answered with a refusal that names what it may do instead.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.agent.values import ToolOutcome
from app.cancel import CancelToken
from app.errors import AppError
from app.history.values import Origin
from app.providers.values import ToolResult, ToolSpec, ToolUse
from app.skills.values import Verdict, Writer
from app.toolbox.arguments import checked
from app.toolbox.memory_tools import change_memory
from app.toolbox.schemas import SPECS
from app.toolbox.search_tools import search_sessions_tool
from app.toolbox.skill_changes import manage_skill
from app.toolbox.skill_tools import list_skills, view_skill
from app.toolbox.values import ALL_TOOLS, Answer, BadArguments, Refused, Surroundings, refused

#: The longest result in characters, a view of a whole skill apart (see skill_tools).
RESULT_LIMIT = 40_000
_UNCUT = "skill_view"
_BY_NAME: Mapping[str, ToolSpec] = {spec.name: spec for spec in SPECS}


class Dispatcher:
    """Runs the calls of one turn or fork.

    `writer` says who writes; `allowed` which tools may be called; `must_read` makes the rule hold that a file is
    changed only after it was viewed in this run (forks). `untrusted` becomes True once a result held text from
    elsewhere, and stays so; writes from then on carry the mark.
    """

    specs: tuple[ToolSpec, ...] = SPECS

    def __init__(
        self,
        around: Surroundings,
        writer: Writer,
        allowed: frozenset[str] = ALL_TOOLS,
        *,
        must_read: bool = False,
        untrusted: bool = False,
    ) -> None:
        self._around = around
        self._writer = writer
        self._allowed = allowed
        self._must_read = must_read
        self._read: set[str] = set()
        self._used: dict[str, None] = {}
        self._waiting: set[str] = set()
        self.untrusted = untrusted
        self.refused: list[Refused] = []

    @property
    def skills_used(self) -> tuple[str, ...]:
        """Ids of the skills that were opened or changed, in order."""
        return tuple(self._used)

    def call(self, use: ToolUse, token: CancelToken) -> ToolOutcome:
        """Run one call. Raises Cancelled when the token is set before it began; everything else is a result."""
        token.check()
        answer = self._answer(use)
        self.untrusted = self.untrusted or answer.untrusted
        self._read.update(answer.read)
        if answer.skill and answer.success:
            self._used[answer.skill] = None
        if answer.verdict is Verdict.REFUSE:
            self._note(use, answer)
        content = _written(use.name, answer)
        is_error = not answer.success and answer.verdict is not Verdict.PROPOSE
        result = ToolResult(use.id, use.name, content, is_error=is_error, untrusted=answer.untrusted)
        return ToolOutcome(result, answer.entry, answer.proposal, answer.target, answer.verdict.value)

    def _answer(self, use: ToolUse) -> Answer:
        spec = _BY_NAME.get(use.name)
        if spec is None or use.name not in self._allowed:
            return refused(self._not_available(use.name, known=spec is not None))
        try:
            if use.input is None:
                raise BadArguments("The arguments must be one JSON object.")
            values = checked(spec, use.input)
            wish = f"{use.name} {json.dumps(values, sort_keys=True)}"
            if wish in self._waiting:
                raise BadArguments("This waits for the user's decision already. Go on with something else.")
            answer = self._run(use.name, values)
            if not answer.success and answer.verdict is Verdict.PROPOSE:
                self._waiting.add(wish)
            return answer
        except BadArguments as error:
            return refused(str(error))
        except AppError as error:
            return refused(f"{error.title}: {error.text}")

    def _run(self, name: str, values: Mapping[str, Any]) -> Answer:
        if name == "skills_list":
            return list_skills(self._around, values)
        if name == "skill_view":
            return view_skill(self._around, values, count=self._writer.origin is Origin.CHAT)
        if name == "session_search":
            return search_sessions_tool(self._around, values)
        if name == "memory":
            return change_memory(self._around, values, replace(self._writer, untrusted=self._marked))
        return manage_skill(self._around, values, self._skill_writer())

    @property
    def _marked(self) -> bool:
        return self.untrusted or self._writer.untrusted

    def _skill_writer(self) -> Writer:
        """Who the door sees: with the files read so far; in a draft everything waits for the user anyway."""
        read = frozenset(self._read) if self._must_read else None
        if self._around.draft:
            return replace(self._writer, read=read, untrusted=False, hold=False)
        return replace(self._writer, read=read, untrusted=self._marked)

    def _not_available(self, name: str, *, known: bool) -> str:
        what = f"'{name}' cannot be used in this run." if known else f"There is no tool '{name[:60]}'."
        names = ", ".join(spec.name for spec in SPECS if spec.name in self._allowed)
        return f"{what} Use one of these instead: {names}. Do not try it again."

    def _note(self, use: ToolUse, answer: Answer) -> None:
        given = use.input or {}
        action, name = given.get("action"), given.get("name")
        self.refused.append(
            Refused(
                use.name,
                action if isinstance(action, str) else "",
                name if isinstance(name, str) else "",
                str(answer.data.get("error", "")),
            )
        )


def _written(tool: str, answer: Answer) -> str:
    """The result as JSON text; one that is too long is cut and says so."""
    data = {"success": answer.success, **answer.data}
    if answer.verdict is Verdict.REFUSE:
        data["verdict"] = answer.verdict.value
    text = json.dumps(data, ensure_ascii=False)
    if len(text) <= RESULT_LIMIT or tool == _UNCUT:
        return text
    note = f"The result had {len(text)} characters and was cut after {RESULT_LIMIT}. Ask for less at once."
    return json.dumps(
        {"success": answer.success, "cut": True, "note": note, "text": text[:RESULT_LIMIT]}, ensure_ascii=False
    )
