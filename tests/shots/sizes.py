"""Pictures of the library's pages with 0, 1, 60 and 5,000 skills: `python -m tests.shots.sizes OUT_DIR [COUNT…]`."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.paths import resources_dir
from app.window import make_application
from tests.bench.beat import rest, wait_until
from tests.bench.made import make_library, skill_id, skill_text
from tests.shots.__main__ import Studio
from widgets.common.theme import Theme
from widgets.library.skill_page import TABS

COUNTS = (0, 1, 60, 5000)
SIZES = ((900, 600), (1280, 800))


def pages(studio: Studio, count: int) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every page about skills by name, with what brings it up."""
    window, panes = studio.window, studio.window.panes
    if count:
        for tab in TABS:
            yield tab, lambda tab=tab: (window.steering.open_skill(skill_id(0)), panes.skill.show_tab(tab))
    else:
        yield "skill", lambda: panes.frame.show_page("skill")
    for view in ("steps", "then", "lost"):
        yield f"history-{view}", lambda view=view: (panes.frame.show_page("history"), panes.history.show_view(view))
    yield "columns", lambda: panes.library.head.columns_action.setChecked(True)
    yield "filtered", lambda: panes.library.set_filter("tag:nothing-has-this")


def facets(studio: Studio, name: str) -> None:
    """The panel of facets, which is a window of its own."""
    head = studio.window.panes.library.head
    head._on_facets()
    rest(0.3)
    studio.shoot(name, head.facets)
    head.facets.hide()


def shoot_all(count: int, theme: Theme, out: Path) -> None:
    """All pages of a library of this size, in light and dark, small and large."""
    root = Path(tempfile.mkdtemp(prefix="melete-sizes-"))
    try:
        (root / "home" / "skills").mkdir(parents=True)
        (root / "home" / "skills" / ".keep").touch()
        if count:
            make_library(root / "home", count)
        studio = Studio(root / "home", theme, out)
        panes = studio.window.panes
        if count:
            path = root / "home" / "skills" / skill_id(0) / "SKILL.md"
            path.write_text(skill_text(0, "- One more line.\n"), encoding="utf-8")
            rest(3.0)
        for choice in ("light", "dark"):
            theme.set_choice(choice)
            for width, height in SIZES:
                studio.resize(width, height)
                for name, show in pages(studio, count):
                    show()
                    wait_until(lambda: not studio.window.services.library.scanning, 60)
                    rest(0.6)
                    panes.notices.clear()
                    studio.shoot(f"{count}-{name}-{choice}-{width}")
                    panes.library.head.columns_action.setChecked(False)
                    panes.library.set_filter("")
            facets(studio, f"{count}-facets-{choice}")
        studio.close()
    finally:
        shutil.rmtree(root, ignore_errors=True)


def main() -> None:
    """Take all pictures."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "out/sizes")
    out.mkdir(parents=True, exist_ok=True)
    app = make_application()
    theme = Theme(resources_dir(), "light")
    theme.apply()
    for count in [int(word) for word in sys.argv[2:]] or COUNTS:
        shoot_all(count, theme, out)
    sys.stdout.write(f"{len(list(out.glob('*.png')))} pictures in {out}\n")
    app.quit()


if __name__ == "__main__":
    main()
