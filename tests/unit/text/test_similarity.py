"""Sibling skills are found, strangers are not, and the reason is shown."""

import pytest

from app.text.similarity import Similarity, catalogue_text, stem, terms

TEXTS = {
    "pytest-flaky": "Find and fix flaky pytest tests that fail at random",
    "pytest-fixtures": "Write pytest fixtures for tests with shared state",
    "pptx-slides": "Build slides and presentations",
    "invoice-email": "Send an invoice by email to a customer",
    "invoice-reminder": "Remind a customer about an unpaid invoice by email",
}


def test_neighbours_come_best_first_with_the_shared_words() -> None:
    near = Similarity(TEXTS).neighbours("invoice-email")
    assert [item.id for item in near] == ["invoice-reminder"]
    assert set(near[0].shared) == {"invoic", "email", "customer"}
    assert 0.15 <= near[0].score <= 1


def test_clusters_hold_siblings_and_leave_strangers_out() -> None:
    assert Similarity(TEXTS).clusters() == [("pytest-flaky", "pytest-fixtures"), ("invoice-email", "invoice-reminder")]


def test_a_chain_of_likeness_does_not_make_one_big_group() -> None:
    chain = {"a": "red green", "b": "green blue", "c": "blue black", "d": "black white", "e": "white red"}
    assert all(len(group) < len(chain) for group in Similarity(chain).clusters(0.3))


def test_a_question_finds_its_text() -> None:
    assert Similarity(TEXTS).query("how do I remind people of unpaid invoices?")[0].id == "invoice-reminder"
    assert Similarity(TEXTS).query("zebra") == []


def test_the_same_text_twice_is_fully_alike_and_scores_are_symmetric() -> None:
    index = Similarity({**TEXTS, "copy": TEXTS["pptx-slides"]})
    assert index.score("copy", "pptx-slides") == pytest.approx(1.0)
    assert index.score("pytest-flaky", "pytest-fixtures") == pytest.approx(
        index.score("pytest-fixtures", "pytest-flaky")
    )


def test_empty_and_single_libraries_have_no_clusters() -> None:
    assert Similarity({}).clusters() == []
    assert Similarity({"a": "x y"}).neighbours("a") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("tests", "testing"), ("merges", "merging"), ("queries", "query"), ("running", "run"), ("classes", "class")],
)
def test_forms_of_a_word_have_one_root(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_short_words_and_double_s_stay() -> None:
    assert [stem(word) for word in ("bus", "class", "git", "status")] == ["bus", "class", "git", "status"]


def test_unspaced_scripts_are_compared_by_pairs() -> None:
    assert terms("数据库备份") == ["数据", "据库", "库备", "备份"]


def test_a_skill_is_compared_by_name_description_and_headings() -> None:
    text = catalogue_text("git-rebase", "Rebase branches.", "# Title\n\nbody words\n\n## Conflicts\n")
    assert text == "git rebase\nRebase branches.\nTitle\nConflicts"
