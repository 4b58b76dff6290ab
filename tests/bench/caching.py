"""How much of a review's input a prefix cache can read: a service that counts equal prefixes up to a breakpoint."""

import json
import shutil
import tempfile
from pathlib import Path

from app.cancel import CancelToken
from app.clock import system_clock
from app.cycles.home import OpenHome, home_key
from app.cycles.review import run_review
from app.cycles.start import install_sample, ready_home
from app.cycles.turn import run_turn
from app.providers.anthropic import AnthropicProvider
from app.providers.keys import KeyStore
from app.providers.values import Message, Role, Text
from app.sessions.values import MessageState
from tests.bench.made import skill_text
from tests.bench.measure import Row, tell
from tests.fakes.messages_server import MessagesServer

TOKENS = 40_000
_CHARS_PER_TOKEN = 4


def _parts(request: dict) -> list[tuple[str, bool]]:
    """The request in the order a cache sees it, each part with whether a breakpoint stands behind it."""
    parts = [(json.dumps(tool, sort_keys=True), "cache_control" in tool) for tool in request.get("tools", [])]
    system = request.get("system", [])
    blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
    for message in request["messages"]:
        content = message["content"]
        listed = [{"type": "text", "text": content}] if isinstance(content, str) else content
        blocks = [*blocks, *({"role": message["role"], **block} for block in listed)]
    for block in blocks:
        plain = {key: value for key, value in block.items() if key != "cache_control"}
        parts.append((json.dumps(plain, sort_keys=True), "cache_control" in block))
    return parts


def cached_share(requests: list[dict], first: int) -> tuple[float, int]:
    """The share of input characters read from cache over the requests from `first` on, and all their tokens."""
    written: set[tuple[str, ...]] = set()
    read = total = 0
    for number, request in enumerate(requests):
        parts = _parts(request)
        texts = tuple(text for text, _ in parts)
        ends = [place + 1 for place, (_, marked) in enumerate(parts) if marked]
        known = max((end for end in range(1, len(texts) + 1) if texts[:end] in written), default=0)
        if number >= first:
            read += sum(len(text) for text in texts[:known])
            total += sum(len(text) for text in texts)
        written.update(texts[:end] for end in ends)
    return read / total, total // _CHARS_PER_TOKEN


def main() -> None:
    """Play one turn of a long conversation and its review."""
    root = Path(tempfile.mkdtemp(prefix="melete-bench-"))
    save = {"tool": "memory", "id": "auto", "input": {"action": "add", "target": "user", "content": "Likes tables."}}
    scenario = {
        "responses": [
            {"when": {"last_user": "Review of this conversation"}, "events": [save, {"stop": "tool_use"}]},
            {"when": {"any": "tu_auto"}, "events": [{"text": "Nothing more."}, {"stop": "end_turn"}]},
        ]
    }
    try:
        home = OpenHome(home_key(root / "home", system_clock))
        ready_home(home)
        install_sample(home)
        with MessagesServer(scenario) as server:
            keys = KeyStore({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": server.url})
            provider = AnthropicProvider("m", "", keys)
            session = home.sessions.create("Long", "m").id
            number = 0
            while number * len(skill_text(0)) < TOKENS * _CHARS_PER_TOKEN:
                turn = home.sessions.start_turn(session)
                role = Role.USER if number % 2 == 0 else Role.ASSISTANT
                words = Message(role, (Text(skill_text(number)),))
                home.sessions.add_message(session, turn, words, MessageState.COMPLETE)
                number += 1
            result = _play(run_turn(home, provider, session, "I like tables. Go on.", CancelToken()))
            before = len(server.requests)
            _play(run_review(home, provider, result.snapshot, CancelToken()))
            share, tokens = cached_share(server.requests, before)
            asked = len(server.requests) - before
        home.close()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    rows = [
        Row(
            f"review of a {TOKENS:,}-token conversation, read from cache",
            f"{share * 100:.1f} % of {tokens:,} tokens in {asked} requests",
            ">= 95 %",
            share >= 0.95,
        )
    ]
    tell(rows, share=share)


def _play(generator: object) -> object:
    while True:
        try:
            next(generator)
        except StopIteration as stop:
            return stop.value


if __name__ == "__main__":
    main()
