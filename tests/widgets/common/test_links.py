"""What a link may do."""

import pytest

from widgets.common.links import Link, classify

BASE = "links/SKILL.md"


@pytest.mark.parametrize("href", ["https://example.org/x", "http://example.org/x", "mailto:someone@example.org"])
def test_web_addresses_keep_their_text(href):
    assert classify(href, BASE) == Link("web", href)


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "java%09script:alert(1)",
        "vbscript:x",
        "data:text/html,<b>x</b>",
        "file:///etc/passwd",
        "file://host/share/x.exe",
        "\\\\host\\share\\x.lnk",
        "%5C%5Chost%5Cshare%5Cx.lnk",
        "//host/share",
        "smb://host/share",
        "qrc:/qt-project.org/x",
        "ms-settings:privacy",
        "vscode://file/etc/passwd",
        "x-custom:run?cmd=1",
        "../../../../etc/passwd",
        "references/../../../etc/hostname",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "~/x",
        "",
        "?",
        "skill:name",
    ],
)
def test_everything_else_is_inert(href):
    assert classify(href, BASE).kind == "inert"


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("references/a.md", "links/references/a.md"),
        ("references/a.md#sec", "links/references/a.md#sec"),
        ("./SKILL.md", "links/SKILL.md"),
        ("../plain-one/SKILL.md", "plain-one/SKILL.md"),
        ("references/with%20blank.md", "links/references/with blank.md"),
        ("a.md?x=1", "links/a.md"),
    ],
)
def test_relative_addresses_resolve_below_the_library(href, target):
    assert classify(href, BASE) == Link("file", target)


def test_a_link_inside_a_reference_resolves_against_its_own_folder():
    assert classify("two.md", "guide/references/one.md") == Link("file", "guide/references/two.md")


def test_relative_addresses_without_a_base_are_inert():
    assert classify("references/a.md").kind == "inert"


def test_the_programs_own_addresses_need_its_own_text():
    assert classify("skill:testing%2Fpytest", own=True) == Link("skill", "testing/pytest")
    assert classify("skill:testing/pytest").kind == "inert"


def test_anchors_are_decoded():
    assert classify("#part%20two") == Link("anchor", "part two")
