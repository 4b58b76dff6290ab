"""Counters of a merged skill: counted by its umbrella, and its own again after it came back."""

from app.skills.usage import UsageFile
from app.skills.values import Action, Request
from tests.unit.skills.conftest import USER


def counted(bed, **records):
    UsageFile(bed.home.usage).update(
        lambda known: [known.setdefault(name.replace("_", "-"), {}).update(more) for name, more in records.items()]
    )


def uses(bed, key):
    record = bed.record(key)
    return record.get("use_count"), record.get("view_count"), record.get("last_used_at")


def prepared(bed):
    bed.create("umbrella")
    bed.create("narrow")
    counted(
        bed,
        umbrella={"use_count": 2, "view_count": 1, "last_used_at": "2026-05-01T00:00:00+00:00"},
        narrow={"use_count": 5, "view_count": 0, "last_used_at": "2026-05-20T00:00:00+00:00"},
    )


def test_a_merge_adds_the_counters_and_keeps_the_later_time(bed):
    prepared(bed)
    assert bed.do(Action.ARCHIVE, "narrow", absorbed_into="umbrella").ok
    assert uses(bed, "umbrella") == (7, 1, "2026-05-20T00:00:00+00:00")
    assert uses(bed, "narrow") == (5, 0, "2026-05-20T00:00:00+00:00")


def test_the_way_back_takes_away_what_had_come_and_no_more(bed):
    prepared(bed)
    receipt = bed.do(Action.ARCHIVE, "narrow", absorbed_into="umbrella")
    counted(bed, umbrella={"use_count": 8})
    bed.undo(receipt.entry)
    assert uses(bed, "umbrella")[:2] == (3, 1)
    assert uses(bed, "narrow")[:2] == (5, 0)
    assert bed.do(Action.ARCHIVE, "narrow", absorbed_into="umbrella").ok
    assert uses(bed, "umbrella")[:2] == (8, 1)


def test_a_merge_into_a_new_umbrella_in_one_action_counts_too(bed):
    bed.create("narrow")
    counted(bed, narrow={"use_count": 4})
    wishes = [
        Request(Action.CREATE, "umbrella", content=bed.text("umbrella")),
        Request(Action.ARCHIVE, "narrow", absorbed_into="umbrella"),
    ]
    bed.door.do_all(wishes, USER)
    assert uses(bed, "umbrella")[0] == 4


def test_an_archive_without_an_umbrella_moves_no_counters(bed):
    prepared(bed)
    assert bed.do(Action.ARCHIVE, "narrow", absorbed_into="").ok
    assert bed.do(Action.RESTORE, ".archive/narrow").ok
    assert uses(bed, "umbrella")[0] == 2
    assert uses(bed, "narrow")[0] == 5
