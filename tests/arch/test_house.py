"""The rules of the house, read from the source: sizes, the rooms of Qt, colours, sleeping tests."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = sorted([*ROOT.glob("app/**/*.py"), *ROOT.glob("widgets/**/*.py")])
QT_ROOMS = ("app/bridge/", "app/wiring/", "app/window.py", "app/tour.py", "app/__main__.py", "widgets/")


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def trees() -> tuple[tuple[Path, ast.Module], ...]:
    return tuple((path, ast.parse(text(path))) for path in SOURCE)


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_top_level_holds_exactly_what_was_ordered() -> None:
    wanted = {"app", "widgets", "resources", "skills", "tests", "pyproject.toml", "README.md", "Makefile", "LICENSE"}
    wanted |= {"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", ".gitignore", ".ci"}
    made = {".git", ".venv", ".venv-core", "out", "build", "dist", ".mypy_cache", ".ruff_cache", ".hypothesis"}
    made |= {".import_linter_cache", ".coverage", "__pycache__", "melete.egg-info", ".pytest_cache"}
    assert {path.name for path in ROOT.iterdir()} - made == wanted


def test_no_module_is_longer_than_350_lines_and_half_are_under_160() -> None:
    sizes = {shown(path): len(text(path).splitlines()) for path in SOURCE}
    assert {name: size for name, size in sizes.items() if size > 350} == {}
    assert median(size for name, size in sizes.items() if not name.endswith("__init__.py")) < 160


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{shown(path)}:{node.name}": node.end_lineno - node.lineno + 1
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 - len((ast.get_docstring(node) or "").splitlines()) > 60
    }
    assert long == {}


def test_init_files_are_empty_but_for_the_version() -> None:
    full = [shown(path) for path in SOURCE if path.name == "__init__.py" and text(path).strip()]
    assert full == ["app/__init__.py"]


def test_qt_is_imported_only_in_its_rooms() -> None:
    outside = [
        shown(path) for path, tree in trees() if not shown(path).startswith(QT_ROOMS) and any(_imports(tree, "PySide6"))
    ]
    assert outside == []


def test_the_bridge_uses_no_part_of_qt_but_the_core() -> None:
    other = [
        f"{shown(path)}: {name}"
        for path, tree in trees()
        if shown(path).startswith("app/bridge/")
        for name in _imports(tree, "PySide6")
        if name not in {"PySide6.QtCore", "PySide6.QtNetwork"}
    ]
    assert other == []


def test_widgets_see_only_values_errors_and_settings_of_the_program() -> None:
    other = [
        f"{shown(path)}: {name}"
        for path, tree in trees()
        if shown(path).startswith("widgets/")
        for name in _imports(tree, "app")
        if not (name.endswith(".values") or name in {"app.errors", "app.settings"})
    ]
    assert other == []


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"processEvents\(", "events are never pumped"),
        (r"\.terminate\(\)", "threads are never killed"),
        (r"BlockingQueuedConnection", "the window never waits for a thread"),
        (r"\bTODO\b|\bFIXME\b|\bXXX\b|NotImplementedError", "nothing is left unfinished"),
        (r"/work/|/farm/|subagent|helper-\d", "the project speaks of itself alone"),
    ],
)
def test_source_is_free_of(pattern: str, why: str) -> None:
    found = [shown(path) for path in SOURCE if re.search(pattern, text(path))]
    assert found == [], why


def test_colours_come_from_the_theme_only() -> None:
    literal = re.compile(r"#[0-9A-Fa-f]{6}\b|QColor\(\s*\d")
    found = [shown(p) for p in SOURCE if shown(p).startswith("widgets/") and literal.search(text(p))]
    assert found == []


def test_tests_wait_for_conditions_never_for_time() -> None:
    sleeping = re.compile(r"time\.sleep\(|qtbot\.wait\(|QTest\.qWait\(")
    this = Path(__file__)
    tests = [path for path in ROOT.glob("tests/**/test_*.py") if path != this]
    assert [shown(path) for path in tests if sleeping.search(text(path))] == []


def _imports(tree: ast.Module, root: str) -> Iterator[str]:
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        yield from (name for name in names if name == root or name.startswith(root + "."))
