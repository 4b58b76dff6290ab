"""How the curator's page says gates, budgets and use."""

from PySide6.QtCore import QCoreApplication

from app.curator.values import Budget, CuratorStatus, Gate
from widgets.common.ages import now_utc, span_word


def tr(text: str) -> str:
    """Translate in the context of the curator page."""
    return QCoreApplication.translate("Curator", text)


def gates_of(status: CuratorStatus) -> list[tuple[str, bool]]:
    """Every gate in words, and whether it is open: what has to be true before a run begins by itself."""
    interval = status.gate not in (Gate.FIRST_RUN_DEFERRED, Gate.NOT_DUE)
    ahead = (status.next_run_at - now_utc()).total_seconds() if status.next_run_at is not None else 0.0
    if status.next_run_at is not None and ahead > 60:
        interval = False
    needed = status.thresholds.min_idle_hours * 3600
    idle = status.idle_s >= needed
    rested = span_word(status.idle_s) if status.idle_s >= 60 else tr("in use")
    idle_word = tr("idle {span}") if idle else tr("idle: {span} of {all}")
    return [
        (tr("switched on") if status.enabled else tr("switched off"), status.enabled),
        (tr("paused") if status.paused else tr("not paused"), not status.paused),
        (tr("interval over") if interval else tr("due in {span}").format(span=span_word(ahead)), interval),
        (idle_word.format(span=rested, all=span_word(needed)), idle),
    ]


def budget_word(budget: Budget) -> str:
    """What a run may use."""
    parts = [tr("{n} steps").format(n=budget.steps)]
    if budget.tokens:
        parts.append(tr("{n} tokens").format(n=f"{budget.tokens:,}"))
    if budget.cost_usd:
        parts.append(f"${budget.cost_usd:.2f}")
    return ", ".join(parts)


def use_word(calls: int, tokens: int, cost: float, budget: Budget) -> str:
    """What a run used of its budget so far."""
    parts = [_of(tr("{n} calls").format(n=calls), str(budget.steps) if budget.steps else "")]
    if tokens:
        parts.append(_of(tr("{n} tokens").format(n=f"{tokens:,}"), f"{budget.tokens:,}" if budget.tokens else ""))
    if cost:
        parts.append(_of(f"${cost:.2f}", f"${budget.cost_usd:.2f}" if budget.cost_usd else ""))
    return " · ".join(parts)


def use_share(calls: int, tokens: int, cost: float, budget: Budget) -> float:
    """The share of the budget that is nearest to its end, 0 to 1."""
    shares = [
        calls / budget.steps if budget.steps else 0.0,
        tokens / budget.tokens if budget.tokens else 0.0,
        cost / budget.cost_usd if budget.cost_usd else 0.0,
    ]
    return min(1.0, max(shares))


def _of(used: str, most: str) -> str:
    return tr("{used} of {most}").format(used=used, most=most) if most else used
