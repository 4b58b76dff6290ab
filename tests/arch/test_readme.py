"""What the README says is there: its commands, and the files and pictures it points to."""

import re
from pathlib import Path

import click
import pytest

from app.cli.main import melete

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = README.partition("| command | what it does |")[2].partition("\n\n")[0]


def names() -> set[str]:
    """Every command and subcommand the table names: `sessions list\\|show` names three."""
    found: set[str] = set()
    first = "\n".join(re.split(r"(?<!\\)\|", line)[1] for line in TABLE.splitlines()[2:])
    for quoted in re.findall(r"`([^`]+)`", first):
        words = quoted.replace("\\|", "|").split()
        found.add(words[0])
        if len(words) > 1 and re.fullmatch(r"[a-z]+(\|[a-z]+)*", words[1]):
            found |= {f"{words[0]} {part}" for part in words[1].split("|")}
    return found


def known() -> set[str]:
    """Every command and subcommand there is."""
    found = set(melete.commands)
    for name, command in melete.commands.items():
        if isinstance(command, click.Group):
            found |= {f"{name} {part}" for part in command.commands}
    return found


def test_the_table_names_every_command_and_no_other() -> None:
    assert names() == known()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_what_the_readme_points_to_is_there(target: str) -> None:
    assert (ROOT / target).is_file()
