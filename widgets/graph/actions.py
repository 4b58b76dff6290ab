"""The one list of what can be done on the graph page: tool bar, menu, keys and palette are made from it."""

from widgets.common.actions import ActionSpec

GRAPH_ACTIONS = (
    ActionSpec("graph.fit", "Show everything", "fit", "0", "", "view", scope="widget"),
    ActionSpec("graph.in", "Zoom in", "zoom-in", "+", "", "view", scope="widget"),
    ActionSpec("graph.out", "Zoom out", "zoom-out", "-", "", "view", scope="widget"),
    ActionSpec("graph.legend", "Legend and filter", "eye", "G", "", "parts", checkable=True, scope="widget"),
    ActionSpec("graph.table", "Table beside the graph", "table", "T", "", "parts", checkable=True, scope="widget"),
    ActionSpec(
        "graph.time", "Through time…", "clock", "H", "The library as it was", "parts", checkable=True, scope="widget"
    ),
    ActionSpec("graph.play", "Play the history", "play", "P", "", "parts", scope="widget"),
    ActionSpec("graph.labels", "Names: few, many, none", "tag", "N", "", "look", scope="widget"),
    ActionSpec("graph.group", "Group by: category, state, author", "rows", "B", "", "look", scope="widget"),
    ActionSpec("graph.absorbed", "Relation: absorbed into", "", "1", "", "kinds", checkable=True, scope="widget"),
    ActionSpec("graph.related", "Relation: related", "", "2", "", "kinds", checkable=True, scope="widget"),
    ActionSpec("graph.mention", "Relation: mentions", "", "3", "", "kinds", checkable=True, scope="widget"),
    ActionSpec("graph.proposed", "Relation: proposed", "", "4", "", "kinds", checkable=True, scope="widget"),
    ActionSpec(
        "graph.unlit", "Light everything up again", "", "U", "After a run was highlighted", "lit", scope="widget"
    ),
)

#: Every id, in the order of the menu.
GRAPH_MENU = tuple(spec.id for spec in GRAPH_ACTIONS)
