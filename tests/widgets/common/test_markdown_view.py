"""The Markdown view: what is shown, what is loaded, where links and Back lead, and how long texts behave."""

import gc
from time import thread_time

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication, QImage

from widgets.common.markdown_view import MarkdownView, Page

HEAD = "---\nname: a\ndescription: UNIQUEDESC\n---\n\n"


@pytest.fixture
def view(theme, qtbot):
    made = MarkdownView(theme)
    qtbot.addWidget(made)
    made.resize(700, 300)
    return made


def shown(view, qtbot, text, **more):
    view.set_page(Page(text, **more))
    qtbot.waitUntil(lambda: not view.busy)
    return view.toPlainText()


@pytest.mark.parametrize("prefix", ["", "\ufeff"])
def test_front_matter_is_not_shown(view, qtbot, prefix):
    text = shown(view, qtbot, prefix + HEAD + "# Title\n\nText.\n")
    assert text.splitlines()[0] == "Title"
    assert "UNIQUEDESC" not in text


def test_raw_html_is_text(view, qtbot):
    assert "<b>bold</b>" in shown(view, qtbot, 'A <b>bold</b> <img src="http://e.org/x.png">\n')


def test_a_link_that_may_not_be_followed_is_text_with_its_address(view, qtbot):
    text = shown(view, qtbot, "[click](javascript:alert(1))\n")
    assert text.strip() == "click (javascript:alert(1))"
    assert "<a href" not in view.toHtml()


def test_hidden_characters_are_shown(view, qtbot):
    assert "⟨U+202E⟩" in shown(view, qtbot, "a\u202eb\n")


def test_following_says_where_and_keeps_the_text(view, qtbot):
    shown(view, qtbot, "[a](references/a.md#s) [w](https://e.org/)\n", base="c/x/SKILL.md")
    said = []
    view.link_activated.connect(lambda *args: said.append(args))
    view.anchorClicked.emit(QUrl("references/a.md#s"))
    view.anchorClicked.emit(QUrl("https://e.org/"))
    view.anchorClicked.emit(QUrl("file:///etc/passwd"))
    view.anchorClicked.emit(QUrl("qrc:/x"))
    assert said == [("file", "c/x/references/a.md#s"), ("web", "https://e.org/")]
    assert view.toPlainText().strip() == "a w"


def test_own_texts_may_name_skills(view, qtbot):
    shown(view, qtbot, "[s](skill:testing)\n", own=True)
    with qtbot.waitSignal(view.link_activated, check_params_cb=lambda *args: args == ("skill", "testing")):
        view.anchorClicked.emit(QUrl("skill:testing"))


def long_page(location):
    return Page("# Top\n\n" + "Filler.\n\n" * 100 + "## Part two\n\nHere.\n", location, f"s/{location}")


def test_back_returns_to_the_scroll_place_after_an_anchor(view, qtbot):
    view.show()
    view.set_page(long_page("a.md"))
    view.verticalScrollBar().setValue(40)
    view.follow("#part-two")
    assert view.verticalScrollBar().value() > 1000
    view.back()
    assert view.verticalScrollBar().value() == 40


def test_back_asks_for_the_page_before_and_restores_its_place(view, qtbot):
    view.show()
    view.set_page(long_page("a.md"))
    view.verticalScrollBar().setValue(55)
    view.set_page(long_page("b.md"), "part-two")
    assert view.verticalScrollBar().value() > 1000
    with qtbot.waitSignal(view.location_requested) as asked:
        view.back()
    assert asked.args == ["a.md"]
    view.set_page(long_page("a.md"))
    qtbot.waitUntil(lambda: not view.busy)
    assert view.verticalScrollBar().value() == 55


def test_an_update_keeps_the_place(view, qtbot):
    view.show()
    view.set_page(long_page("a.md"))
    view.verticalScrollBar().setValue(77)
    changed = long_page("a.md")
    view.set_page(Page(changed.text + "\nMore.\n", "a.md", changed.base), keep_scroll=True)
    qtbot.waitUntil(lambda: not view.busy)
    assert view.verticalScrollBar().value() == 77
    assert "More." in view.toPlainText()


def test_a_change_of_theme_keeps_the_place(view, qtbot, theme):
    view.show()
    view.set_page(long_page("a.md"))
    view.verticalScrollBar().setValue(77)
    theme.set_choice("dark")
    qtbot.waitUntil(lambda: not view.busy)
    assert view.verticalScrollBar().value() == 77


def test_code_is_copied_whole(view, qtbot):
    shown(view, qtbot, "```python\nprint(1)\n```\n")
    view.anchorClicked.emit(QUrl("copy:0"))
    assert QGuiApplication.clipboard().text() == "print(1)\n"


@pytest.fixture
def pictures(tmp_path):
    skill = tmp_path / "library" / "pictures"
    (skill / "assets").mkdir(parents=True)
    dot = QImage(2, 2, QImage.Format.Format_RGB32)
    dot.fill(0)
    dot.save(str(skill / "assets" / "dot.png"))
    secret = QImage(40, 7, QImage.Format.Format_RGB32)
    secret.fill(0)
    secret.save(str(tmp_path / "library" / "secret.png"))
    (skill / "assets" / "link.png").symlink_to("../../secret.png")
    (skill / "assets" / "vector.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    return skill


@pytest.mark.parametrize(
    ("source", "drawn"),
    [
        ("assets/dot.png", True),
        ("http://127.0.0.1:9/a.png", False),
        ("//127.0.0.1:9/c.png", False),
        ("file:///etc/hostname", False),
        ("../secret.png", False),
        ("assets/../../secret.png", False),
        ("assets/%2e%2e/%2e%2e/secret.png", False),
        ("assets/link.png", False),
        ("assets/vector.svg", False),
        ("assets/missing.png", False),
        ("data:image/png;base64,AAAA", False),
        ("qrc:/x.png", False),
    ],
)
def test_only_pictures_inside_the_skill_are_drawn(view, qtbot, pictures, source, drawn):
    text = shown(view, qtbot, f"![alt]({source})\n", base="pictures/SKILL.md", skill="pictures", folder=pictures)
    assert ("<img" in view.toHtml()) == drawn
    assert ("alt" in text) != drawn


class CountingView(MarkdownView):
    """Counts what Qt asks for."""

    calls = 0

    def loadResource(self, kind, name):
        CountingView.calls += 1
        return super().loadResource(kind, name)


def test_blocked_pictures_are_never_asked_for(theme, qtbot):
    view = CountingView(theme)
    qtbot.addWidget(view)
    view.show()
    text = "".join(f"![p](http://127.0.0.1:9/p{n}.png) ![q](missing-{n}.png)\n\n" for n in range(28))
    for turn in range(60):
        shown(view, qtbot, text if turn % 2 else "plain\n", base="p/SKILL.md")
        view.resize(500 + turn, 300)
        view.grab()
    gc.collect()
    assert CountingView.calls == 0
    assert view.loadResource(2, QUrl("http://127.0.0.1:9/x.png")).isNull()


STRESS = {
    "big": "".join(
        f"## Part {n}\n\nSome *words* and `code`, number {n}. {'lorem ipsum ' * 20}\n\n" for n in range(17000)
    ),
    "quotes": ">" * 3000 + " deep\n",
    "lists": "".join("  " * depth + "- item\n" for depth in range(400)),
    "table": "| a | b | c |\n|---|---|---|\n" + "| one | two | three |\n" * 20000,
    "line": "x" * 2_000_000 + "\n",
    "brackets": "[" * 50_000 + "\n",
    "stars": "*a **b " * 20_000 + "\n",
    "ticks": "".join("`" * (n % 50 + 1) + "a" for n in range(20_000)) + "\n",
    "references": "".join(f"[r{n}]: http://example.org/{n}\n" for n in range(20_000))
    + "".join(f"[r{n}] " for n in range(20_000)),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name != "lists" else name for name in STRESS]
)
def test_hard_texts_never_hold_the_window_for_long(view, qtbot, name):
    view.show()
    steps = []

    def timed(step):
        def run():
            began = thread_time()
            step()
            steps.append(thread_time() - began)

        return run

    view._append_next_plain = view._append_next
    began = thread_time()
    view.set_page(Page(STRESS[name], "big.md"))
    steps.append(thread_time() - began)
    view._timer.timeout.disconnect()
    view._timer.timeout.connect(timed(view._append_next_plain))
    qtbot.waitUntil(lambda: not view.busy, timeout=40_000)
    assert max(steps) <= 0.5
    view.set_page(Page("Small body.\n", "small.md"))
    assert view.toPlainText().strip() == "Small body."
    assert not view.busy


def test_a_long_text_offers_the_rest(view, qtbot):
    text = shown(view, qtbot, "word " * 100_000, location="long.md")
    assert "This text is long (0.5 MB)" in text
    with qtbot.waitSignal(view.external_requested) as asked:
        view.anchorClicked.emit(QUrl("external:"))
    assert asked.args == ["long.md"]
    before = len(view.toPlainText())
    view.anchorClicked.emit(QUrl("more:"))
    qtbot.waitUntil(lambda: not view.busy)
    assert len(view.toPlainText()) > before + 150_000
    assert view.toPlainText().count("This text is long") == 1
