"""The one list of what can be done on the review page: its menu, its context menu, its keys and its palette entries."""

from widgets.common.actions import ActionSpec

REVIEW_ACTIONS = (
    ActionSpec(
        "review.approve", "Approve", "check", "A", "Write the chosen changes to the library", "decide", scope="widget"
    ),
    ActionSpec(
        "review.edit", "Edit…", "edit", "E", "Edit the proposed text, then approve it", "decide", scope="widget"
    ),
    ActionSpec(
        "review.reject", "Reject…", "close", "R", "Say no; the same is not proposed again", "decide", scope="widget"
    ),
    ActionSpec("review.revise", "Ask to revise…", "chat", "V", "Send it back with a note", "decide", scope="widget"),
    ActionSpec(
        "review.reopen", "Reopen", "undo", "O", "Put a rejected proposal back into the inbox", "decide", scope="widget"
    ),
    ActionSpec(
        "review.batch", "Approve several…", "list", "B", "What was opened, or a whole class", "decide", scope="widget"
    ),
    ActionSpec(
        "review.next", "Later, next proposal", "arrow-down", "J", "Leave it waiting and go on", "walk", scope="widget"
    ),
    ActionSpec("review.previous", "Previous proposal", "arrow-up", "K", "", "walk", scope="widget"),
    ActionSpec("review.next_change", "Next change of it", "", "Shift+J", "", "walk", scope="widget"),
    ActionSpec("review.previous_change", "Previous change of it", "", "Shift+K", "", "walk", scope="widget"),
    ActionSpec("review.next_part", "Next part of the diff", "chevron-down", "N", "", "parts", scope="widget"),
    ActionSpec("review.previous_part", "Previous part of the diff", "chevron-up", "P", "", "parts", scope="widget"),
    ActionSpec(
        "review.part", "Take or leave this part", "", "X", "Only the chosen parts are written", "parts", scope="widget"
    ),
    ActionSpec(
        "review.whole", "Show unchanged lines", "list", "L", "Open or close every fold", "parts", scope="widget"
    ),
)

#: Every id, in the order of the menu.
REVIEW_MENU = tuple(spec.id for spec in REVIEW_ACTIONS)
