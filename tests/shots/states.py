"""Every state of the review, curator and graph pages, from values: what a played home does not come to by itself."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.curator.values import Budget, CuratorStatus, Gate, RunRow, Thresholds
from app.errors import Failure
from app.graph.placing import place_all
from app.graph.values import Edge, EdgeKind, Graph, Node
from app.history.values import Conflict
from app.proposals.values import Decision, Outcome, Proposal, ProposalState
from app.skills.values import State
from app.text.diff import diff_text
from app.text.values import Fate, Loss, Unit, UnitFate, UnitKind
from tests.bench.beat import rest
from tests.widgets import sample_review as sample
from widgets.common.ages import now_utc
from widgets.common.theme import Theme
from widgets.curator.pane import CuratorPane
from widgets.graph.pane import GraphPane
from widgets.graph.timeline import Moment
from widgets.review.page import CONFLICT, FILES, LOSS
from widgets.review.pane import ReviewPane

#: The room a page has in the smallest window with both sides open, and in the usual one.
SIZES = ((413, 498), (700, 698))
#: A state's name, and what brings the page into it.
States = Iterator[tuple[str, Callable[[], object]]]

_STEPS = "".join(f"{n}. Step number {n} of the old way to do it.\n" for n in range(1, 40))
OLD = (
    "---\nname: testing-python\ndescription: Write tests with pytest. Use when tests fail.\n---\n\n# Testing\n\n"
    + _STEPS
)
NEW = OLD.replace("number 3 of the old", "number 3 of the new and better").replace(
    "38. Step", "38. A longer step that has to be wrapped somewhere in a narrow page: step"
)
MARKED = "<<<<<<< mine\nRun it twice.\n=======\nRun it alone first.\n>>>>>>> proposed\n"


def draw_states(theme: Theme, out: Path) -> None:
    """Draw all states of the three pages in both sizes, in the theme that is on."""
    choice = "dark" if theme.tokens.dark else "light"
    for size in SIZES:
        for page, states in ((ReviewPane(theme), review), (CuratorPane(theme), curator), (GraphPane(theme), graph)):
            page.resize(*size)
            page.show()
            for name, bring in states(page):  # type: ignore[operator]
                bring()
                _shoot(page, out / f"state-{name}-{choice}-{size[0]}.png")
            page.close()
            page.deleteLater()


def _shoot(page: QWidget, path: Path) -> None:
    rest(0.25)
    page.grab().save(str(path))


def review(page: ReviewPane) -> States:
    """Waiting, in parts, edited, moved on, in conflict, rejected, replaced, all decided, and what goes wrong."""
    known = {item.id: item for item in proposals()}
    page.details_requested.connect(lambda number: page.show_details(known[number]))
    listed = [sample.light(item) for item in known.values()]
    yield "review-loading", page.set_loading
    yield "review-empty", lambda: page.set_proposals([])
    yield "review-inbox", lambda: (page.set_proposals(listed), page._sides.show_listing())
    yield "review-waiting", lambda: page.show_proposal("p1")
    yield "review-parts", lambda: (page.carry_out("review.next_part"), page.carry_out("review.part"))
    yield "review-folds-open", lambda: (page.carry_out("review.part"), page.carry_out("review.whole"))
    yield "review-loss", lambda: (page._page.go_to("c1"), page._page._tabs.setCurrentIndex(LOSS))
    yield "review-files", lambda: (page._page.go_to("c0"), page._page._tabs.setCurrentIndex(FILES))
    yield "review-edit", lambda: page.carry_out("review.edit")
    yield "review-note", lambda: (page._page._close_editor(), page.carry_out("review.revise"))
    yield "review-moved-on", lambda: page.show_proposal("p6")
    yield "review-conflict", lambda: (page.show_proposal("p5"), page._page._tabs.setCurrentIndex(CONFLICT))
    yield "review-rejected", lambda: page.show_proposal("p7")
    yield "review-replaced", lambda: (page.show_proposal("p0"), page._sides.show_listing())
    yield "review-refused", lambda: (page.show_proposal("p2"), page._bar.tell("The skill has moved on. Look again."))
    done = Outcome("p2", ProposalState.APPLIED, applied=("d0",), entries=("e1",))
    yield "review-after-the-last", lambda: (page.show_outcome(done), page.set_proposals([]))
    yield "review-failure", lambda: page.show_failure(Failure("The inbox cannot be read", "The disk says no."))


def curator(page: CuratorPane) -> States:
    """No run yet, past runs, failed, dry, running, paused, off, cut short."""
    report = (
        "# Curator run\n\n4.2 s · 59 → 57 skills\n\nTree hash before `ff7c`, after `ff7c`.\n\n## Merged\n\n"
        + "".join(
            f"- [pytest-part-{n}](skill:pytest-part-{n}) → [testing-python](skill:testing-python)\n" for n in range(9)
        )
    )
    waits = status(run_count=0, why="The first run waits one whole interval: 5 days.", gate=Gate.FIRST_RUN_DEFERRED)
    yield "curator-none", lambda: (page.set_status(waits), page.set_runs([]))
    good, dry, failed = runs()
    yield "curator-runs", lambda: (page.set_status(status()), page.set_runs(runs()), page.show_report(good.run, report))
    yield (
        "curator-dry",
        lambda: (page.open_run(dry.run), page.show_report(dry.run, report.replace("run", "dry run", 1))),
    )
    words = f"# Curator run\n\n**Failed:** {failed.error}\n"
    yield "curator-failed", lambda: (page.open_run(failed.run), page.show_report(failed.run, words))
    running = status(running=True, gate=Gate.RUNNING, why="A run is under way.", budget=Budget(200, 100_000, 1.0))
    yield "curator-running", lambda: _run(page, running)
    paused = status(paused=True, gate=Gate.PAUSED, why="Paused by you.")
    yield "curator-paused", lambda: page.set_status(paused)
    yield "curator-off", lambda: page.set_status(status(enabled=False, gate=Gate.DISABLED, why="Switched off."))
    yield "curator-cut-short", lambda: page.set_status(status(cut_short=good.run))
    trouble = Failure("The service is overloaded", "Try again in an hour.")
    yield "curator-failure", lambda: page.show_failure(trouble)


def graph(page: GraphPane) -> States:
    """Loading, nothing, three nodes, seventy alone, the usual, ghosts lit, table, legend, slider, filtered."""
    nodes, edges, ghost = _nodes()
    usual = Graph(tuple(sorted((*nodes, ghost), key=lambda node: node.id)), edges)
    few = Graph(tuple(nodes[:3]), (Edge(nodes[0].id, nodes[1].id, EdgeKind.RELATED),))
    alone = Graph(tuple(replace(node, pinned=False) for node in (*nodes, *nodes[:10])[:70]))
    yield "graph-loading", page.set_loading
    yield "graph-empty", lambda: page.set_graph(Graph())
    for name, shown in (("few", few), ("alone", alone), ("usual", usual)):
        yield f"graph-{name}", lambda shown=shown: (page.set_graph(shown), page.set_layout(place_all(shown, None)))
    lit = {nodes[1].id, nodes[8].id, ghost.id}
    yield "graph-lit", lambda: page.light_up(lit, "Run 20261130-090000: 3 skills it is about")
    yield "graph-table", lambda: (page.light_up((), ""), page.carry_out("graph.table"))
    yield "graph-legend", lambda: (page.carry_out("graph.table"), page.carry_out("graph.legend"))
    yield "graph-time", lambda: _go_back(page, Graph(usual.nodes[:30]))
    yield "graph-failure", lambda: page.show_failure(Failure("No picture", "Laying it out took too long."))


def proposals() -> list[Proposal]:
    """One of each kind."""
    files = (
        diff_text("SKILL.md", OLD.encode(), NEW.encode()),
        diff_text("assets/flow.png", b"\0old", b"\0newer"),
        diff_text("references/extra.md", None, b"# Extra\n\nMore about it.\n"),
    )
    umbrella = replace(sample.UMBRELLA, files=files, before_text=OLD, after_text=NEW)
    absorbed = replace(sample.ABSORBED, loss=_loss())
    old = sample.curator(replace(umbrella, id="o0", decision=Decision.REPLACED), number="p0")
    groups = tuple(replace(group, decision=Decision.REPLACED) for group in old.groups)
    replaced = replace(
        old, groups=groups, state=ProposalState.REPLACED, created_at=sample.NOW - timedelta(days=9), replaced_by="p1"
    )
    sides = Conflict("SKILL.md", OLD.encode(), NEW.encode(), OLD.replace("Step number 3", "Proposed 3").encode())
    single = sample.SINGLE
    stuck = replace(single, id="x0", conflicts=(sides,), moved_on=True, revision=2, after_text=MARKED)
    moved = replace(single, id="m0", skill="writing/letters", name="letters", moved_on=True, revision=1)
    no = replace(
        single,
        id="r0",
        skill="writing/mail",
        name="mail",
        decision=Decision.REJECTED,
        decision_reason="Too close to letters.",
    )
    return [
        sample.curator(umbrella, absorbed),
        sample.review(),
        sample.review(stuck, "p5"),
        sample.review(moved, "p6"),
        sample.review(no, "p7"),
        replaced,
    ]


def _loss() -> Loss:
    kept = [(Fate.KEPT, UnitKind.SENTENCE, f"A sentence that is kept, number {n}.") for n in range(3)]
    rest_of = [
        (Fate.REWORDED, UnitKind.ITEM, "run it alone first"),
        (Fate.DROPPED, UnitKind.CODE, "pytest -p no:randomly tests/"),
        (Fate.DROPPED, UnitKind.SENTENCE, "Quarantine a test after three failures in one week."),
        (Fate.DROPPED, UnitKind.TRIGGER, "flaky"),
        (Fate.DROPPED, UnitKind.ITEM, "Look at the seed first"),
    ]
    return Loss("pytest-flaky", tuple(UnitFate(Unit(kind, text), fate) for fate, kind, text in (*kept, *rest_of)))


def status(**more: object) -> CuratorStatus:
    """A curator that waits for its next run."""
    now = now_utc()
    usual = CuratorStatus(
        enabled=True,
        paused=False,
        gate=Gate.NOT_DUE,
        why="The next run is due in 5 days.",
        last_run_at=now - timedelta(days=2, minutes=1),
        next_run_at=now + timedelta(days=5),
        idle_s=4_000,
        run_count=6,
        thresholds=Thresholds(),
    )
    return replace(usual, **more)  # type: ignore[arg-type]


def runs() -> tuple[RunRow, RunRow, RunRow]:
    """A good run, a dry one, and one that failed."""
    told = "3 merged, 1 archived"
    good = RunRow("20261128-090000", sample.NOW, "built-in", False, 12, 48_000, 0.31, 59, 57, 3, 1, 4, told)
    dry = replace(good, run="20261121-090000", dry_run=True, waiting=0)
    failed = replace(
        good, run="20261114-090000", error="The service answered 529.", waiting=0, merged=0, archived=0, after=59
    )
    return good, dry, failed


def _run(page: CuratorPane, running: CuratorStatus) -> None:
    page.set_status(running)
    for number in range(20):
        page.add_log(f"skill_view pytest-part-{number}")
    page.set_progress("merging", "testing/pytest-flaky", 80, 42_000, 0.31)


def _go_back(page: GraphPane, then: Graph) -> None:
    page.carry_out("graph.legend")
    page.carry_out("graph.time")
    page.set_moments([Moment(str(n), f"{n + 1} Nov 2026 14:02", "Archived by you: csv-tools") for n in range(12)])
    page._time._slider.setValue(6)
    page.set_then("6", then)


def _nodes() -> tuple[list[Node], tuple[Edge, ...], Node]:
    """Sixty skills of seven categories, some joined, and an umbrella that is only proposed."""
    categories = ("devops", "testing", "data", "git", "python", "writing", "media")
    nodes = [
        Node(
            f"{categories[n % 7]}/skill-number-{n}",
            f"skill-number-{n}",
            categories[n % 7],
            State.STALE if n % 9 == 4 else State.ACTIVE,
            n % 17 == 5,
            uses=n,
            weight=(n * 37 % 60) / 60,
            author="agent",
        )
        for n in range(60)
    ]
    ghost = Node(
        "testing/testing-workflows", "testing-workflows", "testing", State.ACTIVE, False, weight=0.5, proposed=True
    )
    related = [Edge(nodes[n].id, nodes[n * 5 % 31].id, EdgeKind.RELATED) for n in range(30) if n != n * 5 % 31]
    proposed = [Edge(nodes[n].id, ghost.id, EdgeKind.PROPOSED) for n in (1, 8, 15)]
    return nodes, (*related, *proposed), ghost
