"""The chat page: a turn from the first letter to its end, following, proposals, the composer."""

import json

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QPushButton
from sample_chat import change, proposal, stored, turns

from app.agent.values import (
    Ending,
    MessageAdded,
    Stalled,
    TextArrived,
    ThinkingArrived,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    Waiting,
    Withdrawn,
)
from app.errors import Failure
from app.proposals.values import ProposalState
from app.providers.values import Message, Role, Text, ToolResult, ToolUse, Usage
from app.sessions.values import MessageState
from widgets.chat.card import AnswerCard, YouCard
from widgets.chat.error_card import ErrorCard
from widgets.chat.items import NoteItem
from widgets.chat.note_line import NoteLine
from widgets.chat.proposal_card import ProposalCard
from widgets.chat.rich_text import RichText
from widgets.chat.thinking import ThinkingFold
from widgets.chat.tool_line import ToolLine

CALL = ToolUse("c1", "skill_manage", {"action": "patch", "name": "one"})
OVERLOADED = json.dumps({"title": "Overloaded", "text": "Try again.", "detail": "529", "retry": True})
DONE = TurnEnded(Ending.DONE, Usage(10, 5))


def answer(text):
    return MessageAdded(Message(Role.ASSISTANT, (Text(text),)))


def cards(pane, kind):
    return [card for card in pane._transcript.cards if isinstance(card, kind)]


def press(qtbot, widget, word):
    button = next(item for item in widget.findChildren(QPushButton) if item.text() == word)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def write(qtbot, pane, text):
    pane._composer.setFocus()
    pane._composer.setPlainText(text)
    qtbot.keyClick(pane._composer, Qt.Key.Key_Return)


def test_enter_sends_and_the_text_stays_until_it_was_taken(qtbot, pane):
    with qtbot.waitSignal(pane.send_requested) as told:
        write(qtbot, pane, "hello")
    assert told.args == ["hello"]
    assert pane.draft == "hello"
    pane.start_turn("hello")
    assert pane.draft == ""
    assert pane.running
    assert len(cards(pane, YouCard)) == 1


def test_shift_enter_breaks_the_line(qtbot, pane):
    pane._composer.setPlainText("a")
    with qtbot.assertNotEmitted(pane.send_requested):
        qtbot.keyClick(pane._composer, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert "\n" in pane.draft


def test_blank_text_is_not_sent(qtbot, pane):
    with qtbot.assertNotEmitted(pane.send_requested):
        write(qtbot, pane, "  \n ")


def test_the_composer_grows_to_eight_lines(pane):
    heights = []
    for lines in (1, 4, 8, 30):
        pane._composer.setPlainText("\n".join("x" * lines))
        heights.append(pane._composer.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_up_brings_back_what_was_sent_and_down_the_draft(qtbot, pane):
    for text in ("one", "two"):
        pane.start_turn(text)
        pane.apply(DONE)
    pane._composer.setPlainText("draft")
    pane._composer.setFocus()
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(pane._composer, key)
        seen.append(pane.draft)
    assert seen == ["two", "one", "two", "draft"]


def test_at_completes_a_skill_and_enter_takes_it_without_sending(qtbot, pane):
    pane.set_skills(("testing-python", "release-notes"))
    pane._composer.setFocus()
    qtbot.waitUntil(pane._composer.hasFocus)
    pane._composer.insertPlainText("see @tes")
    assert pane._composer._list.isVisible()
    with qtbot.assertNotEmitted(pane.send_requested):
        qtbot.keyClick(pane._composer, Qt.Key.Key_Return)
    assert pane.draft == "see @testing-python "


@pytest.mark.parametrize(("text", "name"), [("/new", "new_requested"), ("/review", "review_requested")])
def test_commands_ask_for_what_they_say(qtbot, pane, text, name):
    pane._composer.setPlainText(text)
    with qtbot.waitSignal(getattr(pane, name)):
        pane._composer.submit()
    assert pane.draft == ""


def test_help_lists_the_commands_and_an_unknown_one_is_not_sent(qtbot, pane):
    pane._composer.setPlainText("/help")
    pane._composer.submit()
    assert "/review" in cards(pane, AnswerCard)[0].shown
    pane._composer.setPlainText("/nonsense")
    with qtbot.assertNotEmitted(pane.send_requested):
        pane._composer.submit()
    assert pane.draft == "/nonsense"


def test_streamed_text_is_gathered_and_drawn_whole(qtbot, pane):
    pane.start_turn("go")
    for piece in ("**bo", "ld** wo", "rds\n\n", "more"):
        pane.apply(TextArrived(piece))
    qtbot.waitUntil(lambda: bool(cards(pane, AnswerCard)))
    pane.apply(answer("**bold** words\n\nmore"))
    pane.apply(DONE)
    (card,) = cards(pane, AnswerCard)
    assert card.text == "**bold** words\n\nmore"
    assert card.shown.split() == ["bold", "words", "more"]
    assert not pane.running


def test_a_provider_without_deltas_is_shown_too(qtbot, pane):
    pane.start_turn("go")
    pane.apply(answer("whole at once"))
    pane.apply(DONE)
    assert [card.text for card in cards(pane, AnswerCard)] == ["whole at once"]


def test_code_and_table_are_complete_after_a_stream_of_small_pieces(qtbot, pane):
    text = "Before\n\n```python\n" + "\n".join(f"x_{at} = {at}" for at in range(120)) + "\n```\n\n"
    text += "| a | b |\n|---|---|\n" + "\n".join(f"| r{at} | v{at} |" for at in range(40)) + "\n\nAfter"
    pane.start_turn("go")
    for start in range(0, len(text), 7):
        pane.apply(TextArrived(text[start : start + 7]))
        if start % 210 == 0:
            pane._live.draw()
    pane.apply(answer(text))
    pane.apply(DONE)
    (card,) = cards(pane, AnswerCard)
    qtbot.waitUntil(lambda: not card.busy)
    assert card.text == text
    shown = card.shown
    assert shown.count("x_119") == 1
    assert shown.count("r39") == 1
    assert "```" not in shown
    assert shown.rstrip().endswith("After")


def test_a_long_table_has_its_rows_once_and_no_empty_head_after_it(qtbot, pane):
    text = "| col | b |\n|---|---|\n" + "\n".join(f"| row{at} | v |" for at in range(260)) + "\n\nAfter\n"
    pane.add_message(stored(1, Role.ASSISTANT, text))
    (card,) = cards(pane, AnswerCard)
    qtbot.waitUntil(lambda: not card.busy)
    words = card.shown.split()
    assert [word for word in words if word.startswith("row")] == [f"row{at}" for at in range(260)]
    assert words[-3:] == ["row259", "v", "After"]


def test_a_finished_block_is_never_drawn_again(qtbot, pane):
    pane.start_turn("go")
    pane.apply(TextArrived("first\n\n"))
    pane._live.draw()
    (card,) = cards(pane, AnswerCard)
    blocks = []
    view = card._body._views[0]
    real = view._append
    view._append = lambda markdown: (blocks.append(markdown), real(markdown))
    for at in range(30):
        pane.apply(TextArrived(f"w{at} "))
        pane._live.draw()
    assert len(blocks) == 30
    assert not any("first" in block for block in blocks)


def test_withdrawn_text_disappears_and_comes_only_once(qtbot, pane):
    pane.start_turn("go")
    pane.apply(TextArrived("half an ans"))
    pane._live.draw()
    pane.apply(Withdrawn())
    assert cards(pane, AnswerCard) == []
    pane.apply(TextArrived("whole"))
    pane.apply(answer("whole"))
    pane.apply(DONE)
    assert [card.text for card in cards(pane, AnswerCard)] == ["whole"]


def test_waiting_and_stalling_are_said_and_forgotten(pane):
    pane.start_turn("go")
    pane.apply(Waiting(2, 12.0, "The service is overloaded."))
    assert "overloaded" in pane._status.text()
    assert "12 s" in pane._status.text()
    pane.apply(Stalled(30.0))
    assert "30 s" in pane._status.text()
    pane.apply(TextArrived("x"))
    assert pane._status.text() == ""
    pane.apply(DONE)


def test_escape_and_the_button_stop_only_a_running_turn(qtbot, pane):
    with qtbot.assertNotEmitted(pane.stop_requested):
        qtbot.keyClick(pane, Qt.Key.Key_Escape)
    pane.start_turn("go")
    with qtbot.waitSignal(pane.stop_requested):
        qtbot.keyClick(pane, Qt.Key.Key_Escape)
    with qtbot.waitSignal(pane.stop_requested):
        qtbot.mouseClick(pane._foot._stop, Qt.MouseButton.LeftButton)
    pane.apply(TurnEnded(Ending.STOPPED))
    assert not pane._foot._stop.isVisible()


def test_a_stopped_answer_keeps_its_text_and_says_so(qtbot, pane):
    pane.start_turn("go")
    pane.apply(TextArrived("as far as"))
    pane.apply(TurnEnded(Ending.STOPPED, reason="Stopped."))
    (card,) = cards(pane, AnswerCard)
    assert card.text == "as far as"
    assert card._state.text() == "Stopped here."


def test_a_failure_is_a_card_with_retry_until_the_next_turn(qtbot, pane):
    pane.start_turn("go")
    pane.apply(TurnEnded(Ending.FAILED))
    pane.add_message(stored(2, Role.ASSISTANT, "x", kind="error", data=OVERLOADED))
    (card,) = cards(pane, ErrorCard)
    with qtbot.waitSignal(pane.retry_requested):
        press(qtbot, card, "Try again")
    pane.resume_turn()
    assert len(cards(pane, YouCard)) == 1
    assert not card._retry.isVisible()
    pane.apply(DONE)


def test_a_conversation_opened_again_offers_to_try_its_last_failure_only(pane):
    failed = [stored(number, Role.ASSISTANT, "x", kind="error", data=OVERLOADED) for number in (2, 4)]
    pane.set_messages((stored(1, Role.USER, "go"), failed[0], stored(3, Role.USER, "again"), failed[1]))
    old, new = cards(pane, ErrorCard)
    assert not hasattr(old, "_retry")
    assert new._retry.isVisible()


@pytest.mark.parametrize(
    ("last", "title"),
    [
        (stored(2, Role.ASSISTANT, "half", state=MessageState.INTERRUPTED), "Interrupted"),
        (stored(2, Role.USER, "and?"), "No answer"),
        (stored(2, Role.ASSISTANT, CALL), "No answer"),
    ],
)
def test_what_was_left_without_an_answer_says_so_and_can_be_tried_again(pane, last, title):
    pane.set_messages((stored(1, Role.USER, "go"), last))
    (card,) = cards(pane, ErrorCard)
    assert card._item.title == title
    assert card._retry.isVisible()


def test_what_waits_and_is_not_sent_goes_back_into_the_composer(pane):
    pane.start_turn("first")
    pane.queue_text("second")
    pane.queue_text("third")
    pane.set_draft("fourth")
    pane.take_back("second\n\nthird")
    assert pane.draft == "second\n\nthird\n\nfourth"
    assert [card._item.text for card in cards(pane, YouCard)] == ["first"]
    pane.apply(DONE)


def test_two_texts_that_waited_begin_one_turn_without_new_cards(pane):
    pane.start_turn("first")
    pane.queue_text("second")
    pane.queue_text("third")
    pane.apply(DONE)
    pane.start_turn("second\n\nthird")
    assert [card._item.text for card in cards(pane, YouCard)] == ["first", "second", "third"]
    pane.apply(DONE)


def test_words_that_joined_the_running_turn_no_longer_wait(pane):
    pane.start_turn("first")
    pane.queue_text("hurry")
    pane.apply(MessageAdded(Message(Role.USER, (ToolResult("c1", "skill_view", "x"), Text("hurry")))))
    pane.apply(DONE)
    pane.start_turn("hurry")
    assert [card._item.text for card in cards(pane, YouCard)] == ["first", "hurry", "hurry"]
    pane.apply(DONE)


MIXED = "One.\n\n- a\n- b\n\nTwo.\n\n```py\nx\n```\n\nThree.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nFour.\n"


def gaps(card):
    """Every line of text outside of tables with the room below it, and how high the empty lines are."""
    found = []
    for view in card.findChildren(RichText):
        block = view.document().begin()
        while block.isValid():
            form = block.blockFormat()
            if QTextCursor(block).currentTable() is None:
                found.append((block.text().strip(), form.bottomMargin() if block.text() else form.lineHeight()))
            block = block.next()
    return found


def test_an_answer_looks_the_same_whether_it_streamed_or_was_stored(qtbot, pane):
    pane.set_messages((stored(1, Role.USER, "go"), stored(2, Role.ASSISTANT, MIXED)))
    (whole,) = cards(pane, AnswerCard)
    qtbot.waitUntil(lambda: not whole.busy)
    pane.start_turn("again")
    for start in range(0, len(MIXED), 5):
        pane.apply(TextArrived(MIXED[start : start + 5]))
        pane._live.draw()
    pane.apply(answer(MIXED))
    pane.apply(DONE)
    streamed = cards(pane, AnswerCard)[-1]
    qtbot.waitUntil(lambda: not streamed.busy)
    assert [line for line in gaps(streamed) if line[0]] == [line for line in gaps(whole) if line[0]]
    assert {height for text, height in (*gaps(streamed), *gaps(whole)) if not text} <= {8}


def test_a_caret_stands_behind_the_last_letter_while_the_answer_is_written(qtbot, pane):
    pane.start_turn("go")
    pane.apply(TextArrived("Some words"))
    pane._live.draw()
    (card,) = cards(pane, AnswerCard)
    view = card.findChild(RichText)

    def there():
        spot = view.cursorRect(view._end()).center() + QPoint(5, 0)
        return view.grab().toImage().pixelColor(spot) == view.theme.colour("accent")

    qtbot.waitUntil(there)
    pane.apply(DONE)
    assert not there()


def test_the_bar_in_the_head_shows_how_full_the_models_window_is(pane):
    meter = pane._header._context
    pane.set_window(1_000)
    pane.start_turn("go")
    pane.apply(TurnEnded(Ending.DONE, Usage(100, 20), context=850))
    assert meter.isVisible()
    assert meter.toolTip() == "Context: 850 of 1,000 tokens"
    assert meter._parts == ((0.85, "warn"),)
    pane.set_session(None)
    assert not meter.isVisible()
    pane.start_turn("basic mode counts nothing")
    pane.apply(DONE)
    assert not meter.isVisible()


def test_a_card_is_as_high_as_its_wrapped_words(qtbot, pane):
    pane.resize(320, 600)
    pane.show_failure(Failure("The key was refused", "Check the key for this service in the settings. " * 4))
    (card,) = cards(pane, ErrorCard)
    qtbot.waitUntil(lambda: card.height() >= card.heightForWidth(card.width()) > 0)


def test_text_that_could_not_be_sent_comes_back(pane):
    pane.show_failure(Failure("No key", "Enter one.", action="settings.model"), "my words")
    assert pane.draft == "my words"
    assert len(cards(pane, ErrorCard)) == 1


def test_words_written_during_a_turn_are_shown_once(qtbot, pane):
    pane.start_turn("first")
    pane.queue_text("second")
    pane.apply(answer("reply"))
    pane.apply(DONE)
    pane.start_turn("second")
    assert [card._item.text for card in cards(pane, YouCard)] == ["first", "second"]
    pane.apply(DONE)


def test_a_call_is_one_line_that_opens(qtbot, pane):
    pane.start_turn("go")
    pane.apply(ToolStarted(CALL, "one"))
    (line,) = cards(pane, ToolLine)
    assert line.head.text() == "Skill change  one"
    pane.apply(ToolEnded(CALL, ToolResult("c1", "skill_manage", "Patched."), 0.04, entry="e9"))
    assert line.facts.toolTip() == "Patched. · 40 ms"
    assert line.body is None
    line.head.setChecked(True)
    qtbot.waitUntil(line.body.isVisible)
    with qtbot.waitSignal(pane.undo_requested) as told:
        press(qtbot, line, "Undo")
    assert told.args == ["e9"]
    pane.set_undone("e9")
    assert line.facts.text() == "undone"
    pane.apply(DONE)


def test_parallel_calls_keep_their_own_results(pane):
    other = ToolUse("c2", "skill_view", {"name": "two"})
    pane.start_turn("go")
    for call in (CALL, other):
        pane.apply(ToolStarted(call))
    pane.apply(ToolEnded(other, ToolResult("c2", "skill_view", "second", is_error=True)))
    pane.apply(ToolEnded(CALL, ToolResult("c1", "skill_manage", "first")))
    assert [line.facts.toolTip() for line in cards(pane, ToolLine)] == ["first", "second"]
    pane.apply(DONE)


def test_a_huge_result_is_cut_and_copied_whole(qtbot, pane):
    huge = "x" * 2_000_000
    pane.start_turn("go")
    pane.apply(ToolEnded(CALL, ToolResult("c1", "skill_manage", huge)))
    pane.apply(DONE)
    (line,) = cards(pane, ToolLine)
    line.head.setChecked(True)
    pane.grab()
    line.copy()
    assert QGuiApplication.clipboard().text() == huge


def test_reasoning_is_folded_and_grows(qtbot, pane):
    pane.start_turn("go")
    pane.apply(ThinkingArrived("first "))
    pane._live.draw()
    pane.apply(ThinkingArrived("second"))
    pane._live.draw()
    (fold,) = cards(pane, ThinkingFold)
    fold.head.setChecked(True)
    assert fold.body.toPlainText() == "first second"
    pane.apply(DONE)


def test_a_review_line_opens_its_diff_undoes_and_holds(qtbot, pane):
    data = json.dumps({"entries": ["e1", "e2"], "icon": "brain"})
    pane.add_message(stored(1, Role.ASSISTANT, "Self-improvement review: learned", kind="review", data=data))
    (line,) = cards(pane, NoteLine)
    with qtbot.waitSignal(pane.diff_requested) as told:
        press(qtbot, line, "Show the diff")
    assert told.args == ["e1"]
    undone = []
    pane.undo_requested.connect(undone.append)
    press(qtbot, line, "Undo")
    assert undone == ["e2", "e1"]
    pane.set_undone("e1")
    assert line._undo.isEnabled()
    pane.set_undone("e2")
    assert not line._undo.isEnabled()
    with qtbot.waitSignal(pane.hold_requested):
        line._ask_hold()


def test_the_buttons_of_a_run_are_whole_in_a_narrow_chat(qtbot, theme):
    line = NoteLine(theme, NoteItem("Curator: 2 skills wait.", "curator", (), ("p",), run="r"))
    qtbot.addWidget(line)
    line.resize(170, 300)
    line.show()
    buttons = line.findChildren(QPushButton)
    assert (line.width(), len(buttons)) == (170, 2)
    assert all(one.width() >= one.sizeHint().width() for one in buttons)
    assert all(line.rect().contains(one.geometry()) for one in buttons)


def test_a_waiting_change_can_be_approved_only_after_its_diff_was_shown(qtbot, pane):
    pane.set_proposals((proposal(change(files=())),))
    pane.start_turn("go")
    pane.apply(ToolEnded(CALL, ToolResult("c1", "skill_manage", "waiting"), proposal="p1"))
    pane.apply(DONE)
    (card,) = cards(pane, ProposalCard)
    assert not card._approve.isEnabled()
    with qtbot.waitSignal(pane.details_requested) as told:
        press(qtbot, card, "Diff")
    assert told.args == ["p1"]
    pane.show_proposal(proposal())
    assert card._approve.isEnabled()
    with qtbot.waitSignal(pane.approve_requested) as told:
        press(qtbot, card, "Approve")
    assert told.args == ["p1", ("c1",), {"c1": "r"}]
    pane.set_proposals((proposal(state=ProposalState.APPLIED),))
    assert not card._approve.isVisible()
    assert card._state.text == "applied"


def test_a_new_revision_has_to_be_looked_at_again(qtbot, pane):
    pane.set_proposals((proposal(),))
    pane.start_turn("go")
    pane.apply(ToolEnded(CALL, ToolResult("c1", "skill_manage", "waiting"), proposal="p1"))
    pane.apply(DONE)
    (card,) = cards(pane, ProposalCard)
    press(qtbot, card, "Diff")
    assert card._approve.isEnabled()
    pane.set_proposals((proposal(change(result="other")),))
    assert not card._approve.isEnabled()


def test_rejecting_asks_for_a_reason_in_place(qtbot, pane):
    pane.set_proposals((proposal(),))
    pane.add_message(stored(1, Role.ASSISTANT, "held", kind="review", data=json.dumps({"proposals": ["p1"]})))
    (card,) = cards(pane, ProposalCard)
    press(qtbot, card, "Reject")
    card._reason.setText("too narrow")
    with qtbot.waitSignal(pane.reject_requested) as told:
        qtbot.keyClick(card._reason, Qt.Key.Key_Return)
    assert told.args == ["p1", ("c1",), "too narrow"]


def test_at_the_end_the_view_follows_and_scrolled_up_it_stays(qtbot, long_chat):
    pane, bar = long_chat, long_chat._transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    pane.start_turn("go")
    pane.apply(TextArrived("words " * 200))
    pane._live.draw()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    bar.setValue(bar.maximum() - 900)
    place = bar.value()
    pane.apply(TextArrived("\n\nmore words " * 60))
    pane._live.draw()
    high = bar.maximum()
    pane.apply(TextArrived("\n\nand more " * 60))
    pane._live.draw()
    qtbot.waitUntil(lambda: bar.maximum() > high)
    assert bar.value() == place
    assert pane._transcript._jump.isVisible()
    qtbot.mouseClick(pane._transcript._jump, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    assert not pane._transcript._jump.isVisible()
    pane.apply(DONE)


def test_a_resize_at_the_end_stays_at_the_end(qtbot, long_chat):
    bar = long_chat._transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    long_chat.resize(300, 420)
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())


@pytest.mark.slow
def test_a_very_long_conversation_shows_its_end_and_offers_the_rest(qtbot, pane):
    pane.set_messages(turns(1000))
    assert len(pane._transcript.cards) <= 10
    qtbot.waitUntil(lambda: not pane._earlier.busy)
    shown = len(pane._transcript.cards)
    assert shown == 40
    assert pane._transcript._earlier.text() == "Show earlier (1,960)"
    pane._transcript.earlier_requested.emit()
    qtbot.waitUntil(lambda: not pane._earlier.busy)
    assert len(pane._transcript.cards) == shown + 60


def test_earlier_entries_do_not_move_what_is_read(qtbot, pane):
    pane.set_messages(turns(60))
    qtbot.waitUntil(lambda: not pane._earlier.busy)
    bar = pane._transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)
    bar.setValue(200)
    read = next(card for card in pane._transcript.cards if card.y() + card.height() > 200)
    before, high = read.y() - bar.value(), bar.maximum()
    pane._transcript.earlier_requested.emit()
    qtbot.waitUntil(lambda: not pane._earlier.busy)
    qtbot.waitUntil(lambda: bar.maximum() > high + 1000)
    qtbot.waitUntil(lambda: read.y() - bar.value() == before)


def test_the_model_and_the_cost_are_shown(pane):
    assert pane._header._model.text() == "Basic mode"
    assert pane._pages.kind == "empty"
    pane.set_usage(Usage(1200, 300, 8000, 0, 0.05))
    assert pane._header._usage.text() == "9.2k ↑  300 ↓  $0.05"
    pane.start_turn("go")
    pane.apply(DONE)
    assert pane._header._usage.text().startswith("9.2k ↑  305 ↓")


def test_basic_mode_offers_to_connect_a_model(qtbot, pane):
    with qtbot.waitSignal(pane.connect_requested):
        pane._pages.state.action_requested.emit("connect")


def test_another_conversation_forgets_the_running_one(qtbot, pane):
    pane.start_turn("go")
    pane.apply(TextArrived("half"))
    pane.set_session(None)
    assert pane._transcript.cards == ()
    assert not pane.running


def test_links_are_passed_on_and_never_followed(qtbot, pane):
    pane.add_message(stored(1, Role.ASSISTANT, "[a](https://example.org) [b](javascript:x)"))
    (card,) = cards(pane, AnswerCard)
    view = card._body._views[0]
    with qtbot.waitSignal(pane.link_activated) as told:
        view.anchorClicked.emit("https://example.org")
    assert told.args == ["web", "https://example.org"]
    assert "javascript" in view.toPlainText()


def test_a_change_of_theme_draws_the_cards_again(qtbot, pane, theme):
    pane.set_messages(turns(2))
    qtbot.waitUntil(lambda: not pane._earlier.busy)
    before = [card.shown for card in cards(pane, AnswerCard)]
    theme.changed.emit()
    assert [card.shown for card in cards(pane, AnswerCard)] == before


def test_local_files_are_asked_for_by_their_paths_and_text_is_put_in(qtbot, pane):
    files, text = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("/tmp/a.txt"), QUrl("https://example.org/b.txt")])
    text.setText("plain")
    assert pane._composer.canInsertFromMimeData(files)
    with qtbot.waitSignal(pane.files_dropped) as told:
        pane._composer.insertFromMimeData(files)
    assert told.args == [("/tmp/a.txt",)]
    assert pane.draft == ""
    pane._composer.insertFromMimeData(text)
    assert pane.draft == "plain"
