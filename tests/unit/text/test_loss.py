"""The loss meter tells kept, reworded and dropped apart."""

from app.text.loss import measure
from app.text.values import Fate, Loss, UnitKind

ABSORBED = b"""---
name: flaky
description: Debug flaky pytest runs.
---
# Flaky tests

1. Run the test twenty times in a loop.
2. Never retry it blindly.

```sh
pytest --lf
```

Ask the author before you delete a test.
"""


def fates(loss: Loss, kind: UnitKind) -> dict[str, Fate]:
    return {item.unit.text: item.fate for item in loss.units if item.unit.kind is kind}


def test_a_result_that_holds_everything_loses_nothing() -> None:
    loss = measure("flaky", {"SKILL.md": ABSORBED}, "Debug flaky pytest runs.", {"SKILL.md": ABSORBED})
    assert loss.kept_share == 1.0
    assert loss.count(Fate.KEPT) == len(loss.units) == 9


def test_changed_missing_and_contradicting_units_are_told_apart() -> None:
    head = b"---\nname: u\ndescription: pytest\n---\n"
    result = head + b"## Flaky tests\n- Run the test thirty times in a loop.\n- Retry it blindly.\n"
    loss = measure("flaky", {"SKILL.md": ABSORBED}, "", {"SKILL.md": result})
    assert fates(loss, UnitKind.HEADING) == {"Flaky tests": Fate.KEPT}
    assert fates(loss, UnitKind.ITEM) == {
        "Run the test twenty times in a loop.": Fate.REWORDED,
        "Never retry it blindly.": Fate.DROPPED,
    }
    assert fates(loss, UnitKind.CODE) == {"pytest --lf": Fate.DROPPED}
    assert fates(loss, UnitKind.SENTENCE) == {"Ask the author before you delete a test.": Fate.DROPPED}
    now = {item.unit.text: item.now for item in loss.units}
    assert now["Run the test twenty times in a loop."] == "Run the test thirty times in a loop."


def test_text_moved_into_a_reference_counts_as_kept() -> None:
    result = {"SKILL.md": b"# U\n", "references/flaky.md": ABSORBED}
    loss = measure("flaky", {"SKILL.md": ABSORBED}, "", result)
    assert loss.count(Fate.DROPPED) == 0


def test_a_step_that_grew_is_kept_and_its_opposite_is_not() -> None:
    absorbed = {"SKILL.md": b"- push to the main branch\n"}
    grown = measure("a", absorbed, "", {"SKILL.md": b"- push to the main branch after review\n"})
    turned = measure("a", absorbed, "", {"SKILL.md": b"- never push to the main branch\n"})
    assert [item.fate for item in grown.units] == [Fate.KEPT]
    assert [item.fate for item in turned.units] == [Fate.DROPPED]


def test_code_must_match_to_the_letter_to_be_kept() -> None:
    absorbed = {"SKILL.md": b"```sh\ntar -xzf a.tgz -C /opt\n```\n"}
    loss = measure("a", absorbed, "", {"SKILL.md": b"```sh\ntar -xzf A.tgz -C /opt\n```\n"})
    assert [item.fate for item in loss.units] == [Fate.REWORDED]


def test_support_files_are_kept_by_bytes_under_any_name() -> None:
    absorbed = {"SKILL.md": b"", "references/x.md": b"one\ntwo\n", "assets/p.png": b"\x89\0", "scripts/s.sh": b"gone\n"}
    result = {"SKILL.md": b"", "references/a-x.md": b"one\ntwo\nthree\n", "assets/a-p.png": b"\x89\0"}
    loss = measure("a", absorbed, "", result)
    assert fates(loss, UnitKind.FILE) == {
        "assets/p.png": Fate.KEPT,
        "references/x.md": Fate.REWORDED,
        "scripts/s.sh": Fate.DROPPED,
    }


def test_trigger_words_count_where_a_model_finds_them() -> None:
    result = {"SKILL.md": b"---\nname: u\ndescription: Debugging pytest.\n---\nAbout flaky ones.\n"}
    loss = measure("a", {"SKILL.md": b""}, "Debug flaky pytest runs", result)
    assert fates(loss, UnitKind.TRIGGER) == {
        "Debug": Fate.KEPT,
        "flaky": Fate.REWORDED,
        "pytest": Fate.KEPT,
        "runs": Fate.DROPPED,
    }


def test_a_skill_without_units_loses_nothing() -> None:
    assert measure("a", {}, "", {}).kept_share == 1.0


def test_a_number_that_changed_is_dropped_and_not_reworded() -> None:
    before = {"SKILL.md": b"---\nname: a\ndescription: x\n---\n\nWait at least 30 seconds before you retry it.\n"}
    after = {"SKILL.md": b"---\nname: u\ndescription: x\n---\n\nWait at least 60 seconds before you retry it.\n"}
    (unit,) = [item for item in measure("a", before, "", after).units if "Wait" in item.unit.text]
    assert unit.fate is Fate.DROPPED
