"""Writing into a library of thousands: a change, a draft, approving a merge of fifty, and what the history costs."""

import random
import shutil
import sys
import tempfile
from pathlib import Path

from app.clock import system_clock
from app.cycles.approval import approval
from app.cycles.home import OpenHome, home_key
from app.history.store import History
from app.history.values import Blob, Origin, Record
from app.proposals.decisions import changes_of
from app.proposals.draft import DraftRules, open_draft
from app.proposals.filing import About
from app.proposals.grouping import Drafted
from app.skills.values import Action, Request, Writer
from tests.bench.made import CATEGORIES, skill_id, skill_name, skill_text
from tests.bench.measure import Row, best_of, ms, tell, timed

MERGED = 49


def merge_of_fifty(home: OpenHome, first: int) -> tuple[Drafted, ...]:
    """One umbrella that takes in forty-nine siblings of its category."""
    numbers = [first + CATEGORIES * step for step in range(MERGED + 1)]
    umbrella, rest = numbers[0], numbers[1:]
    tree = home.history.tree_id
    parts = "".join(f"\n## From {skill_name(number)}\n\n" + skill_text(number)[400:1400] for number in rest)
    files = dict(home.history.load(tree(f"skills/{skill_id(umbrella)}") or ""))
    files["SKILL.md"] = Blob(skill_text(umbrella, parts).encode())
    name = skill_name(umbrella)
    merged = [Drafted(skill_id(umbrella), name, Action.EDIT, tree(f"skills/{skill_id(umbrella)}"), files)]
    merged += [
        Drafted(
            skill_id(number),
            skill_name(number),
            Action.ARCHIVE,
            tree(f"skills/{skill_id(number)}"),
            None,
            absorbed_into=name,
            into=skill_id(umbrella),
        )
        for number in rest
    ]
    return tuple(merged)


def _approve(home: OpenHome, first: int) -> tuple[float, float]:
    """Seconds to show and to approve one merge of fifty."""
    proposal = home.proposals.file(merge_of_fifty(home, first), About(Origin.CURATOR, home.history.tip() or ""))
    if proposal is None:
        raise AssertionError("the proposal was not filed")
    deciding = approval(home)
    showing, shown = timed(lambda: deciding.show(proposal.id))
    seen = {change.id: change.seen for change in changes_of(shown).values()}
    deciding = approval(home)
    seconds, outcome = timed(lambda: deciding.approve(proposal.id, seen=seen, everything=True))
    if len(outcome.applied) != MERGED + 1:
        raise AssertionError(f"not all was applied: {outcome}")
    return showing, seconds


def _patch(home: OpenHome, number: int) -> None:
    request = Request(Action.PATCH, skill_id(number), old="## Pitfalls", new="## Traps", reason="measured")
    receipt = home.door.do(request, Writer(Origin.USER))
    if receipt.entry is None:
        raise AssertionError(receipt.why)


def _draft(home: OpenHome) -> None:
    rules = DraftRules(14, 2_000_000)
    library, base = home.library(), home.history.tip()
    with open_draft(home.history, library, home.home, base, home.settings.library, rules, home.clock):
        pass


def _folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def _history(count: int, entries: int) -> list[Row]:
    """A flat library of `count` skills, then `entries` changes of one skill each."""
    root = Path(tempfile.mkdtemp(prefix="melete-bench-"))
    pick = random.Random(1)
    try:
        history = History(root / "history.git", system_clock)
        flat = {
            f"skills/{skill_name(number)}": {"SKILL.md": Blob(skill_text(number).encode())} for number in range(count)
        }
        history.record(flat, Record(Origin.OUTSIDE, "outside", ("all",)))
        history.housekeep(due_at=0)
        before = _folder_bytes(root)
        for step in range(entries):
            number = pick.randrange(50)
            files = {"SKILL.md": Blob(skill_text(number, f"\nStep {step}.\n").encode())}
            name = skill_name(number)
            history.record({f"skills/{name}": files}, Record(Origin.REVIEW, "patch", (name,), "measured"))
        loose = (_folder_bytes(root) - before) / entries
        asked = best_of(3, lambda: history.entries(skill=skill_name(7)))
        history.housekeep(due_at=0)
        packed = (_folder_bytes(root) - before) / entries
        again = best_of(3, lambda: history.entries(skill=skill_name(7)))
        history.close()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return [
        Row(
            f"history: bytes per entry, {count} flat skills",
            f"{loose / 1000:.0f} KB, after housekeeping {packed / 1000:.1f} KB",
            "",
            None,
        ),
        Row(
            f"history: a skill's log at {entries} entries",
            f"{ms(asked)}, after housekeeping {ms(again)}",
            "<= 50 ms",
            max(asked, again) <= 0.05,
        ),
    ]


def main() -> None:
    """Measure the library at the place given first; `--quick` makes the history shorter."""
    source, quick = Path(sys.argv[1]), "--quick" in sys.argv
    root = Path(tempfile.mkdtemp(prefix="melete-bench-")) / "home"
    shutil.copytree(source, root, ignore=shutil.ignore_patterns("node_modules"))
    home = OpenHome(home_key(root, system_clock))
    try:
        first, _ = timed(lambda: home.live.observe_outside(None))
        count = len(home.library().skills)
        patches = min(timed(lambda number=number: _patch(home, number))[0] for number in (301, 302, 303))
        drafts = best_of(3, lambda: _draft(home))
        shows, approvals = zip(*(_approve(home, number) for number in (1, 2, 3)), strict=True)
    finally:
        home.close()
        shutil.rmtree(root.parent, ignore_errors=True)
    rows = [
        Row(f"first record of {count} skills", f"{first:.1f} s", "", None),
        Row(f"one patch through the door, {count} skills", f"{patches:.2f} s", "", None),
        Row(f"a draft of {count} skills", f"{drafts:.2f} s", "", None),
        Row(f"show a merge of {MERGED + 1} skills", f"{min(shows):.2f} s", "", None),
        Row(f"approve a merge of {MERGED + 1} in {count}", f"{min(approvals):.2f} s", "<= 2 s", min(approvals) <= 2.0),
    ]
    rows += _history(count, 400 if quick else 2000)
    tell(rows, approve=min(approvals), patch=patches, draft=drafts)


if __name__ == "__main__":
    main()
