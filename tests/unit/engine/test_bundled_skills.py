"""The bundled skills are valid and the built-in engine finds each one for natural questions."""

from pathlib import Path

import pytest

from app.paths import resources_dir
from app.skills.parse import parse_skill
from app.skills.values import Load

SKILLS = resources_dir().parent / "skills"
NAMES = sorted(folder.name for folder in SKILLS.iterdir() if folder.is_dir())


def files_of(folder: Path) -> dict[str, str]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture
def library(room):
    for name in NAMES:
        room.skills[name] = files_of(SKILLS / name)
    return room


def test_there_are_at_least_eight() -> None:
    assert len(NAMES) >= 8


@pytest.mark.parametrize("name", NAMES)
def test_each_is_valid_short_and_complete(name: str) -> None:
    files = files_of(SKILLS / name)
    parsed = parse_skill(files["SKILL.md"].encode(), name, files)
    assert parsed.load is Load.LOAD
    assert parsed.findings == ()
    assert "Use when" in parsed.description
    assert files["SKILL.md"].count("\n") < 500
    linked = [path for path in files if path != "SKILL.md" and path not in files["SKILL.md"]]
    assert linked == []


QUESTIONS = [
    ("How do I write a good skill?", "writing-skills"),
    ("my skill's description never triggers, what can I do?", "writing-skills"),
    ("I have too many skills, how do I clean up?", "curating-a-library"),
    ("what should I look at before approving a merge?", "curating-a-library"),
    ("How do I review a pull request?", "reviewing-a-change"),
    ("give feedback on a branch", "reviewing-a-change"),
    ("My test fails now and then, how do I find out why?", "debugging-systematically"),
    ("the program crashes and I don't know why", "debugging-systematically"),
    ("it works on my machine only", "debugging-systematically"),
    ("I get database is locked, what do I do?", "working-with-sqlite"),
    ("why is my SQLite query slow?", "working-with-sqlite"),
    ("who changed this line and why?", "reading-git-history"),
    ("how can I recover a lost commit in git?", "reading-git-history"),
    ("summarise this meeting", "summarizing-meetings"),
    ("extract the action items from the transcript", "summarizing-meetings"),
    ("How do I test Melete?", "testing-melete"),
    ("how do I plan a release?", "planning-a-release"),
    ("the release went wrong, how do I roll back?", "planning-a-release"),
    ("How can I make this text shorter and clearer?", "writing-clear-prose"),
    ("how do I write a good error message?", "writing-clear-prose"),
]


def test_every_bundled_skill_has_a_question() -> None:
    assert {name for _, name in QUESTIONS} == set(NAMES)


@pytest.mark.parametrize(("question", "name"), QUESTIONS)
def test_a_natural_question_is_answered_from_its_skill(library, question: str, name: str) -> None:
    answer = library.say(question)
    assert answer.startswith(f"From the skill **{name}**, section *")
    quoted = [line.removeprefix(">").strip() for line in answer.splitlines() if line.startswith(">")]
    source = " ".join(" ".join(text.split()) for text in library.skills[name].values())
    assert quoted
    assert all(" ".join(line.split()) in source for line in quoted)


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("I get database is locked, what do I do?", '"Database is locked"'),
        ("how do I do full-text search in sqlite?", "Full-text search"),
        ("who changed this line and why?", "Why is this line so?"),
        ("how can I recover a lost commit in git?", "Recover lost work"),
        ("the release went wrong, how do I roll back?", "Went wrong"),
    ],
)
def test_the_section_that_answers_is_the_one_quoted(library, question: str, section: str) -> None:
    assert f"section *{section}*" in library.say(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Australia?",
        "How do I bake bread?",
        "what time is it?",
        "who won the world cup?",
        "how do I centre a div in CSS?",
        "How many users does our product have?",
        "write me a poem",
    ],
)
def test_what_no_skill_covers_is_not_answered_from_one(library, question: str) -> None:
    assert "From the skill" not in library.say(question)
