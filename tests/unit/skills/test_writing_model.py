"""Any sequence of actions gives what a model in plain Python gives: which skills live where with which content."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from app.skills.values import Action

NAMES = ("ant", "bee", "cat")
_name = st.sampled_from(NAMES)
_line = st.sampled_from(["first", "second", "third"])


class Writing(RuleBasedStateMachine):
    """The model: `live` name to content, `archived` name to content; every entry with the model before it."""

    make = None

    @initialize()
    def start(self):
        self.folder = tempfile.TemporaryDirectory()
        self.bed = type(self).make(Path(self.folder.name) / "home")
        self.live, self.archived = {}, {}
        self.undoable = []

    def teardown(self):
        if hasattr(self, "bed"):
            self.bed.history.close()
            self.folder.cleanup()

    def done(self, receipt, before, expected):
        assert receipt.ok is expected, receipt.why
        if receipt.entry:
            self.undoable.append((receipt.entry, before))

    def snapshot(self):
        return dict(self.live), dict(self.archived)

    @rule(name=_name)
    def create(self, name):
        before = self.snapshot()
        fits = name not in self.live and name not in self.archived
        text = self.bed.text(name)
        self.done(self.bed.do(Action.CREATE, name, content=text), before, fits)
        if fits:
            self.live[name] = text

    @rule(name=_name, line=_line)
    def edit(self, name, line):
        before = self.snapshot()
        text = self.bed.text(name, line + "\n")
        fits = name in self.live and self.live[name] != text
        self.done(self.bed.do(Action.EDIT, name, content=text), before, fits)
        if fits:
            self.live[name] = text

    @rule(name=_name)
    def archive(self, name):
        before = self.snapshot()
        fits = name in self.live
        self.done(self.bed.do(Action.ARCHIVE, name), before, fits)
        if fits:
            self.archived[name] = self.live.pop(name)

    @rule(name=_name)
    def restore(self, name):
        before = self.snapshot()
        fits = name in self.archived
        self.done(self.bed.do(Action.RESTORE, f".archive/{name}"), before, fits)
        if fits:
            self.live[name] = self.archived.pop(name)

    @rule(name=_name, line=_line)
    def outside_edit(self, name, line):
        if name in self.live:
            self.live[name] += line + "\n"
            (self.bed.home.skills / name / "SKILL.md").write_text(self.live[name])
            self.undoable.clear()

    @rule()
    def undo_newest(self):
        if not self.undoable:
            return
        entry, (live, archived) = self.undoable.pop()
        created = set(self.live) - set(live) - set(archived)
        self.bed.undo(entry)
        archived |= {name: self.live[name] for name in created}
        self.live, self.archived = live, archived
        if created:
            self.undoable.clear()  # the undo of a create leaves the skill in the archive, unlike the model before

    @rule()
    def kill_and_start_again(self):
        self.bed.history.close()
        self.bed.open()

    @invariant()
    def disk_and_history_are_as_the_model_says(self):
        if not hasattr(self, "bed"):
            return
        self.bed.live.observe_outside()
        wanted = {**self.live, **{f".archive/{name}": text for name, text in self.archived.items()}}
        assert {skill_id: self.bed.body(skill_id) for skill_id in self.bed.ids()} == wanted
        assert self.bed.recorded_is_on_disk()


def test_any_sequence_of_actions_gives_what_the_model_gives(bed):
    Writing.make = type(bed)
    run_state_machine_as_test(
        Writing,
        settings=settings(
            max_examples=15, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
