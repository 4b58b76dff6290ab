"""A damaged usage file: kept as a copy, and what the ledger knows stands in the new one."""

import json

import pytest

from app.cli.main import run
from app.history.values import Origin
from app.skills.heal_usage import heal_usage, records_from
from app.skills.values import Action, Author, State, Writer

REVIEW = Writer(Origin.REVIEW, session="s", turn="t")


def test_pins_permissions_authors_and_archives_come_back_from_the_ledger(bed):
    for name in ("pinned-one", "let-go", "adopted"):
        bed.create(name)
    bed.create("learned", REVIEW)
    bed.create("gone", category="cat")
    bed.do(Action.PIN, "pinned-one")
    bed.do(Action.PIN, "let-go")
    bed.do(Action.UNPIN, "let-go")
    bed.do(Action.ADOPT, "adopted")
    bed.do(Action.RENAME, "adopted", to="called-otherwise")
    bed.do(Action.ARCHIVE, "cat/gone", absorbed_into="")
    before = {skill.id: skill for skill in bed.live.library().skills}
    bed.home.usage.write_bytes(b'{"pinned-one": {"pinn')
    assert heal_usage(bed.home, bed.history, bed.live.library, bed.now) is not None
    after = {skill.id: skill for skill in bed.live.library().skills}
    assert after.keys() == before.keys()
    for skill_id, was in before.items():
        now = after[skill_id]
        assert (now.pinned, now.managed, now.author, now.state) == (was.pinned, was.managed, was.author, was.state)
        assert now.usage.created_at == was.usage.created_at
    assert after["pinned-one"].pinned
    assert after["called-otherwise"].managed
    assert after["learned"].author is Author.AGENT
    assert after[".archive/gone"].state is State.ARCHIVED
    assert not any(skill.usage.known for skill in after.values())


def test_a_rebuilt_record_is_known_again_once_its_skill_is_used(bed):
    bed.create("one")
    record = records_from(bed.history, bed.live.library(), bed.now)["one"]
    bed.home.usage.write_text(json.dumps({"one": record | {"use_count": 1, "last_used_at": "2026-06-01T12:00:00Z"}}))
    (skill,) = bed.live.library().skills
    assert skill.usage.known


@pytest.mark.parametrize("left", [b"", b"\0\xff{{", b'["a list"]'])
def test_the_command_line_says_what_was_rebuilt_and_keeps_the_old_bytes(tmp_path, capfd, left):
    home = tmp_path / "home"
    assert run(["--home", str(home), "pin", "writing-skills"]) == 0
    (home / "skills/.usage.json").write_bytes(left)
    capfd.readouterr()
    assert run(["--home", str(home), "list", "--json"]) == 0
    told = capfd.readouterr()
    assert "rebuilt" in told.err
    rows = {row["name"]: row for row in json.loads(told.out)["skills"]}
    assert rows["writing-skills"]["pinned"]
    assert [copy.read_bytes() for copy in (home / "skills").glob(".usage.json.broken-*")] == [left]
