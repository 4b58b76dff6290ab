"""Sections join back to the same text; units are the pieces a merge must keep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.sections import Label, cut_front, label_of, split
from app.text.units import sentences, triggers, units
from app.text.values import UnitKind

TEXT = """---
name: demo
description: A demo.
---

# Demo

Intro one. Intro two, e.g. Three words.

## Steps

1. First step
   goes on.
   ```sh
   # not a heading
   ls -l
   ```
2. Second step

## Pitfalls

- Never skip this.

| a | b |
|---|---|
| 1 | 2 |
"""


def test_sections_carry_heading_level_label_and_line() -> None:
    found = split(TEXT)
    assert found.front.endswith("---\n")
    assert [(s.heading, s.level, s.label, s.line) for s in found.sections] == [
        ("", 0, Label.OTHER, 5),
        ("Demo", 1, Label.TITLE, 6),
        ("Steps", 2, Label.STEPS, 10),
        ("Pitfalls", 2, Label.PITFALLS, 20),
    ]


PIECES = [
    "# a\n",
    "b\r\n",
    "```\n",
    "## Pitfalls\n",
    "Title\n===\n",
    "- x\n",
    "\r",
    "---\n",
    "\n",
    "> # q\n",
    "end",
    "\x0c",
]


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_sections_join_to_the_whole_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = split(text)
    assert found.front + "".join(section.text for section in found.sections) == text


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Common pitfalls", Label.PITFALLS),
        ("How to run", Label.STEPS),
        ("When to use", Label.WHEN),
        ("Verification", Label.CHECKS),
        ("Zebra", Label.OTHER),
    ],
)
def test_headings_tell_what_a_section_is_for(heading: str, label: Label) -> None:
    assert label_of(heading) is label


def test_a_rule_in_the_body_is_no_front_matter() -> None:
    assert cut_front("text\n---\nmore\n") == ("", "text\n---\nmore\n")


def test_units_in_order_with_kind_and_line() -> None:
    assert [(u.kind, u.text, u.line) for u in units(TEXT)] == [
        (UnitKind.HEADING, "Demo", 6),
        (UnitKind.SENTENCE, "Intro one.", 8),
        (UnitKind.SENTENCE, "Intro two, e.g. Three words.", 8),
        (UnitKind.HEADING, "Steps", 10),
        (UnitKind.ITEM, "First step goes on.", 12),
        (UnitKind.CODE, "# not a heading\nls -l", 14),
        (UnitKind.ITEM, "Second step", 18),
        (UnitKind.HEADING, "Pitfalls", 20),
        (UnitKind.ITEM, "Never skip this.", 22),
        (UnitKind.ITEM, "a | b", 24),
        (UnitKind.ITEM, "1 | 2", 26),
    ]


def test_sentences_end_at_marks_before_a_new_start() -> None:
    assert sentences("Use v1.2 now. Then stop! Is it 3.5 percent? Yes.") == (
        "Use v1.2 now.",
        "Then stop!",
        "Is it 3.5 percent?",
        "Yes.",
    )
    assert sentences("先看。再做。") == ("先看。", "再做。")


def test_triggers_are_the_words_that_carry_meaning_once() -> None:
    text = "Use when debugging flaky tests in C++ or flaky builds, e.g. on node.js."
    assert [unit.text for unit in triggers(text)] == ["debugging", "flaky", "tests", "C++", "builds", "node.js"]
