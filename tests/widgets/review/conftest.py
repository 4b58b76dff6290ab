"""A review page with two proposals, whose details come when they are asked for."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from sample_review import curator, light, review

from widgets.review.pane import ReviewPane


@pytest.fixture
def pane(qtbot, theme):
    with theme.undressed():  # half the time
        made = ReviewPane(theme)
    qtbot.addWidget(made)
    made.resize(1000, 640)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()


@pytest.fixture
def full(pane):
    """The page with its proposals; the newest (a review) is shown."""
    known = {item.id: item for item in (curator(), review())}
    pane.details_requested.connect(lambda number: pane.show_details(known[number]))
    pane.set_proposals([light(item) for item in known.values()])
    return pane
