"""Phase A: what age alone says about each skill. Pure: skills, time and thresholds in, transitions out."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from app.curator.values import Budget, Thresholds, Transition
from app.settings import CuratorSettings
from app.skills.values import Skill, Source, State


def clean_thresholds(settings: CuratorSettings) -> Thresholds:
    """The settings' days and hours; zero, negative or not a number means the default, never "archive everything"."""
    plain = Thresholds()

    def usable(value: float, default: float) -> float:
        return value if value > 0 else default

    return Thresholds(
        interval_hours=usable(settings.interval_hours, plain.interval_hours),
        min_idle_hours=usable(settings.min_idle_hours, plain.min_idle_hours),
        stale_after_days=usable(settings.stale_after_days, plain.stale_after_days),
        archive_after_days=usable(settings.archive_after_days, plain.archive_after_days),
        min_age_days=usable(settings.min_age_days, plain.min_age_days),
    )


def budget_from(settings: CuratorSettings) -> Budget:
    """What one run may use."""
    return Budget(settings.max_iterations, settings.max_tokens, settings.max_cost_usd)


def curated(skill: Skill) -> bool:
    """Whether automation may touch this skill at all: the home's own, local, managed, live and not a link."""
    return skill.in_home and skill.live and skill.managed and skill.source is Source.LOCAL and not skill.linked


def born_at(skill: Skill) -> datetime | None:
    """When the skill's present life began: its creation, or the last time it came back from the archive."""
    times = [moment for moment in (skill.usage.created_at, skill.usage.restored_at) if moment]
    return max(times) if times else None


def too_young(skill: Skill, now: datetime, thresholds: Thresholds) -> bool:
    """Whether the skill is younger than the least age for archiving or merging; unknown age is not young."""
    born = born_at(skill)
    return born is not None and now - born < timedelta(days=thresholds.min_age_days)


def plan(skills: Iterable[Skill], now: datetime, thresholds: Thresholds) -> tuple[Transition, ...]:
    """The transitions due now, in the order of the skills. Pinned skills and those without data stay as they are."""
    found = (_transition(skill, now, thresholds) for skill in skills if curated(skill) and not skill.pinned)
    return tuple(item for item in found if item is not None)


def suspended(skills: Iterable[Skill]) -> tuple[str, ...]:
    """Ids of curated skills whose ageing rests because there is no usage data about them."""
    return tuple(skill.id for skill in skills if curated(skill) and _anchor(skill) is None)


def _anchor(skill: Skill) -> datetime | None:
    if not skill.usage.known:
        return None
    return skill.usage.last_activity_at or skill.usage.created_at


def _transition(skill: Skill, now: datetime, thresholds: Thresholds) -> Transition | None:
    anchor = _anchor(skill)
    if anchor is None:
        return None
    idle = now - anchor
    days = max(0, idle.days)
    if idle >= timedelta(days=thresholds.archive_after_days) and not too_young(skill, now, thresholds):
        return Transition(skill.id, skill.state, State.ARCHIVED, f"not used for {days} days")
    if idle >= timedelta(days=thresholds.stale_after_days) and skill.state is State.ACTIVE:
        return Transition(skill.id, skill.state, State.STALE, f"not used for {days} days")
    if idle < timedelta(days=thresholds.stale_after_days) and skill.state is State.STALE:
        return Transition(skill.id, skill.state, State.ACTIVE, "used again")
    return None
