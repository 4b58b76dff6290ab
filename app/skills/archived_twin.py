"""Whether what is to be created lies in the archive already: then it is brought back instead of made anew."""

from app.errors import AppError
from app.skills.bench import Bench
from app.skills.checks_body import CHARS_PER_TOKEN
from app.skills.content import skill_file
from app.skills.parse import parse_skill
from app.skills.values import Skill, State

#: Two skills with a shorter text than this are not the same because their texts are.
_LEAST = 40


def archived_twin_problem(bench: Bench, data: bytes) -> str:
    """Why a new skill of these bytes is not made: an archived one of the home has its text; empty when none has."""
    body = parse_skill(data, "").body
    text = _plain(body)
    if len(text) < _LEAST:
        return ""
    tokens = len(body) // CHARS_PER_TOKEN
    for skill in bench.library.skills:
        alike = skill.in_home and skill.state is State.ARCHIVED and abs(skill.body_tokens - tokens) <= 1
        if alike and _plain(_body(bench, skill)) == text:
            return f"The archived skill {skill.name} ({skill.id}) has exactly this text. Restore it instead."
    return ""


def _body(bench: Bench, skill: Skill) -> str:
    try:
        files = bench.content(skill).files
        return parse_skill(files[skill_file(files)].data, "").body
    except (AppError, KeyError):
        return ""  # what cannot be read is no twin


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
