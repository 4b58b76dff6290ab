import pytest

from app.agent.recovery import MAX_ATTEMPTS, Retry, Stop, plan
from app.providers.failures import Reason, failure


def test_pauses_double_from_three_quarters_of_a_second_and_end():
    overloaded = failure(Reason.OVERLOADED)
    pauses = [plan(overloaded, attempt) for attempt in range(1, MAX_ATTEMPTS + 1)]
    assert pauses == [Retry(0.75), Retry(1.5), Retry(3.0), Retry(6.0), Retry(12.0), Stop(overloaded)]


def test_the_services_own_wish_counts_when_it_is_longer():
    assert plan(failure(Reason.RATE_LIMIT), 1, 20.0) == Retry(20.0)
    assert plan(failure(Reason.RATE_LIMIT), 1, 0.1) == Retry(0.75)


def test_a_wish_of_many_minutes_is_told_not_waited_for():
    what = plan(failure(Reason.RATE_LIMIT), 1, 1800.0)
    assert isinstance(what, Stop)
    assert "30 minutes" in what.failure.text
    assert what.failure.retry


@pytest.mark.parametrize("reason", [Reason.AUTH, Reason.FORMAT, Reason.CERTIFICATE, Reason.CONTENT_POLICY])
def test_what_cannot_get_better_is_not_tried_again(reason):
    assert plan(failure(reason), 1) == Stop(failure(reason))


def test_refused_reasoning_is_left_out_once():
    assert plan(failure(Reason.THINKING_SIGNATURE), 1) == Retry(0.75, without_thinking=True)
    assert isinstance(plan(failure(Reason.THINKING_SIGNATURE), 2), Stop)
