"""Texts of skills in the window: what is rendered, what is never loaded, what a click may do, and very long ones."""

import gc
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QColor, QDesktopServices, QImage, QTextDocument

from app.providers.scripted import ScriptedProvider, says
from tests.flows.conftest import Heartbeat
from widgets.chat.card import AnswerCard
from widgets.chat.rich_text import RichText
from widgets.common.markdown_view import MarkdownView

FRONT = "---\nname: {name}\ndescription: UNIQUEDESC of {name}.\n---\n"


def view(window) -> MarkdownView:
    return window.panes.skill.read.pane.view


def read(shop, window, skill_id: str, marker: str) -> MarkdownView:
    """Open a skill and wait until its text stands in the Read tab."""
    window.steering.open_skill(skill_id)
    window.panes.skill.show_tab("read")
    shown = view(window)
    shop.wait(lambda: marker in shown.toPlainText() and shown.page.skill == skill_id)
    return shown


def test_front_matter_is_never_part_of_the_text(shop):
    plain = FRONT.format(name="plain-head") + "\n# Title\n\nBody.\n"
    shop.put("plain-head", text=plain)
    (shop.skills / "plain-head" / "references").mkdir()
    (shop.skills / "plain-head" / "references" / "with-head.md").write_text("---\ntitle: Reference\n---\n\nInside.\n")
    shop.put("crlf-head", text="")
    (shop.skills / "crlf-head" / "SKILL.md").write_bytes(
        plain.replace("plain-head", "crlf-head").replace("\n", "\r\n").encode()
    )
    shop.put("bom-head", text="\ufeff" + plain.replace("plain-head", "bom-head"))
    rule = FRONT.format(name="body-rule") + "\n# Title\n\nAbove.\n\n---\n\n## Second\n\nBelow.\n"
    shop.put("body-rule", text=rule)
    window = shop.open()
    for skill_id in ("plain-head", "crlf-head", "bom-head"):
        shown = read(shop, window, skill_id, "Body.")
        assert "UNIQUEDESC" not in shown.toPlainText()
        assert shown.toPlainText().lstrip().startswith("Title")
    shown = read(shop, window, "body-rule", "Below.")
    levels = []
    block = shown.document().begin()
    while block.isValid():
        levels.append(block.blockFormat().headingLevel())
        block = block.next()
    assert 2 in levels
    assert "<hr" in shown.toHtml()
    read(shop, window, "plain-head", "Body.")
    window.panes.skill.read._on_link("file", "plain-head/references/with-head.md")
    shop.wait(lambda: "Inside." in view(window).toPlainText())
    assert "title: Reference" not in view(window).toPlainText()


class Hits(BaseHTTPRequestHandler):
    """Counts every request."""

    seen: ClassVar[list[str]] = []

    def do_GET(self):
        self.seen.append(self.path)
        self.send_error(404)

    def log_message(self, *_):
        """Nothing on the terminal."""


@pytest.fixture
def hits():
    Hits.seen = []
    server = HTTPServer(("127.0.0.1", 0), Hits)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def picture(path, size, colour) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    assert image.save(str(path))


@pytest.mark.slow
def test_pictures_come_from_inside_the_skill_only_and_the_loader_is_asked_a_bounded_number_of_times(
    shop, hits, monkeypatch
):
    port = hits.server_address[1]
    body = (
        f"\n![remote](http://127.0.0.1:{port}/a.png)\n\n![inside](assets/dot.png)\n\n![above](../secret.png)\n\n"
        f"![file](file://{shop.skills}/secret.png)\n\n![link](assets/link.png)\n\n<img src='http://127.0.0.1:{port}/b'>\n\nEND\n"
    )
    folder = shop.put("pictures", text=FRONT.format(name="pictures") + body)
    shop.put("plain-one", text=FRONT.format(name="plain-one") + "\nPlain body.\n")
    picture(folder / "assets" / "dot.png", (2, 2), "red")
    picture(shop.skills / "secret.png", (40, 7), "blue")
    (folder / "assets" / "link.png").symlink_to("../../secret.png")
    asked = []
    real = MarkdownView.loadResource

    def counted(self, kind, name):
        asked.append(QUrl(name).toString())
        return real(self, kind, name)

    monkeypatch.setattr(MarkdownView, "loadResource", counted)
    window = shop.open()
    shown = read(shop, window, "pictures", "END")
    sizes = {
        shown.document().resource(QTextDocument.ResourceType.ImageResource, QUrl(name)).size().toTuple()
        for name in dict.fromkeys(asked)
    }
    assert (40, 7) not in sizes
    for word in ("remote", "above", "file"):
        assert word in shown.toPlainText()
    for number in range(25):
        window.panes.frame.resize(1000 + number % 7 * 20, 700)
        shown.viewport().repaint()
    assert len(asked) <= 10 * 6
    for _ in range(3):
        asked.clear()
        read(shop, window, "plain-one", "Plain body.")
        read(shop, window, "pictures", "END")
        gc.collect()
        assert len(asked) <= 10 * 6
    assert Hits.seen == []


class Browser(QObject):
    """Takes addresses instead of the system's browser."""

    def __init__(self):
        super().__init__()
        self.opened = []

    @Slot(QUrl)
    def take(self, url):
        self.opened.append(url.toString())


@pytest.fixture
def browser():
    taken = Browser()
    for scheme in ("http", "https", "mailto", "file", "ftp", "smb", "ms-settings", "javascript"):
        QDesktopServices.setUrlHandler(scheme, taken, "take")
    yield taken
    for scheme in ("http", "https", "mailto", "file", "ftp", "smb", "ms-settings", "javascript"):
        QDesktopServices.unsetUrlHandler(scheme)


LINKS = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "file:scripts/run.sh",
    "qrc:/icons/x.svg",
    "smb://host/share",
    "//host/share",
    "ms-settings:privacy",
    "vscode://file/etc/passwd",
    "data:text/html,<b>x</b>",
    "scripts/run.sh",
    "../../../etc/passwd",
    "references/a.md",
    "http://example.org/page",
    "https://example.org/page",
    "mailto:someone@example.org",
]


WEB = LINKS[-3:]


def test_a_click_opens_web_addresses_in_the_browser_texts_inside_and_nothing_else(shop, browser):
    canary = shop.root / "CANARY_EXECUTED"
    body = "\n".join(f"- [link {n}](<{href}>)" for n, href in enumerate(LINKS))
    folder = shop.put("links", text=FRONT.format(name="links") + f"\n{body}\n\nEND\n")
    (folder / "references").mkdir()
    (folder / "references" / "a.md").write_text("Inside A.\n")
    (folder / "scripts").mkdir()
    (folder / "scripts" / "run.sh").write_text(f"#!/bin/sh\ntouch {canary}\n")
    (folder / "scripts" / "run.sh").chmod(0o755)
    window = shop.open(lambda home: ScriptedProvider([says(body + "\n\nEND")]))
    for href in LINKS:
        shown = read(shop, window, "links", "END")
        shown.anchorClicked.emit(QUrl(href))
        if href in ("references/a.md", "scripts/run.sh"):
            shop.wait(lambda: any(word in view(window).toPlainText() for word in ("Inside A.", "touch")))
            shown.back()
        shop.wait(lambda: "END" in view(window).toPlainText())
    assert browser.opened == WEB
    assert not canary.exists()


def test_links_of_a_chat_answer_open_web_addresses_in_the_browser_and_nothing_else(shop, browser):
    body = "\n".join(f"- [link {n}](<{href}>)" for n, href in enumerate(LINKS))
    shop.put("links", text=FRONT.format(name="links") + "\nText.\n")
    shop.settings('[review]\nmode = "off"\n')
    window = shop.open(lambda home: ScriptedProvider([says(f"{body}\n\nEND")]))
    shop.say(window, "Give me links.")
    (answer,) = [card for card in window.panes.chat._transcript.cards if isinstance(card, AnswerCard)]
    shop.wait(lambda: not answer.busy and "END" in answer.shown)
    views = answer.findChildren(RichText)
    drawn = {name for shown in views for name in anchors(shown)}
    assert drawn == set(WEB)
    before = answer.shown
    for href in LINKS:
        views[0].anchorClicked.emit(QUrl(href))
    assert browser.opened == WEB
    assert answer.shown == before


def anchors(shown) -> set[str]:
    """Where the links of a text view lead."""
    found = set()
    block = shown.document().begin()
    while block.isValid():
        for part in block:
            if part.fragment().charFormat().isAnchor():
                found.add(part.fragment().charFormat().anchorHref())
        block = block.next()
    return found - {""}


def test_relative_links_lead_to_the_right_place_and_back_to_the_old_one(shop):
    lines = "".join(f"Line {n}.\n\n" for n in range(120))
    links = "[one](references/one.md) [gone](references/gone.md) [end](#the-end)"
    main = f"\n# Guide\n\n{lines}\n{links}\n\n## The end\n\nLast.\n"
    folder = shop.put("guide-book", text=FRONT.format(name="guide-book") + main)
    shop.put("plain-one", text=FRONT.format(name="plain-one") + "\nPlain body.\n")
    (folder / "references").mkdir()
    (folder / "references" / "one.md").write_text("# One\n\nText one. [two](two.md) [up](../../plain-one/SKILL.md)\n")
    (folder / "references" / "two.md").write_text("# Two\n\nText two.\n")
    window = shop.open()
    shown = read(shop, window, "guide-book", "Last.")
    shop.wait(lambda: not shown.busy)
    bar = shown.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    shown.follow("references/one.md")
    shop.wait(lambda: "Text one." in shown.toPlainText())
    shown.follow("two.md")
    shop.wait(lambda: "Text two." in shown.toPlainText())
    shown.back()
    shop.wait(lambda: "Text one." in shown.toPlainText())
    shown.back()
    shop.wait(lambda: "Last." in shown.toPlainText() and abs(bar.value() - place) < 40)
    shown.follow("references/gone.md")
    shop.wait(lambda: "missing" in window.panes.skill.read.pane.remark)
    assert "Last." in shown.toPlainText()
    shown.follow("#the-end")
    shop.wait(lambda: bar.value() > place)
    shown.follow("references/one.md")
    shop.wait(lambda: "Text one." in shown.toPlainText())
    shown.follow("../../plain-one/SKILL.md")
    shop.wait(lambda: window.steering.current == "plain-one")
    shop.wait(lambda: [skill.id for skill in window.panes.library.selected] == ["plain-one"])


HARD = {
    "big-5mb": "".join(
        f"## Part {n}\n\nSome *words* and `code`, {n}. {'lorem ipsum ' * 20}\n\n" for n in range(17_000)
    ),
    "nested-quotes": ">" * 3000 + " deep\n",
    "nested-lists": "".join("  " * n + "- item\n" for n in range(400)),
    "big-table": "| a | b | c |\n|---|---|---|\n" + "| one | two | three |\n" * 20_000,
    "long-line": "x" * 2_000_000 + "\n",
    "brackets": "[" * 50_000 + "\n",
    "stars": "*a **b " * 20_000 + "\n",
    "backticks": "".join("`" * (n % 50 + 1) + "a" for n in range(20_000)) + "\n",
    "refs": "".join(f"[r{n}]: http://example.org/{n}\n" for n in range(20_000))
    + "\n"
    + "".join(f"[r{n}] " for n in range(20_000)),
}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_texts_that_are_hard_to_lay_out_never_hold_up_the_window(shop, styled):
    for name, body in HARD.items():
        shop.put(name, text=FRONT.format(name=name) + "\n" + body)
    shop.put("plain-one", text=FRONT.format(name="plain-one") + "\nPlain body.\n")
    window = shop.open()
    read(shop, window, "plain-one", "Plain body.")
    gaps = {}
    for name in HARD:
        with Heartbeat() as heart:
            window.steering.open_skill(name)
            shop.wait(lambda n=name: view(window).page.skill == n)
            shop.wait(lambda: not view(window).busy, 60)
            read(shop, window, "plain-one", "Plain body.")
        gaps[name] = round(heart.largest - heart.machine, 2)
        assert view(window).toPlainText().strip() == "Plain body."
    assert max(gaps.values()) <= 0.5, gaps
    window.steering.open_skill("big-5mb")
    shop.wait(lambda: view(window).page.skill == "big-5mb")
