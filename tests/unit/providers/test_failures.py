from types import ModuleType

import httpx2
import pytest

from app.providers.failures import Reason, classify, classify_status, retry_after

REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1/messages")


@pytest.fixture
def sdk() -> ModuleType:
    """The SDK, which takes seconds to load: only where it is needed."""
    import anthropic

    return anthropic


@pytest.mark.parametrize(
    ("status", "kind", "said", "reason"),
    [
        (200, "overloaded_error", "Overloaded", Reason.OVERLOADED),
        (529, "overloaded_error", "Overloaded", Reason.OVERLOADED),
        (529, "", "", Reason.OVERLOADED),
        (429, "rate_limit_error", "slow down", Reason.RATE_LIMIT),
        (401, "authentication_error", "invalid x-api-key", Reason.AUTH),
        (403, "permission_error", "", Reason.AUTH),
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", Reason.CONTEXT_OVERFLOW),
        (400, "invalid_request_error", "Your credit balance is too low", Reason.BILLING),
        (400, "invalid_request_error", "Invalid `signature` in `thinking` block", Reason.THINKING_SIGNATURE),
        (400, "invalid_request_error", "messages: roles must alternate", Reason.FORMAT),
        (400, "", "rate limit: too many tokens, context length", Reason.RATE_LIMIT),
        (402, "", "", Reason.BILLING),
        (404, "not_found_error", "model: nope", Reason.MODEL_NOT_FOUND),
        (413, "request_too_large", "", Reason.TOO_LARGE),
        (500, "api_error", "Internal", Reason.SERVER_ERROR),
        (503, "", "", Reason.SERVER_ERROR),
        (504, "", "", Reason.TIMEOUT),
        (302, "", "", Reason.FORMAT),
    ],
)
def test_an_error_answer_has_a_reason(status, kind, said, reason):
    assert classify_status(status, kind, said).reason == reason


def test_the_sentence_quotes_the_service_and_names_no_status_or_class():
    found = classify_status(200, "overloaded_error", "Overloaded")
    assert "“Overloaded”" in found.text
    assert "200" not in found.title + found.text
    assert "Error" not in found.title + found.text
    assert found.retry


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (httpx2.ReadTimeout("slow", request=REQUEST), Reason.TIMEOUT),
        (httpx2.ReadError("reset", request=REQUEST), Reason.INCOMPLETE),
        (httpx2.RemoteProtocolError("peer closed", request=REQUEST), Reason.INCOMPLETE),
        (httpx2.ConnectError("refused", request=REQUEST), Reason.CONNECTION),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), Reason.INCOMPLETE),
        (ValueError("?"), Reason.UNKNOWN),
    ],
)
def test_an_error_of_the_network_or_the_client_has_a_reason(error, reason):
    assert classify(error).reason == reason


@pytest.mark.parametrize(
    ("name", "reason"), [("APIConnectionError", Reason.CONNECTION), ("APITimeoutError", Reason.TIMEOUT)]
)
def test_an_error_of_the_sdk_has_a_reason(sdk, name, reason):
    assert classify(getattr(sdk, name)(request=REQUEST)).reason == reason


def test_a_failed_certificate_is_told_apart_from_a_failed_connection(sdk):
    error = sdk.APIConnectionError(request=REQUEST)
    error.__cause__ = httpx2.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed", request=REQUEST)
    found = classify(error)
    assert found.reason == Reason.CERTIFICATE
    assert not found.retry


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_the_services_wish_to_wait_is_read_from_either_header(headers, seconds):
    assert retry_after(headers) == seconds
