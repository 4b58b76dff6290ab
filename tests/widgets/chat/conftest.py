"""A chat pane, empty and full."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from sample_chat import turns

from widgets.chat.pane import ChatPane


@pytest.fixture
def pane(qtbot, theme):
    made = ChatPane(theme)
    qtbot.addWidget(made)
    made.resize(380, 600)
    made.set_model("Basic mode", "It has no language model.", basic=True)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()


@pytest.fixture
def long_chat(qtbot, pane):
    """A pane with more than fits, everything drawn."""
    pane.set_messages(turns(16))
    qtbot.waitUntil(lambda: not pane._earlier.busy)
    qtbot.waitUntil(lambda: pane._transcript.verticalScrollBar().maximum() > 0)
    return pane
