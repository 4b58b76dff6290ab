"""The chat pane: opening a long conversation, and 200 tokens a second streaming into it."""

import random
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QTimer

from app.agent.values import Ending, TextArrived, TurnEnded
from app.paths import resources_dir
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState, StoredMessage
from app.window import collect_seldom, make_application
from tests.bench.beat import Beat, idle_beat, rest
from tests.bench.made import WEIGHTS, WORDS
from tests.bench.measure import Row, ms, percentile, tell, timed
from widgets.chat.pane import ChatPane
from widgets.common.theme import Theme

MESSAGES = 2000
RATE = 200
SECONDS = 6


def _messages() -> tuple[StoredMessage, ...]:
    pick = random.Random(3)
    now = datetime.now(UTC)
    found = []
    for number in range(MESSAGES):
        role = Role.USER if number % 2 == 0 else Role.ASSISTANT
        words = pick.choices(WORDS, WEIGHTS, k=20 if role is Role.USER else 90)
        text = " ".join(words)
        if role is Role.ASSISTANT:
            text = f"## {words[0]}\n\n{text}\n\n- `{words[1]}`\n- **{words[2]}**\n\n```sh\n{words[3]} --all\n```\n"
        found.append(
            StoredMessage(
                id=number + 1,
                session="s",
                turn=f"t{number // 2}",
                message=Message(role, (Text(text),)),
                state=MessageState.COMPLETE,
                kind="message",
                data="",
                at=now - timedelta(seconds=MESSAGES - number),
            )
        )
    return tuple(found)


def main() -> None:
    """Measure the pane alone in a window of its own."""
    app = make_application()
    theme = Theme(resources_dir(), "light")
    theme.apply()
    collect_seldom()
    idle = idle_beat(2.0)
    pane = ChatPane(theme)
    pane.resize(420, 800)
    pane.show()
    rest(0.3)
    messages = _messages()

    def opened() -> None:
        pane.set_messages(messages)
        pane.grab()

    openings = [timed(opened)[0] for _ in range(3)]
    rest(0.5)
    pane.start_turn("Tell me everything.")
    words = iter(random.Random(4).choices(WORDS, WEIGHTS, k=RATE * SECONDS))
    feed = QTimer()
    feed.setInterval(1000 // RATE)

    def give() -> None:
        word = next(words, None)
        if word is None:
            feed.stop()
        else:
            pane.apply(TextArrived(f"{word} " if len(word) % 9 else f"{word}.\n\n- "))

    feed.timeout.connect(give)
    with Beat() as beat:
        feed.start()
        rest(SECONDS + 1)
    pane.apply(TurnEnded(Ending.DONE))
    rest(0.3)
    p99 = percentile(beat.late, 99)
    rows = [
        Row(f"open a conversation of {MESSAGES:,} messages", ms(min(openings)), "<= 300 ms", min(openings) <= 0.3),
        Row(
            f"stream {RATE} tokens/s into it",
            f"p99 {ms(p99)}, worst {ms(max(beat.late))}",
            "p99 <= 16 ms",
            p99 <= 0.016,
            f"idle bare window p99 {ms(percentile(idle, 99))}, worst {ms(max(idle))}",
        ),
    ]
    tell(rows, open=min(openings), p99=p99)
    app.quit()


if __name__ == "__main__":
    main()
