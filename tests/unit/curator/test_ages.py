"""Phase A: what age alone decides."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.curator.ages import clean_thresholds, plan, suspended, too_young
from app.curator.values import Thresholds
from app.settings import CuratorSettings
from app.skills.values import Skill, Source, State, Usage

NOW = datetime(2026, 6, 1, tzinfo=UTC)
RULES = Thresholds()


def skill(name: str, idle_days: float, state: State = State.ACTIVE, **more: object) -> Skill:
    used = NOW - timedelta(days=idle_days)
    usage = Usage(known=True, uses=1, last_used_at=used, created_at=NOW - timedelta(days=400))
    base = Skill(name, name, "", f"About {name}.", Path(name), Path("root"), state=state, managed=True, usage=usage)
    return replace(base, **more)


def outcome(*skills: Skill) -> list[tuple[str, str]]:
    return [(item.skill, str(item.after)) for item in plan(skills, NOW, RULES)]


def test_a_skill_unused_for_thirty_days_becomes_stale() -> None:
    assert outcome(skill("a", 29.9), skill("b", 30)) == [("b", "stale")]


def test_a_skill_unused_for_ninety_days_is_archived_whatever_its_label() -> None:
    assert outcome(skill("a", 90), skill("b", 91, State.STALE)) == [("a", "archived"), ("b", "archived")]


def test_a_stale_skill_used_again_becomes_active() -> None:
    assert outcome(skill("a", 2, State.STALE)) == [("a", "active")]


def test_pinned_unmanaged_bundled_and_foreign_skills_stay_as_they_are() -> None:
    kept = [
        skill("pin", 200, pinned=True),
        skill("hand", 200, managed=False),
        skill("shipped", 200, source=Source.BUNDLED),
        skill("hub", 200, source=Source.HUB),
        skill("folder", 200, in_home=False),
        skill("link", 200, real=Path("elsewhere")),
    ]
    assert outcome(*kept) == []


def test_without_usage_data_ageing_rests_and_says_so() -> None:
    silent = skill("a", 0, usage=Usage(known=False))
    assert outcome(silent) == []
    assert suspended([silent]) == ("a",)


def test_a_skill_restored_last_week_is_too_young_to_be_archived() -> None:
    usage = Usage(known=True, created_at=NOW - timedelta(days=500), restored_at=NOW - timedelta(days=7))
    back = skill("a", 0, usage=usage)
    assert too_young(back, NOW, RULES)
    assert outcome(back) == []


def test_zero_and_negative_thresholds_mean_the_default() -> None:
    assert clean_thresholds(CuratorSettings(stale_after_days=0, archive_after_days=-3)) == RULES


def test_a_use_in_the_future_counts_as_fresh() -> None:
    assert outcome(skill("a", -3)) == []


@given(st.lists(st.tuples(st.floats(-10, 400), st.sampled_from(State), st.booleans()), max_size=12))
def test_no_transition_ever_touches_a_pinned_skill_and_none_repeats_its_state(rows: list) -> None:
    skills = [skill(f"s{n}", days, state, pinned=pinned) for n, (days, state, pinned) in enumerate(rows)]
    by_id = {item.id: item for item in skills}
    for move in plan(skills, NOW, RULES):
        assert not by_id[move.skill].pinned
        assert move.after is not move.before
