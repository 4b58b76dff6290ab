"""The user's settings: frozen values with help and ranges, read from and written back to `melete.toml`.

Unknown keys, comments and order in the file survive a save. A value that cannot be used falls back to its default and
is reported as a problem, never silently; what works and spends by itself is off then, since the user may have switched
it off (`unread`). Each field's metadata feeds the settings dialog and the README's table.
"""

import tomllib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.errors import AppError, Kind
from app.files import read_plain_file, write_atomic

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_MARK = b"\xef\xbb\xbf"


def _option(default: Any, label: str, text: str, **more: Any) -> Any:  # noqa: ANN401 - dataclass field factory
    return field(default=default, metadata={"label": label, "help": text, **more})


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which model answers."""

    provider: str = _option(
        "auto",
        "Provider",
        "auto: Anthropic when ANTHROPIC_API_KEY is set, else the built-in engine, which needs no key and no network.",
        choices=("auto", "builtin", "anthropic"),
    )
    name: str = _option("claude-sonnet-5-5", "Model", "The model's name as the provider spells it.")
    base_url: str = _option("", "Base URL", "Empty for the provider's own; any server that speaks the Messages API.")
    max_tokens: int = _option(8192, "Longest answer", "Tokens one answer may have.", low=256, high=200_000)
    context_tokens: int = _option(
        200_000,
        "Context window",
        "Tokens the model can read at once; the bar above the chat counts against it.",
        low=1_000,
        high=10_000_000,
    )
    max_iterations: int = _option(50, "Steps per turn", "How many times a turn may call the model.", low=1, high=200)
    stall_seconds: float = _option(30.0, "Stall notice", "Seconds without progress until a notice.", low=2, high=600)
    timeout_seconds: float = _option(
        300.0, "Give up", "Seconds without progress until the turn fails.", low=5, high=3600
    )


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """What is learned from a turn, and how it is told."""

    mode: str = _option(
        "tell",
        "After each turn",
        "tell: apply and say so. hold: wait for approval. off: learn nothing.",
        choices=("tell", "hold", "off"),
        unread="off",
    )
    every_turns: int = _option(1, "Cadence", "Review after this many turns.", low=1, high=100)
    max_iterations: int = _option(16, "Steps per review", "How many times a review may call the model.", low=1, high=64)


@dataclass(frozen=True, slots=True)
class CuratorSettings:
    """When the library is curated, and what waits for approval."""

    enabled: bool = _option(True, "Curator", "Look after the library on a schedule.", unread=False)
    interval_hours: float = _option(168.0, "Every (hours)", "Time between two runs.", low=1, high=8760)
    min_idle_hours: float = _option(
        2.0, "Idle for (hours)", "A run starts only after this long without use.", low=0.1, high=168
    )
    stale_after_days: float = _option(30.0, "Stale after (days)", "Without use for this long: stale.", low=1, high=3650)
    archive_after_days: float = _option(
        90.0, "Archive after (days)", "Without use for this long: archive.", low=1, high=3650
    )
    min_age_days: float = _option(
        14.0, "Youngest (days)", "Younger skills are neither merged nor archived.", low=1, high=365
    )
    archive: str = _option(
        "ask",
        "Archiving by age",
        "ask: every archive waits for approval. automatic: archive without asking.",
        choices=("ask", "automatic"),
    )
    consolidate: bool = _option(True, "Merge siblings", "Let a run propose umbrellas for narrow skills.")
    max_iterations: int = _option(200, "Steps per run", "How many times a run may call the model.", low=1, high=2000)
    max_tokens: int = _option(
        0, "Tokens per run", "A run stops after this many tokens and keeps what it did. 0: no limit.", low=0, high=10**9
    )
    max_cost_usd: float = _option(
        0.0, "Dollars per run", "A run stops after this much and keeps what it did. 0: no limit.", low=0, high=10**4
    )


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """Where skills are read from."""

    folders: tuple[str, ...] = _option((), "Further folders", "Listed and watched, never written.")
    disabled: tuple[str, ...] = _option((), "Disabled skills", "Ids that are not offered to the agent.")
    poll_seconds: float = _option(
        10.0, "Polling", "Seconds between looks where live watching is limited.", low=1, high=300
    )
    catalogue_chars: int = _option(
        24_000, "Catalogue budget", "Characters the skill list may take in a prompt.", low=500, high=500_000
    )
    file_limit_mb: float = _option(2.0, "History limit (MB)", "Larger files are listed as not kept.", low=0.1, high=100)


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """How much is remembered."""

    memory_limit: int = _option(2200, "MEMORY.md limit", "Characters.", low=200, high=100_000)
    user_limit: int = _option(1375, "USER.md limit", "Characters.", low=200, high=100_000)


@dataclass(frozen=True, slots=True)
class TrajectorySettings:
    """What is recorded of a conversation."""

    record: bool = _option(True, "Record trajectories", "Append each turn to a file, secrets masked.")
    folder: str = _option("", "Folder", "Empty for the home's own.")


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How text is found."""

    engine: str = _option("auto", "Engine", "auto: FTS5 where SQLite has it.", choices=("auto", "fts5", "fts4"))


@dataclass(frozen=True, slots=True)
class AppearanceSettings:
    """How the window looks."""

    theme: str = _option("system", "Theme", "Light, dark, or as the system.", choices=("system", "light", "dark"))


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one home. `problems` are sentences about values that could not be used."""

    model: ModelSettings = ModelSettings()
    review: ReviewSettings = ReviewSettings()
    curator: CuratorSettings = CuratorSettings()
    library: LibrarySettings = LibrarySettings()
    memory: MemorySettings = MemorySettings()
    trajectories: TrajectorySettings = TrajectorySettings()
    search: SearchSettings = SearchSettings()
    appearance: AppearanceSettings = AppearanceSettings()
    problems: tuple[str, ...] = ()


SECTIONS = tuple(item.name for item in fields(Settings) if item.name != "problems")


def load_settings(path: Path) -> Settings:
    """Read the settings; a missing file gives the defaults, a broken one the defaults and a problem."""
    try:
        text = read_plain_file(path).decode("utf-8-sig")
    except FileNotFoundError:
        return _unread(f"{path.name} is a link that leads nowhere.") if path.is_symlink() else Settings()
    except (OSError, UnicodeDecodeError) as error:
        return _unread(f"{path.name} cannot be read ({error}).")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return _unread(f"{path.name} is not valid TOML ({error}). Fix the file.")
    return settings_from(data)


def settings_from(data: Mapping[str, Any]) -> Settings:
    """Build settings from plain values, checking type and range of each."""
    problems: list[str] = []
    sections = {}
    for name in SECTIONS:
        default = getattr(Settings(), name)
        given = data.get(name, {})
        if not isinstance(given, Mapping):
            default = _cautious(name)
            problems.append(f"[{name}] is not a section. {_instead(name)}")
            given = {}
        known = {item.name: item for item in fields(default)}
        values = {
            key: _checked(name, known[key], value, getattr(default, key), problems)
            for key, value in given.items()
            if key in known
        }
        sections[name] = replace(default, **values)
    return Settings(**sections, problems=tuple(problems))


def _unread(problem: str) -> Settings:
    """The settings of a file that nothing can be read from."""
    return Settings(**{name: _cautious(name) for name in SECTIONS}, problems=(f"{problem} {_instead(*SECTIONS)}",))


def _cautious(section: str) -> Any:  # noqa: ANN401 - the section's own class
    """A section's defaults, with what works by itself switched off."""
    plain = getattr(Settings(), section)
    return replace(plain, **dict(_unread_values(section)))


def _unread_values(section: str) -> list[tuple[str, Any]]:
    known = fields(getattr(Settings(), section))
    return [(item.name, item.metadata["unread"]) for item in known if "unread" in item.metadata]


def _instead(*sections: str) -> str:
    """What is used where nothing could be read, in words."""
    off = [f"{section}.{key}" for section in sections for key, _ in _unread_values(section)]
    if not off:
        return "The defaults are used."
    return f"The defaults are used; {' and '.join(off)} {'is' if len(off) == 1 else 'are'} off."


def save_settings(path: Path, settings: Settings) -> None:
    """Write every value that differs from its default, or stands in the file already; the rest of the file is kept.

    A file that is not valid TOML is kept as `melete.toml.broken` before a new one is written. A linked file is written
    where it really lies. Raises AppError(STORAGE, INVALID) when it cannot be written.
    """
    import tomlkit  # noqa: PLC0415 - writes what reading does without, and is needed once in a while

    path = path.resolve()
    document, mark = _read_document(path)
    plain = Settings()
    for name in SECTIONS:
        section, default = getattr(settings, name), getattr(plain, name)
        for item in fields(section):
            value = getattr(section, item.name)
            table = document.get(name)
            present = isinstance(table, MutableMapping) and item.name in table
            if value == getattr(default, item.name) and not present:
                continue
            if not isinstance(table, MutableMapping):
                table = document[name] = tomlkit.table()
            document[name][item.name] = list(value) if isinstance(value, tuple) else value
    write_atomic(path, mark + tomlkit.dumps(document).encode())


def _read_document(path: Path) -> "tuple[TOMLDocument, bytes]":
    """The file as a document that keeps comments and order, and its byte order mark if it has one."""
    import tomlkit  # noqa: PLC0415 - as above
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    try:
        raw = read_plain_file(path)
    except FileNotFoundError:
        return tomlkit.document(), b""
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}. Change its permissions or move it away, then try again."
        raise AppError(Kind.STORAGE, "The settings were not saved", text) from error
    mark = _MARK if raw.startswith(_MARK) else b""
    try:
        document = tomlkit.parse(raw[len(mark) :].decode("utf-8"))
    except (TOMLKitError, UnicodeDecodeError):
        number, kept = 1, path.with_name(f"{path.name}.broken")
        while kept.exists() and kept.read_bytes() != raw:
            number += 1
            kept = path.with_name(f"{path.name}.broken-{number}")
        write_atomic(kept, raw)
        return tomlkit.document(), b""
    return document, mark


def with_value(settings: Settings, section: str, key: str, value: object) -> Settings:
    """The same settings with one value changed. Raises AppError(INVALID) with a sentence when it does not fit."""
    part = getattr(settings, section)
    known = {item.name: item for item in fields(part)}
    problems: list[str] = []
    checked = _checked(section, known[key], value, getattr(part, key), problems)
    if problems:
        raise AppError(Kind.INVALID, "This value does not fit", problems[0])
    return replace(settings, **{section: replace(part, **{key: checked})})


def _checked(section: str, item: Any, value: Any, default: Any, problems: list[str]) -> Any:  # noqa: ANN401
    try:
        return _convert(value, default, item.metadata)
    except (TypeError, ValueError) as error:
        used = item.metadata.get("unread", default)
        problems.append(f"{section}.{item.name} = {value!r}: {error} {used!r} is used.")
        return used


def _convert(value: Any, default: Any, meta: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise TypeError("true or false is expected.")
        return value
    if isinstance(default, int | float):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError("a number is expected.")
        if isinstance(default, int) and value != int(value):
            raise ValueError("a whole number is expected.")
        low, high = meta["low"], meta["high"]
        if not low <= value <= high:
            raise ValueError(f"a number from {low} to {high} is expected.")
        return type(default)(value)
    if isinstance(default, tuple):
        if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
            raise TypeError("a list of texts is expected.")
        return tuple(value)
    if not isinstance(value, str):
        raise TypeError("a text is expected.")
    if "choices" in meta and value not in meta["choices"]:
        raise ValueError(f"one of {', '.join(meta['choices'])} is expected.")
    return value
