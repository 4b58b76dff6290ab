"""Settings: the user's file keeps everything that is not ours, and a bad value is told, never obeyed."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import AppError, Kind
from app.settings import SECTIONS, Settings, load_settings, save_settings, settings_from, with_value


def test_no_file_means_the_defaults(tmp_path):
    assert load_settings(tmp_path / "melete.toml") == Settings()


def test_only_what_differs_is_written_and_read_back(tmp_path):
    path = tmp_path / "melete.toml"
    settings = with_value(with_value(Settings(), "memory", "memory_limit", 3000), "library", "folders", ["/a", "/b"])
    save_settings(path, settings)
    assert path.read_text() == '[memory]\nmemory_limit = 3000\n[library]\nfolders = ["/a", "/b"]\n' or (
        load_settings(path) == settings and "theme" not in path.read_text()
    )
    assert load_settings(path) == settings


def test_comments_order_unknown_keys_and_line_ends_survive(tmp_path):
    path = tmp_path / "melete.toml"
    raw = b'\xef\xbb\xbf# mine\r\n[future]\r\nx = 1 # why\r\n\r\n[memory]\r\nuser_limit = 900\r\nother = "y"\r\n'
    path.write_bytes(raw)
    save_settings(path, with_value(load_settings(path), "memory", "user_limit", 901))
    assert path.read_bytes() == raw.replace(b"900", b"901")


def test_a_value_set_back_to_its_default_is_written_where_it_stood(tmp_path):
    path = tmp_path / "melete.toml"
    path.write_text("[memory]\nuser_limit = 900\n")
    save_settings(path, Settings())
    assert path.read_text() == "[memory]\nuser_limit = 1375\n"


def test_a_broken_file_is_told_kept_and_replaced(tmp_path):
    path = tmp_path / "melete.toml"
    for number, broken in enumerate(["[memory\n", "= 3\n", "[memory\n"]):
        path.write_text(broken)
        loaded = load_settings(path)
        assert len(loaded.problems) == 1
        assert (loaded.memory, loaded.model) == (Settings().memory, Settings().model)
        save_settings(path, with_value(Settings(), "memory", "user_limit", 900 + number))
    assert (tmp_path / "melete.toml.broken").read_text() == "[memory\n"
    assert (tmp_path / "melete.toml.broken-2").read_text() == "= 3\n"
    assert load_settings(path).memory.user_limit == 902


def test_a_linked_file_is_written_where_it_lies(tmp_path):
    real = tmp_path / "dotfiles" / "melete.toml"
    real.parent.mkdir()
    real.write_text("# kept\n")
    (tmp_path / "melete.toml").symlink_to(real)
    save_settings(tmp_path / "melete.toml", with_value(Settings(), "appearance", "theme", "dark"))
    assert (tmp_path / "melete.toml").is_symlink()
    assert real.read_text().startswith("# kept\n")
    assert load_settings(real).appearance.theme == "dark"


def test_a_folder_in_the_files_place_is_a_sentence(tmp_path):
    (tmp_path / "melete.toml").mkdir()
    assert len(load_settings(tmp_path / "melete.toml").problems) == 1
    with pytest.raises(AppError) as caught:
        save_settings(tmp_path / "melete.toml", with_value(Settings(), "appearance", "theme", "dark"))
    assert caught.value.kind in (Kind.STORAGE, Kind.INVALID)


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("memory", "memory_limit", "many"),
        ("memory", "memory_limit", 10**9),
        ("memory", "memory_limit", 2200.5),
        ("memory", "memory_limit", True),
        ("memory", "memory_limit", float("nan")),
        ("curator", "archive_after_days", 0),
        ("curator", "archive_after_days", -1),
        ("curator", "archive_after_days", float("inf")),
        ("trajectories", "record", "yes"),
        ("model", "provider", "sometimes"),
        ("library", "folders", "/a"),
        ("library", "folders", [1]),
        ("model", "name", 7),
    ],
)
def test_a_value_that_does_not_fit_falls_back_and_is_named(section, key, value):
    settings = settings_from({section: {key: value}})
    assert len(settings.problems) == 1
    assert f"{section}.{key}" in settings.problems[0]
    assert getattr(getattr(settings, section), key) == getattr(getattr(Settings(), section), key)
    with pytest.raises(AppError) as caught:
        with_value(Settings(), section, key, value)
    assert caught.value.kind is Kind.INVALID


def test_a_section_that_is_none_is_named():
    assert settings_from({"memory": 3}).problems == ("[memory] is not a section. The defaults are used.",)


def test_a_section_that_is_a_plain_value_in_the_file_is_replaced_on_saving(tmp_path):
    path = tmp_path / "melete.toml"
    path.write_text("memory = 3\n")
    save_settings(path, with_value(Settings(), "memory", "user_limit", 900))
    assert load_settings(path).memory.user_limit == 900


@pytest.mark.parametrize("text", ['[review]\nmode = "Off"\n', 'review = "off"\n', "[review]\nmode = 'off\n"])
def test_what_works_by_itself_is_off_when_its_setting_cannot_be_read(tmp_path, text):
    path = tmp_path / "melete.toml"
    path.write_text(text)
    settings = load_settings(path)
    assert settings.review.mode == "off"
    assert "off" in settings.problems[0].rpartition(":")[2]


def test_a_link_that_leads_nowhere_is_no_missing_file(tmp_path):
    path = tmp_path / "melete.toml"
    path.symlink_to(tmp_path / "unmounted" / "melete.toml")
    found = load_settings(path)
    assert (found.review.mode, found.curator.enabled) == ("off", False)
    assert found.problems == (
        "melete.toml is a link that leads nowhere. The defaults are used; review.mode and curator.enabled are off.",
    )


def test_every_option_says_what_it_is_for():
    for name in SECTIONS:
        for item in fields(getattr(Settings(), name)):
            assert item.metadata["label"]
            assert item.metadata["help"].endswith(".")


@given(folders=st.lists(st.text(max_size=20), max_size=4), limit=st.integers(200, 100_000), on=st.booleans())
def test_what_is_saved_is_what_is_loaded(tmp_path_factory, folders, limit, on):
    path = tmp_path_factory.mktemp("settings") / "melete.toml"
    settings = with_value(with_value(Settings(), "memory", "memory_limit", limit), "curator", "enabled", on)
    settings = with_value(settings, "library", "folders", folders)
    save_settings(path, settings)
    assert load_settings(path) == settings
