"""One test for each row of the policy's table (design: one door for writes), by column."""

from pathlib import Path

import pytest

from app.history.values import Origin
from app.skills.policy import Subject, decide
from app.skills.values import Action, Request, Skill, Source, State, Verdict, Writer

USER, CHAT, REVIEW, CURATOR = Origin.USER, Origin.CHAT, Origin.REVIEW, Origin.CURATOR
ALL = (USER, CHAT, REVIEW, CURATOR)
A, P, R = Verdict.ALLOW, Verdict.PROPOSE, Verdict.REFUSE
WRITES = (Action.CREATE, Action.PATCH, Action.EDIT, Action.WRITE_FILE, Action.REMOVE_FILE)


def skill(**more):
    return Skill("cat/alpha", "alpha", "cat", "d", Path("/h/skills/cat/alpha"), Path("/h/skills"), **more)


def verdicts(action, subject, **more):
    """The table's row as a tuple over user, chat, review, curator in a draft."""
    found = []
    for origin in ALL:
        writer = Writer(origin, **{k: v for k, v in more.items() if k != "absorbed_into"})
        request = Request(action, "cat/alpha", absorbed_into=more.get("absorbed_into", ""))
        found.append(decide(request, writer, subject).verdict)
    return tuple(found)


def draft(**more):
    more.setdefault("skill", skill(managed=True))
    return Subject(draft=True, **more)


@pytest.mark.parametrize("action", list(Action))
def test_an_invalid_result_is_refused_for_everybody_with_the_reason(action):
    subject = draft(problem="The name is taken.")
    assert verdicts(action, subject) == (R, R, R, R)
    assert decide(Request(action, "x"), Writer(USER), subject).why == "The name is taken."


@pytest.mark.parametrize(
    "action", [Action.PIN, Action.UNPIN, Action.ADOPT, Action.UNADOPT, Action.RESTORE, Action.PURGE]
)
def test_pins_adoptions_restores_and_purges_are_the_users(action):
    assert verdicts(action, draft()) == (A, R, R, R)


def test_labels_are_set_by_the_curator_on_the_live_library():
    live = Subject(skill=skill(managed=True), draft=False)
    assert verdicts(Action.LABEL, live)[1:] == (R, R, A)


@pytest.mark.parametrize("action", WRITES[1:])
def test_a_linked_skill_is_edited_by_the_user_alone(action):
    assert verdicts(action, draft(skill=skill(real=Path("/elsewhere")))) == (A, R, R, R)


@pytest.mark.parametrize("action", [Action.ARCHIVE, Action.RENAME, Action.MOVE])
def test_a_linked_skill_is_never_moved(action):
    assert verdicts(action, draft(skill=skill(real=Path("/elsewhere")))) == (R, R, R, R)


@pytest.mark.parametrize("action", [*WRITES[1:], Action.ARCHIVE])
def test_a_skill_of_a_folder_of_the_settings_is_never_written(action):
    assert verdicts(action, draft(skill=skill(in_home=False))) == (R, R, R, R)


@pytest.mark.parametrize("source", [Source.BUNDLED, Source.HUB])
@pytest.mark.parametrize("action", [*WRITES[1:], Action.ARCHIVE])
def test_shipped_and_installed_skills_are_changed_by_the_user_alone(action, source):
    subject = draft(skill=skill(source=source))
    assert verdicts(action, subject) == (A, R, R, R)
    assert "Adopt a copy" in decide(Request(action, "x"), Writer(REVIEW), subject).why


def test_an_archived_skill_is_not_changed_and_the_forward_is_named():
    subject = draft(skill=skill(state=State.ARCHIVED), leads_to="umbrella")
    assert verdicts(Action.PATCH, subject) == (R, R, R, R)
    assert "Restore" in decide(Request(Action.PATCH, "x"), Writer(USER), subject).why
    assert "umbrella" in decide(Request(Action.PATCH, "x"), Writer(REVIEW), subject).why


@pytest.mark.parametrize("action", [Action.ARCHIVE, Action.RENAME, Action.MOVE, Action.REMOVE_FILE])
def test_a_pinned_skill_keeps_its_place_and_files_for_everybody(action):
    assert verdicts(action, draft(skill=skill(managed=True, pinned=True))) == (R, R, R, R)


@pytest.mark.parametrize("action", [Action.PATCH, Action.EDIT, Action.WRITE_FILE])
def test_a_pinned_skill_may_be_improved_by_any_fork(action):
    assert verdicts(action, draft(skill=skill(managed=True, pinned=True))) == (A, A, A, A)


def test_an_edit_that_changes_the_name_is_a_rename():
    subject = draft(renames=True)
    assert verdicts(Action.EDIT, subject) == (A, R, R, R)
    assert verdicts(Action.EDIT, draft(skill=skill(managed=True, pinned=True), renames=True)) == (R, R, R, R)


def test_a_file_that_was_not_read_is_not_changed_by_a_fork():
    subject = draft(unread="references/a.md")
    assert verdicts(Action.WRITE_FILE, subject) == (A, R, R, R)
    assert "references/a.md" in decide(Request(Action.WRITE_FILE, "x"), Writer(REVIEW), subject).why


@pytest.mark.parametrize("action", WRITES)
def test_scripts_are_written_by_the_user_and_proposed_by_models(action):
    assert verdicts(action, draft(script=True)) == (A, P, P, A)


@pytest.mark.parametrize("action", WRITES)
def test_what_nobody_sees_is_proposed_by_models(action):
    assert verdicts(action, draft(hides="ZERO WIDTH SPACE")) == (A, P, P, A)


@pytest.mark.parametrize("action", WRITES)
def test_after_an_untrusted_turn_the_review_proposes(action):
    assert verdicts(action, draft(), untrusted=True)[1:3] == (A, P)


def test_an_untrusted_turn_never_loosens_what_a_trusted_one_may_do():
    assert verdicts(Action.ARCHIVE, draft(), untrusted=True)[1:3] == (P, P)


def test_a_young_skill_is_archived_by_the_user_alone():
    subject = draft(age_days=3.0, min_age_days=14.0)
    assert verdicts(Action.ARCHIVE, subject) == (A, P, R, R)
    assert "min_age_days" in decide(Request(Action.ARCHIVE, "x", absorbed_into=""), Writer(CURATOR), subject).why


def test_at_the_minimum_age_the_ordinary_row_decides():
    assert verdicts(Action.ARCHIVE, draft(age_days=14.0, min_age_days=14.0)) == (A, P, P, A)


def test_an_unknown_age_is_not_young():
    assert verdicts(Action.ARCHIVE, draft(age_days=None)) == (A, P, P, A)


@pytest.mark.parametrize("action", WRITES)
def test_a_managed_skill_is_written_by_all(action):
    assert verdicts(action, draft()) == (A, A, A, A)


@pytest.mark.parametrize("action", WRITES)
def test_in_mode_hold_the_review_proposes(action):
    assert verdicts(action, draft(), hold=True)[2] is P


def test_a_managed_skill_is_archived_by_the_user_and_in_the_draft():
    assert verdicts(Action.ARCHIVE, draft()) == (A, P, P, A)


def test_a_models_archive_has_to_say_where_the_content_went():
    assert verdicts(Action.ARCHIVE, draft(), absorbed_into=None) == (A, R, R, R)


@pytest.mark.parametrize("action", WRITES[1:])
def test_an_unmanaged_skill_is_proposed_by_the_review_and_no_candidate_of_the_curator(action):
    assert verdicts(action, draft(skill=skill(managed=False))) == (A, A, P, R)


def test_an_unmanaged_skill_is_archived_by_the_user_alone():
    assert verdicts(Action.ARCHIVE, draft(skill=skill(managed=False))) == (A, P, R, R)


@pytest.mark.parametrize("action", [*WRITES, Action.ARCHIVE])
def test_outside_a_draft_the_curator_writes_nothing(action):
    live = Subject(skill=skill(managed=True), draft=False)
    assert verdicts(action, live)[3] is R


def test_what_the_user_approved_is_the_users_act():
    live = Subject(skill=skill(managed=False), draft=False)
    for origin in (REVIEW, CURATOR):
        writer = Writer(origin, approved=True)
        assert decide(Request(Action.ARCHIVE, "x"), writer, live).verdict is A
        pinned = Subject(skill=skill(pinned=True))
        assert decide(Request(Action.ARCHIVE, "x"), writer, pinned).verdict is R


def test_only_the_user_renames_and_moves():
    assert verdicts(Action.RENAME, draft()) == (A, R, R, R)
    assert verdicts(Action.MOVE, draft()) == (A, R, R, R)


@pytest.mark.parametrize("action", list(Action))
def test_other_programs_are_never_asked_for(action):
    assert decide(Request(action, "x"), Writer(Origin.OUTSIDE), draft()).verdict is R


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("origin", ALL)
def test_whatever_is_not_allowed_has_a_reason(action, origin):
    ruling = decide(Request(action, "x"), Writer(origin), Subject(skill=skill()))
    assert (ruling.verdict is A) or ruling.why
