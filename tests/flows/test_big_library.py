"""The window on thousands of skills, one of which holds a huge generated folder: watched, at rest, and not blind."""

import time

import pytest

import app.bridge.watch
from tests.bench.made import make_library, skill_id, skill_text

SKILLS = 5_000
GENERATED = 70_000
WATCHED_S = 4.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def edit_outside(shop, number: int, words: str) -> str:
    """Another program changes the description of a skill; its id."""
    text = skill_text(number).replace("description: ", f"description: {words} ", 1)
    (shop.skills / skill_id(number) / "SKILL.md").write_text(text, encoding="utf-8")
    return skill_id(number)


def row_says(shop, window, skill: str, words: str) -> bool:
    """Whether the row of the list tells what was written."""
    index = window.panes.library.tree.model().index_of_id(skill)
    return index.isValid() and shop.description(window, skill).startswith(words)


def test_five_thousand_skills_with_a_huge_generated_folder_are_watched_and_cost_nothing_at_rest(shop):
    make_library(shop.root, SKILLS, GENERATED)
    window = shop.open(seconds=240)
    library = window.services.library
    assert window.panes.frame._status["watching"].text == "watching"
    assert len(shop.rows(window)) == SKILLS
    assert library.library.get(skill_id(0)).file_count < 10
    looks = library.rescans
    shop.rest(3_000)  # what the start still has to do
    spent, began = time.process_time(), time.monotonic()
    shop.rest(int(WATCHED_S * 1000))
    share = (time.process_time() - spent) / (time.monotonic() - began)
    assert share < 0.01
    assert library.rescans - looks <= 1
    looks = library.rescans
    (shop.skills / skill_id(0) / "node_modules" / "package-0" / "file-0.js").write_bytes(b"changed")
    shop.rest(1_500)
    assert library.rescans == looks
    edited = edit_outside(shop, 2_500, "Changed by another program.")
    shop.wait(lambda: row_says(shop, window, edited, "Changed by another program."), 10)
    shop.wait(lambda: any(one.record.detail.get("changed") == [edited] for one in shop.outside(edited)), 30)
    assert longest_step(window.panes.library.tree) < 0.2


def longest_step(tree) -> float:
    """Seconds of the slowest of a hundred pages scrolled through all rows, all groups open."""
    tree.expandAll()
    bar, slowest = tree.verticalScrollBar(), 0.0
    assert bar.maximum() > 20 * SKILLS
    for page in range(100):
        began = time.perf_counter()
        bar.setValue(bar.maximum() * page // 100)
        tree.viewport().repaint()
        slowest = max(slowest, time.perf_counter() - began)
    return slowest


def test_beyond_the_watch_limit_a_large_library_is_polled_and_the_status_line_says_so(shop, monkeypatch):
    monkeypatch.setattr(app.bridge.watch, "watch_limit", lambda: 1_000)
    make_library(shop.root, 2_000)
    shop.settings("[library]\npoll_seconds = 1\n")
    window = shop.open(seconds=120)
    field = window.panes.frame._status["watching"]
    assert field.text == "polling"
    assert "more folders than the system may watch" in field.toolTip()
    assert any("limited" in text for text in window.panes.notices.texts)
    edited = edit_outside(shop, 700, "Seen without a watch.")
    shop.wait(lambda: row_says(shop, window, edited, "Seen without a watch."), 20)
