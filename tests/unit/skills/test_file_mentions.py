"""Mentions of skills in further Markdown files count like those in SKILL.md."""

from app.skills.file_mentions import FileMentions
from app.skills.values import Action


def mentions(library):
    return {skill.name: skill.mentions for skill in library.skills if skill.live}


def put(bed, skill, file, text):
    path = bed.home.skills / skill / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_names_and_links_in_other_markdown_files_are_mentions(bed):
    for name in ("reader", "ticked", "spoken", "linked"):
        bed.create(name)
    put(bed, "reader", "references/deep/a.md", "See [it](../../../linked/SKILL.md) and `ticked`.\n")
    put(bed, "reader", "notes.md", "Use the spoken skill, not `reader` itself.\n")
    put(bed, "reader", "data.txt", "`nothing-here` `linked`\n")
    assert mentions(bed.live.library())["reader"] == ()
    assert mentions(FileMentions().completed(bed.live.library()))["reader"] == ("linked", "spoken", "ticked")


def test_an_absorbed_name_is_found_too(bed):
    for name in ("reader", "umbrella", "narrow"):
        bed.create(name)
    put(bed, "reader", "notes.md", "Use `narrow`.\n")
    bed.do(Action.ARCHIVE, "narrow", absorbed_into="umbrella")
    assert mentions(FileMentions().completed(bed.live.library()))["reader"] == ("narrow",)


def test_a_changed_file_is_read_again_and_a_link_inside_the_skill_is_none(bed):
    for name in ("reader", "one", "two"):
        bed.create(name)
    reader = FileMentions()
    put(bed, "reader", "references/a.md", "Use `one`; see [b](../one/b.md).\n")
    library = bed.live.library()
    assert mentions(reader.completed(library))["reader"] == ("one",)
    put(bed, "reader", "references/a.md", "Use `two`, it is better; see [b](../one/b.md).\n")
    assert mentions(reader.completed(library, quick=True))["reader"] == ("one",)
    assert mentions(reader.completed(bed.live.library()))["reader"] == ("two",)


def test_without_further_files_the_library_is_the_same(bed):
    bed.create("one")
    library = bed.live.library()
    assert FileMentions().completed(library) is library
