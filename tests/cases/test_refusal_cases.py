"""What a model's service can answer instead of a reply: one clear sentence each, and the words are kept."""

import json

import pytest

from tests.cases.runner import Melete

QUIET = '[review]\nmode = "off"\n'
CUT = [{"text": "The first half"}]


def failed(kind: str, status: int, message: str, wait: str = "0") -> dict[str, object]:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return {"name": kind, "times": 0, "status": status, "json": body, "headers": {"retry-after": wait}}


ANSWERS = {
    "wrong key": (failed("authentication_error", 401, "invalid x-api-key"), "key"),
    "no such model": (failed("not_found_error", 404, "model: nothing"), "model"),
    "too many requests": (failed("rate_limit_error", 429, "slow down", "3600"), "slow down"),
    "no money": (failed("invalid_request_error", 400, "Your credit balance is too low"), "credit"),
    "cut stream": ({"name": "cut", "times": 0, "events": CUT, "end": "reset"}, "connection"),
    "ends early": ({"name": "early", "times": 0, "events": CUT, "end": "ok"}, "ended"),
    "no stream at all": (
        {"name": "page", "times": 0, "status": 200, "content_type": "text/html", "body": "<html>"},
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("what", ANSWERS)
def test_each_refusal_is_one_sentence_and_the_question_is_kept(melete: Melete, service, what: str) -> None:
    melete.settings(QUIET)
    response, word = ANSWERS[what]
    service({"responses": [response], "default": response})
    answer = melete("chat", "-m", "What is three plus four?")
    assert answer.code == 1
    said = [line for line in answer.err.splitlines() if line.strip()]
    assert said, what
    assert word in said[-1].lower(), said
    for technical in ("Traceback", "bug in Melete", "{", "httpx", "Exception"):
        assert technical not in answer.err, said
    shown = melete.done("sessions", "show", answer.data["session"])
    assert "three plus four" in json.dumps(shown)
    assert len(melete.done("trajectories", "--failed")["lines"]) == 1
