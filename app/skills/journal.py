"""The journal: one action, all or nothing, whatever kills the program in between.

Order: contents are staged and fsynced in `.melete/stage/<id>`, then `plan.json` says everything that is to happen, then
folders and files change, then the sidecars, then the entry is recorded with the plan's id, then the plan goes. A plan
found at start is carried on; each step first looks whether it is done. A stage without a plan is thrown away. A folder
that somebody else wrote meanwhile stops the plan with a question; nothing of it is lost.
"""

import contextlib
import itertools
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

from app.errors import AppError, Kind
from app.files import flush_disks, flushed_at_once, fsync_folder, read_plain_file, write_atomic
from app.history.store import History
from app.history.values import Entry
from app.history.walk import write_folder
from app.locks import HomeLock
from app.paths import Home
from app.skills.carry import carry_out, check, check_sidecars, check_writable, sweep, write_sidecars
from app.skills.heal import heal_forwards
from app.skills.plan import NewFolder, Plan, WriteFile
from app.skills.plan_codec import decode_plan, encode_plan
from app.skills.values import Notice

_SCAN_BACK = 100
_APPLY = "apply"


class Journal:
    """The journal of one home. One object per thread, like its history."""

    def __init__(self, home: Home, history: History, lock: HomeLock) -> None:
        self._home = home
        self._history = history
        self._lock = lock

    def run(self, plan: Plan) -> Entry:
        """Carry a plan out and record it. An interrupted one is finished first.

        Raises AppError(REFUSED) when an earlier plan waits for the user's answer, or when somebody changed the same
        files meanwhile; AppError(STORAGE) when the disk refuses, which says so when a part of the action is done.
        Before the first step nothing is changed.
        """
        with self._lock.hold(f"{plan.record.action}"):
            self._finish_earlier()
            trees = self._history.store_all(plan.changes)
            check(self._home, plan.steps)
            check_writable(self._home, plan.steps)
            check_sidecars(self._home, plan)
            try:
                self._stage(plan)
                body = encode_plan(plan, trees)
                write_atomic(self._plan_file, json.dumps(body, ensure_ascii=True).encode())
            except BaseException:  # before the plan stands, an interrupt too leaves nothing staged
                shutil.rmtree(self._stage_of(plan.id), ignore_errors=True)
                raise
            try:
                return self._carry_on(plan, trees, fresh=True)
            except AppError as error:
                if error.kind is Kind.REFUSED or not self.waiting():
                    raise
                text = f"{error.text} {_HALF_DONE}"
                raise AppError(error.kind, "Half carried out", text, detail=error.detail) from error

    def recover(self) -> list[Notice]:
        """Finish or clear what a killed program left; called at start. Returns what the user should know."""
        with self._lock.hold("finishing an interrupted action"):
            self._history.remove_locks()
            with contextlib.suppress(OSError):  # what cannot be listed or removed is no plan of ours, or told elsewhere
                for left in self._home.journal.glob(".plan.json.*.tmp"):
                    left.unlink()
            healed = heal_forwards(self._home, self._history)
            notices = [healed] if healed is not None else []
            if not self.waiting():
                shutil.rmtree(self._home.journal / "stage", ignore_errors=True)
                return notices
            return notices + self._finish()

    def waiting(self) -> bool:
        """Whether an interrupted action waits for the user's answer."""
        return os.path.lexists(self._plan_file)

    def drop(self) -> Path | None:
        """The user's answer *leave it*: what is on disk stays, the rest of the plan is kept aside and not carried out.

        Returns the folder with what was kept, None when nothing waited. Raises AppError(STORAGE).
        """
        with self._lock.hold("dropping an interrupted action"):
            if not self.waiting():
                return None
            try:
                return self._keep_aside()
            except OSError as error:
                text = f"{self._plan_file} cannot be moved away: {error.strerror}. Make {self._home.journal} writable."
                raise AppError(Kind.STORAGE, "An interrupted action was left", text) from error

    @property
    def _plan_file(self) -> Path:
        return self._home.journal / "plan.json"

    def _stage_of(self, plan_id: str) -> Path:
        return self._home.journal / "stage" / plan_id

    def _keep_aside(self) -> Path:
        aside = self._home.journal / "aside"
        aside.mkdir(parents=True, exist_ok=True)
        kept = next(folder for n in itertools.count(1) if not os.path.lexists(folder := aside / f"{n}"))
        kept.mkdir()
        self._plan_file.rename(kept / "plan.json")
        if (self._home.journal / "stage").is_dir():
            (self._home.journal / "stage").rename(kept / "stage")
        return kept

    def _finish_earlier(self) -> None:
        if not self.waiting():
            return
        notices = self.recover()
        if self.waiting():
            raise AppError(Kind.REFUSED, notices[-1].title, notices[-1].text, action="journal")

    def _finish(self) -> list[Notice]:
        """Carry on the plan that waits; a notice when it needs an answer."""
        try:
            plan, trees = self._read_plan()
        except AppError as error:
            return [self._put_aside(error)]
        try:
            sweep(self._home, plan.steps)
            self._carry_on(plan, trees)
        except AppError as error:
            if error.kind not in {Kind.REFUSED, Kind.STORAGE, Kind.INVALID}:
                raise
            if error.kind is Kind.STORAGE:
                text = f"{error.text} {_HALF_DONE}"
                return [Notice(f"journal:{plan.id}", "An interrupted action is not finished yet", text)]
            text = f"{error.text} {_QUESTION}"
            return [Notice(f"journal:{plan.id}", "An interrupted action waits for your answer", text)]
        return []

    def _stage(self, plan: Plan) -> None:
        stage = self._stage_of(plan.id)
        try:
            stage.mkdir(parents=True)
        except OSError as error:
            text = f"{stage.parent} cannot be used: {error.strerror}. Move what stands there away, or make it writable."
            raise AppError(Kind.STORAGE, "Nothing was changed", text) from error
        at_once = flushed_at_once(sum(len(step.files) for step in plan.steps if isinstance(step, NewFolder)))
        for number, step in enumerate(plan.steps):
            if isinstance(step, NewFolder):
                write_folder(stage / str(number), step.files, durable=not at_once)
            elif isinstance(step, WriteFile) and step.after is not None:
                write_atomic(stage / str(number), step.after.data, durable=not at_once)
        if at_once:
            flush_disks()
        else:
            fsync_folder(stage)

    def _read_plan(self) -> tuple[Plan, dict[str, str | None]]:
        try:
            data = json.loads(read_plain_file(self._plan_file))
            name = str(data["id"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            why = f" ({error.strerror})" if isinstance(error, OSError) else ""
            text = f"The plan of an interrupted action cannot be read{why}. It is kept as a copy and not carried on."
            raise AppError(Kind.CORRUPT, "An interrupted action was left", text) from error
        return decode_plan(data, self._stage_of(name))

    def _carry_on(self, plan: Plan, trees: dict[str, str | None], *, fresh: bool = False) -> Entry:
        entry = None if fresh else self._recorded(plan.id)
        if entry is None:
            self._take_steps(plan, fresh=fresh)
            write_sidecars(self._home, plan.usage, plan.forwards)
            record = replace(plan.record, detail={**plan.record.detail, _APPLY: plan.id})
            entry = self._history.record_trees(trees, record)
        self._forget(plan.id)
        return entry

    def _take_steps(self, plan: Plan, *, fresh: bool) -> None:
        """Carry the steps out. Of very many, the moves are flushed together: until then the plan and the stage stay."""
        at_once = flushed_at_once(len(plan.steps))
        for number, step in enumerate(plan.steps):
            durable = not at_once or isinstance(step, WriteFile)
            try:
                carry_out(self._home, step, self._stage_of(plan.id) / str(number), durable=durable)
            except AppError:
                if fresh and number == 0:
                    self._forget(plan.id)  # nothing was changed yet, so nothing has to be finished
                raise
        if at_once:
            flush_disks()

    def _forget(self, plan_id: str) -> None:
        self._plan_file.unlink()
        fsync_folder(self._home.journal)
        shutil.rmtree(self._stage_of(plan_id), ignore_errors=True)

    def _recorded(self, plan_id: str) -> Entry | None:
        newest = self._history.entries(limit=_SCAN_BACK)
        return next((entry for entry in newest if entry.record.detail.get(_APPLY) == plan_id), None)

    def _put_aside(self, error: AppError) -> Notice:
        kept = self.drop()
        return Notice("journal:damaged", error.title, f"{error.text} See {kept}.")


_HALF_DONE = (
    "A part of the action is on the disk already and nothing is lost: it is finished by the next start or change, once "
    "that is possible. There is no need to repeat it."
)
_QUESTION = (
    "Put it back as it was and start again to finish the action, or leave things as they are: then the rest of the "
    "action is set aside."
)


def recover(home: Home, history: History, lock: HomeLock) -> list[Notice]:
    """Finish or clear what a killed program left in this home; called at start, before anything else is written."""
    return Journal(home, history, lock).recover()
