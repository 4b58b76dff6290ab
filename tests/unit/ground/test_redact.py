"""Secrets are masked, and what only looks like one stays. The secrets are put together here: none is real."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.redact import MASK, redact, redact_values

CASE = Path(__file__).parents[2] / "cases" / "data" / "TR-06"
FAKE = "FAKE" * 12


@pytest.fixture(scope="module")
def case():
    return json.loads(subprocess.check_output([sys.executable, str(CASE / "make_messages.py")]))


def test_the_cases_secrets_are_masked_and_its_look_alikes_stay(case):
    text = json.dumps(redact_values(case["messages"]), ensure_ascii=False)
    plain = "\n".join(_texts(redact_values(case["messages"])))
    assert [secret for secret in case["secrets"] if secret in plain or secret in text] == []
    assert [kept for kept in case["keep"] if kept not in plain] == []


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password: hunter2x", f"password: {MASK}"),
        ("password: 12345678", f"password: {MASK}"),
        ("DB_PASSWORD=p@ss;w0rd!", f"DB_PASSWORD={MASK}"),
        ("export AWS_SECRET_ACCESS_KEY=abc/def+ghi", f"export AWS_SECRET_ACCESS_KEY={MASK}"),
        ('{"api_key": "abc def ghi", "b": 1}', f'{{"api_key": "{MASK}", "b": 1}}'),
        ('"password": "abc\\"def123"', f'"password": "{MASK}"'),
        (r'-d "{\"api_key\": \"abcd1234\"}"', rf'-d "{{\"api_key\": \"{MASK}\"}}"'),
        (r"{\\\"password\\\":\\\"hunter 2x\\\"}", rf"{{\\\"password\\\":\\\"{MASK}\\\"}}"),
        ("token='abcd efgh'", f"token='{MASK}'"),
        ("postgres://me:pa55word@host/x", f"postgres://me:{MASK}@host/x"),
        ("https://x.example/?token=abcdef12&x=1", f"https://x.example/?token={MASK}&x=1"),
        ("run --password hunter2x now", f"run --password {MASK} now"),
        ("Authorization: Basic dXNlcjpwYXNz", f"Authorization: Basic {MASK}"),
        ("curl -H 'Authorization: Bearer abcdefghijkl'", f"curl -H 'Authorization: Bearer {MASK}'"),
        ("Bearer abcdef0123456789", f"Bearer {MASK}"),
        ('accessToken: "zzzzzzzz"', f'accessToken: "{MASK}"'),
        ("AccountKey=abcdefgh==;Next=1", f"AccountKey={MASK}"),
        ("s" + "k-ant-api03-" + FAKE, MASK),
        ("(gh" + "p_" + FAKE + ")", f"({MASK})"),
        ("glpat-" + FAKE, MASK),
        ("xox" + "b-1234567890-" + FAKE, MASK),
        ("AI" + "za" + FAKE, MASK),
        ("-----BEGIN " + "OPENSSH PRIVATE KEY-----\nabc\nno end", MASK),
        ("a -----BEGIN " + "RSA PRIVATE KEY-----\nx\n-----END " + "RSA PRIVATE KEY----- b", f"a {MASK} b"),
        ("1234567890:AA" + "F" * 33, MASK),
    ],
)
def test_secrets_are_masked(text, masked):
    assert redact(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "basic authentication is not bearer authentication",
        "max_tokens: 200000, token_count=1234567, tokens: 1,234,567",
        "tokenizer = PreTrainedTokenizerFast",
        'api_key = os.environ["SERVICE"]',
        "api_key: ANTHROPIC_API_KEY",
        "token = get_token(user)",
        "password=args.password",
        "password: ${DB_PASS} or <your password> or None",
        r'"{\"token_name\": \"${TOKEN}\", \"key\": \"abcdefgh\"}"',
        "commit 3f2a9c1d4e5b6a7980f1e2d3c4b5a69788776655",
        "uuid 123e4567-e89b-12d3-a456-426614174000",
        "skill-name-with-many-parts-and-numbers-2026",
        "sk-learn, ask-codex-for-a-long-thing-2026, risk-assessment-procedure-2026",
        "http://localhost:8080/path@x and a@b.example",
        "2026-06-01T12:00:00+00:00 12:AABB",
    ],
)
def test_what_only_looks_like_a_secret_stays(text):
    assert redact(text) == text


def test_values_under_telling_keys_are_masked_whole_and_the_shape_stays():
    value = {
        "password": "a b",
        "max_tokens": "4096",
        "count": 3,
        "nested": {"apiKey": ["x y z", None], "ok": True},
        "list": ("gh" + "p_" + FAKE, 1.5),
        "s" + "k-ant-" + FAKE: "v",
    }
    assert redact_values(value) == {
        "password": MASK,
        "max_tokens": "4096",
        "count": 3,
        "nested": {"apiKey": [MASK, None], "ok": True},
        "list": [MASK, 1.5],
        MASK: "v",
    }


@given(st.text())
def test_masking_again_changes_nothing_more(text):
    once = redact(f"password=abcdef12 {text}")
    assert redact(once) == once


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "a.",
        "eyJ-",
        "sk-",
        "token",
        "password=",
        "a://b:",
        'token="\\a',
        "-----BEGIN ",
        "bearer ",
        "token_",
        "\n ",
        "_",
    ],
)
def test_long_hostile_texts_take_linear_time(unit):
    small, large = unit * (20_000 // len(unit)), unit * (200_000 // len(unit))
    began = time.process_time()
    redact(small)
    short = max(time.process_time() - began, 0.005)
    began = time.process_time()
    redact(large)
    assert time.process_time() - began < 40 * short


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
