"""The handed cases of the skill format: what the validator and the tolerant reader say of each folder."""

import json
import os
import shutil
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from app.skills.findings import RULES
from app.skills.validate import validate_path

DATA = Path(__file__).parents[2] / "cases" / "data"
CASES = sorted(path.name for path in (DATA / "skill_format").iterdir())
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def expected(case: str) -> dict[str, Any]:
    path = DATA / "skill_format" / case / "expected.json"
    return json.loads(path.read_text(encoding="utf-8", errors="surrogatepass"))


def materialised(case: str, folder: Path) -> Path:
    """A working copy with what git cannot hold: links, modes, many and large files."""
    base = folder / case
    shutil.copytree(DATA / "skill_format" / case, base, symlinks=True)
    steps = expected(case)["materialize"]
    for step in sorted(steps, key=lambda one: one["op"] == "chmod"):
        make(base, step)
    return base


def make(base: Path, step: dict[str, Any]) -> None:
    path, kind = base / step["path"], step["op"]
    if kind == "chmod":
        path.chmod(int(step["mode"], 8))
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "mkdir":
        path.mkdir(parents=True, exist_ok=True)
    elif kind == "symlink":
        path.symlink_to(step["target"])
    elif kind == "append_pattern":
        with path.open("ab") as stream:
            stream.write(step["pattern"].encode() * step["count"])
    elif kind == "many_files":
        path.mkdir(parents=True, exist_ok=True)
        for number in range(step["count"]):
            (path / f"f{number:05d}.txt").write_text("x")
    elif kind == "many_dirs":
        for number in range(step["count"]):
            (path / f"d{number:05d}").mkdir(parents=True)
    else:
        raise AssertionError(f"unknown step {kind}")


@pytest.fixture(autouse=True)
def nobody_else_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference validator has its own tests; a child for each case would cost a minute."""
    monkeypatch.setattr("app.skills.validate.is_installed", lambda: False)


def composed(text: object) -> str:
    return unicodedata.normalize("NFC", str(text)).strip()


def answered(case: str, tmp_path: Path) -> tuple[list[dict[str, Any]], Path]:
    want = expected(case)
    if want["root_sensitive"] and IS_ROOT:
        pytest.skip("permissions mean nothing to root")
    target = materialised(case, tmp_path) / want["target"]
    start = time.perf_counter()
    lines = list(validate_path(target))
    for limit in (text for text in want["safety"] if text.startswith("time<")):
        assert time.perf_counter() - start < float(limit[5:-1])
    json.dumps(lines)
    return lines, target


@pytest.mark.parametrize("case", [name for name in CASES if expected(name)["mode"] == "validate"])
def test_a_skill_is_judged_and_read_as_the_case_says(case: str, tmp_path: Path) -> None:
    want = expected(case)
    lines, _ = answered(case, tmp_path)
    (line,) = lines
    rules = [one["rule"] for one in line["findings"]]
    assert line["strict"] in want["product"]["strict"]
    assert line["load"] in want["product"]["load"]
    if want["spec"]["verdict"] == "invalid":
        missing = [rule for rule in want["spec"]["rules"] if rule not in rules]
        assert not missing if line["load"] != "skip" else len(missing) < max(1, len(want["spec"]["rules"]))
    if line["load"] == "skip" or not want["parsed"]:
        return
    for key in ("name", "description"):
        if want["parsed"].get(key) is not None:
            assert composed(line["parsed"][key]) == composed(want["parsed"][key])
    for key in ("license", "compatibility", "allowed_tools", "metadata"):
        if key in want["parsed"]:
            assert line["parsed"][key] == want["parsed"][key]
    if "unknown_fields" in want["parsed"]:
        assert sorted(line["parsed"]["unknown_fields"]) == sorted(want["parsed"]["unknown_fields"])


@pytest.mark.parametrize("case", [name for name in CASES if expected(name)["mode"] == "discover"])
def test_a_folder_of_many_is_walked_as_the_case_says(case: str, tmp_path: Path) -> None:
    want = expected(case)["discovery"]
    lines, target = answered(case, tmp_path)
    rows = {composed(Path(line["path"]).relative_to(target)): line["load"] for line in lines if "path" in line}
    usable = {path for path, load in rows.items() if load != "skip"}
    broken = {path for path, load in rows.items() if load == "skip"}
    must, may = set(map(composed, want["must_find"])), set(map(composed, want["may_find"]))
    assert must <= usable
    assert usable <= must | may | set(map(composed, want["must_report_broken"]))
    assert set(map(composed, want["must_report_broken"])) <= broken
    groups = [group for line in lines for group in line.get("collisions", [])]
    told = [{composed(Path(path).relative_to(target)) for path in group} for group in groups]
    for group in want["collisions"]:
        assert any(set(map(composed, group)) <= one for one in told)


def test_every_rule_has_the_severity_the_handed_table_allows() -> None:
    table = json.loads((DATA / "skill_rules.json").read_text(encoding="utf-8"))
    words = {"error": "error", "warning": "warn", "info": "none"}
    for rule, (severity, _) in RULES.items():
        if rule in table:
            assert words[severity.value] in table[rule]["strict"], rule


def test_only_rules_of_our_own_are_missing_from_the_handed_table() -> None:
    table = json.loads((DATA / "skill_rules.json").read_text(encoding="utf-8"))
    assert set(RULES) - set(table) == {"FS.SIZE"}
