"""The loop in the real window: a turn and its review, a run and its approval, pin, archive and restore, leaving."""

from app.agent.values import Ending
from app.providers.values import Role
from app.skills.resolve import resolve
from app.skills.values import Action, State

SIBLING = """---
name: {name}
description: {what} CSV files with care. Use when a table comes from outside.
---

# {title}

## Steps

1. {step}

## Pitfalls

- Leading zeros vanish when numbers are guessed in {name}.
"""


def siblings(shop) -> None:
    for name, what, step in (
        ("csv-cleaning", "Clean", "Read everything as text first."),
        ("csv-dedupe", "Remove duplicates from", "Count rows before and after."),
        ("csv-encodings", "Mend wrong characters in", "Look at the first bytes."),
    ):
        shop.put(f"data/{name}", text=SIBLING.format(name=name, what=what, title=name.replace("-", " "), step=step))


def test_a_question_is_answered_from_a_skill_and_a_wish_is_learned_by_the_review(shop):
    shop.put("git/git-rebase", "Rebase a branch without losing work. Use when main has moved on.")
    window = shop.open()
    turns, reviews = [], []
    window.services.chat.turn_ended.connect(turns.append)
    window.services.review.reviewed.connect(reviews.append)
    window.panes.chat.send_requested.emit("How do I rebase a branch without losing work?")
    shop.wait(lambda: len(turns) == 1 and len(reviews) == 1)
    assert "git-rebase" in turns[0].reply
    assert reviews[0].line == ""
    window.panes.chat.send_requested.emit("I prefer short answers without flattery.")
    shop.wait(lambda: len(reviews) == 2)
    assert "user profile" in reviews[1].line
    assert "short answers" in (shop.root / "memories" / "USER.md").read_text(encoding="utf-8")
    lines = (shop.root / "trajectories" / "trajectory_samples.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2


def test_what_a_review_wrote_can_be_undone(shop):
    window = shop.open()
    reviews, undone = [], []
    window.services.review.reviewed.connect(reviews.append)
    window.services.skills.undone.connect(lambda entry, result: undone.append(result))
    window.panes.chat.send_requested.emit("I prefer short answers without flattery.")
    shop.wait(lambda: bool(reviews))
    window.panes.chat.undo_requested.emit(reviews[0].entries[0])
    shop.wait(lambda: bool(undone))
    assert undone[0].entry is not None
    assert "short answers" not in (shop.root / "memories" / "USER.md").read_text(encoding="utf-8")


def test_a_run_leaves_the_library_untouched_until_a_merge_is_approved_and_then_the_old_name_leads_on(shop):
    siblings(shop)
    window = shop.open()
    services = window.services
    acted = []
    services.skills.acted.connect(acted.append)
    services.skills.act(Action.ADOPT, ("data/csv-cleaning", "data/csv-dedupe", "data/csv-encodings"))
    shop.wait(lambda: bool(acted))
    reports, shown, decided = [], [], []
    services.curator.run_ended.connect(reports.append)
    services.proposals.shown.connect(shown.append)
    services.proposals.decided.connect(decided.append)
    window.panes.curator.run_requested.emit(False)
    shop.wait(lambda: bool(reports), 30)
    assert reports[0].tree_before == reports[0].tree_after
    assert len(reports[0].consolidated) >= 2
    services.proposals.show(reports[0].proposals[0])
    shop.wait(lambda: bool(shown))
    group = next(group for group in shown[0].groups if any(change.absorbed_into for change in group.changes))
    seen = {change.id: change.seen or "" for change in group.changes}
    window.panes.review.approve_requested.emit(shown[0].id, tuple(seen), seen, {})
    shop.wait(lambda: bool(decided))
    assert decided[0].refused == ()
    old = next(change for change in group.changes if change.absorbed_into)
    shop.wait(lambda: resolve(services.library.library, old.name).via == (old.name,))
    assert resolve(services.library.library, old.name).skill.name == old.absorbed_into


def test_pin_archive_and_restore_by_click_are_seen_at_once_and_survive_a_restart(shop):
    shop.put("git/git-rebase")
    shop.put("git/git-undo")
    window = shop.open()
    library = window.services.library
    window.panes.library.action_requested.emit("skill.pin", ("git/git-rebase",))
    shop.wait(lambda: library.library.get("git/git-rebase").pinned)
    window.panes.library.action_requested.emit("skill.archive", ("git/git-undo",))
    shop.wait(lambda: library.library.get(".archive/git-undo") is not None)
    assert (shop.skills / ".archive" / "git-undo" / "SKILL.md").is_file()
    window.panes.library.action_requested.emit("skill.restore", (".archive/git-undo",))
    shop.wait(lambda: library.library.get("git/git-undo") is not None)
    shop.close(window)
    again = shop.open()
    shop.wait(lambda: again.services.library.library.get("git/git-rebase") is not None)
    assert again.services.library.library.get("git/git-rebase").pinned
    assert again.services.library.library.get("git/git-undo").state is State.ACTIVE


def test_closing_while_a_turn_a_review_and_a_run_are_under_way_loses_nothing(shop):
    siblings(shop)
    window = shop.open()
    window.panes.curator.run_requested.emit(False)
    window.panes.chat.send_requested.emit("How do I clean a CSV file?")
    shop.wait(lambda: window.services.chat.busy and window.services.curator.running)
    shop.close(window)
    again = shop.open()
    listed = []
    again.services.sessions.listed.connect(listed.append)
    again.services.sessions.refresh()
    shop.wait(lambda: bool(listed))
    titles = [info.title for info in listed[-1]]
    assert titles in ([], ["How do I clean a CSV file?"])
    assert {skill.id for skill in again.services.library.library.skills} >= {"data/csv-cleaning", "data/csv-dedupe"}


def test_a_stopped_turn_keeps_its_text_and_the_next_one_works(shop):
    window = shop.open()
    turns = []
    chat = window.services.chat
    chat.turn_ended.connect(turns.append)
    stop = lambda _started: chat.stop()  # noqa: E731 - connected and disconnected below
    chat.turn_started.connect(stop)
    window.panes.chat.send_requested.emit("help, said first")
    shop.wait(lambda: len(turns) == 1)
    chat.turn_started.disconnect(stop)
    assert turns[0].ended.ending is Ending.STOPPED
    assert shop.say(window, "help").ended.ending is Ending.DONE
    said = [stored.message.text for stored in shop.messages(window) if stored.message.role is Role.USER]
    assert [text for text in said if text] == ["help, said first", "help"]
