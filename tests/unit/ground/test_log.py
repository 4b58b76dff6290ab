"""The log keeps what happened and no secret."""

import logging

import pytest

from app.log import start_log, stop_log


@pytest.fixture
def log(tmp_path):
    lines = start_log(tmp_path / "logs")
    yield lines
    stop_log()


def test_lines_go_to_the_file_and_to_memory_with_secrets_masked(log, tmp_path):
    logging.getLogger("app.test").info("using password=hunter2x for %s", "me")
    (line,) = [line for line in log.lines if "app.test" in line]
    assert line.endswith("using password=[REDACTED] for me")
    assert line in (tmp_path / "logs" / "melete.log").read_text(encoding="utf-8")


def test_a_traceback_is_masked_too(log, caplog):
    try:
        raise ValueError("token=abcdef123456")
    except ValueError:
        logging.getLogger("app.test").exception("failed")
    assert "abcdef123456" not in "\n".join(log.lines)
    assert "ValueError" in "\n".join(log.lines)


def test_half_a_surrogate_pair_does_not_stop_the_log(log, tmp_path):
    logging.getLogger("app.test").info("cut \ud83d off")
    assert "cut \\ud83d off" in (tmp_path / "logs" / "melete.log").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_leaves_the_log_in_memory(tmp_path):
    (tmp_path / "logs").write_text("a file")
    lines = start_log(tmp_path / "logs")
    try:
        logging.getLogger("app.test").info("still heard")
        assert lines.lines[-1].endswith("still heard")
    finally:
        stop_log()


def test_stopping_takes_away_what_starting_added(tmp_path):
    before = list(logging.getLogger().handlers)
    start_log(tmp_path)
    stop_log()
    assert logging.getLogger().handlers == before
