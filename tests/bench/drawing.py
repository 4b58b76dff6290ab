"""The graph of thousands of nodes: layout beside a live window, and the time of one frame while it moves."""

import sys
import time
from pathlib import Path

from app.bridge.graph import GraphService
from app.clock import system_clock
from app.cycles.home import OpenHome
from app.paths import Home, resources_dir
from app.settings import LibrarySettings
from app.skills.scan import scan
from app.window import collect_seldom, make_application
from tests.bench.beat import Beat, idle_beat, rest, wait_until
from tests.bench.measure import Row, ms, percentile, tell
from widgets.common.theme import Theme
from widgets.graph.pane import GraphPane
from widgets.graph.view import PictureView

FRAMES = 120


def _no_home() -> OpenHome:
    """The picture is drawn from a library that was read already; no past is asked for."""
    raise AssertionError("the history was asked for")


def main() -> None:
    """Measure the library of the home given as the only argument."""
    app = make_application()
    theme = Theme(resources_dir(), "light")
    theme.apply()
    library = scan(Home(Path(sys.argv[1])), LibrarySettings(), system_clock)
    collect_seldom()
    idle = idle_beat(2.0)
    pane = GraphPane(theme)
    pane.resize(1280, 800)
    pane.show()
    rest(0.3)
    took, late = [], []
    for _ in range(3):
        service = GraphService(_no_home)
        graphs, layouts = [], []
        service.graph_ready.connect(graphs.append)
        service.graph_ready.connect(pane.set_graph)
        service.layout_ready.connect(layouts.append)
        service.layout_ready.connect(pane.set_layout)
        with Beat() as beat:
            began = time.perf_counter()
            service.set_library(library)
            wait_until(lambda found=layouts: bool(found))
            took.append(time.perf_counter() - began)
            rest(0.5)
        late.append(beat.late)
        service.lane.shut_down()
    view = pane.findChild(PictureView)
    frames = []
    for number in range(FRAMES):
        if number % 2:
            view.move_to(view.camera.panned(5, 3))
        else:
            view.zoom(1.02 if number % 4 else 0.99)
        began = time.perf_counter()
        view.repaint()
        frames.append(time.perf_counter() - began)
    nodes = len(graphs[-1].nodes)
    calm = min(late, key=max)
    p95 = percentile(frames, 95)
    rows = [
        Row(f"graph of {nodes} nodes: layout", f"{min(took):.2f} s", "<= 1.5 s", min(took) <= 1.5),
        Row(
            "… the window meanwhile",
            f"p99 {ms(percentile(calm, 99))}, worst {ms(max(calm))}",
            "p99 <= 50, worst <= 200 ms",
            percentile(calm, 99) <= 0.05 and max(calm) <= 0.2,
            f"idle bare window p99 {ms(percentile(idle, 99))}, worst {ms(max(idle))}",
        ),
        Row("… pan and zoom, 1280 x 800", f"p95 {ms(p95)} a frame", "<= 16 ms", p95 <= 0.016),
    ]
    tell(rows, layout=min(took), frame=p95)
    app.quit()


if __name__ == "__main__":
    main()
