"""The library of any moment, from the history alone."""

from app.settings import LibrarySettings
from app.skills.then import Past
from app.skills.values import Action, State


def past(bed):
    return Past(bed.home, LibrarySettings(), bed.history)


def test_rows_of_a_moment_are_those_that_were_listed_then(bed):
    bed.create("umbrella", body="See `narrow`.\n")
    bed.create("narrow", category="cat")
    bed.do(Action.PIN, "umbrella")
    moments = {}
    for step in (
        lambda: None,
        lambda: bed.do(Action.UNPIN, "umbrella"),
        lambda: bed.do(Action.ARCHIVE, "cat/narrow", absorbed_into="umbrella"),
        lambda: bed.do(Action.RENAME, "umbrella", to="shade"),
        lambda: bed.do(Action.PATCH, "shade", old="See", new="Look at"),
    ):
        step()
        moments[bed.history.tip()] = bed.live.library()
    reader = past(bed)
    for entry, library in reversed(moments.items()):
        then = reader.library(entry)
        facts = [
            [(one.id, one.name, one.description, one.state, one.pinned, one.author, one.mentions, one.absorbed_into)
             for one in each.skills]
            for each in (then, library)
        ]  # fmt: skip
        assert facts[0] == facts[1]
        assert {name: row.into for name, row in then.forwards.items()} == {
            name: row.into for name, row in library.forwards.items()
        }


def test_a_moment_is_shown_though_its_skills_are_gone_from_disk(bed):
    bed.create("one")
    entry = bed.history.tip()
    bed.do(Action.PURGE, "one", to="delete")
    (row,) = past(bed).library(entry).skills
    assert (row.id, row.state, row.usage.known) == ("one", State.ACTIVE, False)
