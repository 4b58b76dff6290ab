"""The one list of what can be done on the curator page: buttons, menu, context menu and palette are made from it."""

from widgets.common.actions import ActionSpec

CURATOR_ACTIONS = (
    ActionSpec("curator.run", "Run now", "play", "", "Ageing and merging; everything waits for you", "run"),
    ActionSpec("curator.dry", "Dry run", "eye", "", "The same, but nothing is changed or filed: only a report", "run"),
    ActionSpec("curator.cancel", "Cancel the run", "stop", "", "What it found so far is kept as a proposal", "run"),
    ActionSpec("curator.pause", "Pause the schedule", "pause", "", "No run begins by itself", "plan", checkable=True),
    ActionSpec(
        "curator.settings", "Thresholds and budget…", "settings", "", "When it runs and what it may use", "plan"
    ),
    ActionSpec("curator.review", "Review the run's changes", "review", "", "What waits of the chosen run", "chosen"),
    ActionSpec("curator.graph", "Show the run in the graph", "graph", "", "Light up what it is about", "chosen"),
    ActionSpec("curator.undo", "Undo the run…", "undo", "", "Take back what was applied of it", "chosen"),
    ActionSpec(
        "curator.rollback", "Roll back to a day…", "history", "", "The library as it was, with a preview", "back"
    ),
)

#: Every id, in the order of the menu.
CURATOR_MENU = tuple(spec.id for spec in CURATOR_ACTIONS)
#: Those about a past run, for its context menu.
RUN_MENU = tuple(spec.id for spec in CURATOR_ACTIONS if spec.group in ("chosen", "back"))
