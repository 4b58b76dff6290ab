"""Phase A against a plain statement of its rules, over every mix of skills, ages and thresholds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.curator.ages import clean_thresholds, plan, suspended
from app.curator.values import Thresholds
from app.settings import CuratorSettings
from app.skills.values import Skill, Source, State, Usage

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAYS = st.one_of(st.none(), st.floats(-400, 400, allow_nan=False))
LIMIT = st.one_of(st.floats(-50, 400, allow_nan=False), st.just(0.0))


def at(days: float | None) -> datetime | None:
    return None if days is None else NOW - timedelta(days=days)


@st.composite
def skills(draw: st.DrawFn) -> Skill:
    usage = Usage(
        known=draw(st.booleans()) or draw(st.booleans()),
        uses=draw(st.integers(0, 3)),
        last_used_at=at(draw(DAYS)),
        last_viewed_at=at(draw(DAYS)),
        last_patched_at=at(draw(DAYS)),
        created_at=at(draw(DAYS)),
        restored_at=at(draw(DAYS)),
    )
    return Skill(
        "s",
        "s",
        "",
        "About it.",
        Path("s"),
        Path("root"),
        state=draw(st.sampled_from(State)),
        pinned=draw(st.booleans()),
        managed=draw(st.booleans()) or draw(st.booleans()),
        in_home=draw(st.booleans()) or draw(st.booleans()),
        source=draw(st.sampled_from((Source.LOCAL, Source.LOCAL, Source.BUNDLED, Source.HUB))),
        real=draw(st.sampled_from((None, None, Path("elsewhere")))),
        usage=usage,
    )


def activity(skill: Skill) -> datetime | None:
    usage = skill.usage
    times = [one for one in (usage.last_used_at, usage.last_viewed_at, usage.last_patched_at, usage.restored_at) if one]
    return max(times) if times else usage.created_at


def ours(skill: Skill) -> bool:
    return (
        skill.in_home
        and skill.managed
        and skill.source is Source.LOCAL
        and skill.real is None
        and skill.state is not State.ARCHIVED
    )


def expected(skill: Skill, rules: Thresholds) -> State | None:
    """The rules as the design states them."""
    since = activity(skill)
    if not ours(skill) or skill.pinned or not skill.usage.known or since is None:
        return None
    idle = NOW - since
    born = [one for one in (skill.usage.created_at, skill.usage.restored_at) if one]
    young = bool(born) and NOW - max(born) < timedelta(days=rules.min_age_days)
    if idle >= timedelta(days=rules.archive_after_days) and not young:
        return State.ARCHIVED
    if idle >= timedelta(days=rules.stale_after_days):
        return State.STALE if skill.state is State.ACTIVE else None
    return State.ACTIVE if skill.state is State.STALE else None


@given(skills(), LIMIT, LIMIT, LIMIT)
def test_every_skill_meets_exactly_what_the_rules_say(skill: Skill, stale: float, archive: float, young: float) -> None:
    settings = replace(CuratorSettings(), stale_after_days=stale, archive_after_days=archive, min_age_days=young)
    rules = clean_thresholds(settings)
    found = plan([skill], NOW, rules)
    assert [item.after for item in found] == [state for state in [expected(skill, rules)] if state]
    assert all(item.before is skill.state and item.reason and not item.applied for item in found)


@given(LIMIT, LIMIT, LIMIT)
def test_no_threshold_is_ever_zero_or_negative(stale: float, archive: float, young: float) -> None:
    rules = clean_thresholds(
        replace(CuratorSettings(), stale_after_days=stale, archive_after_days=archive, min_age_days=young)
    )
    assert (rules.stale_after_days, rules.archive_after_days, rules.min_age_days) == (
        stale if stale > 0 else 30,
        archive if archive > 0 else 90,
        young if young > 0 else 14,
    )


@given(skills())
def test_a_skill_rests_exactly_when_nothing_says_when_it_was_used(skill: Skill) -> None:
    silent = ours(skill) and (not skill.usage.known or activity(skill) is None)
    assert suspended([skill]) == (("s",) if silent else ())


@given(st.lists(skills(), max_size=6))
def test_a_second_look_right_after_the_first_changes_no_label_again(rows: list[Skill]) -> None:
    rows = [replace(row, id=f"s{number}") for number, row in enumerate(rows)]
    moved = {item.skill: item.after for item in plan(rows, NOW, Thresholds())}
    labelled = [replace(row, state=moved.get(row.id, row.state)) for row in rows]
    assert [item for item in plan(labelled, NOW, Thresholds()) if item.after is not State.ARCHIVED] == []
