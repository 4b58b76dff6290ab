"""What became of each skill that vanished in a run: absorbed or pruned, on which evidence, and where it disagrees.

The declaration made with the delete decides. A mention in a later call and the YAML block of the final answer only add
a contradiction mark; they decide, in that order, where a declaration is missing.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from app.curator.values import Consolidated, Pruned

_BLOCK = re.compile(r"^```ya?ml[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_LIMIT = 200_000
_WORD = re.compile(r"[\w-]+")
_TEXTS = ("content", "new_string", "file_content")

#: Where a name was mentioned: the order of the place, the skill it is in, and the evidence.
_Mention = tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of the run that the door did not refuse: tool name and arguments."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Claims:
    """What the final answer's YAML block says: `merged` old name to umbrella, `reasons` by name, `pruned` names."""

    merged: Mapping[str, str]
    pruned: frozenset[str]
    reasons: Mapping[str, str]
    problem: str = ""


def read_claims(final: str) -> Claims:
    """Read the last fenced YAML block of the final answer; rubbish gives no claims and a sentence in `problem`."""
    blocks = _BLOCK.findall(final[-_LIMIT:])
    if not blocks:
        return Claims({}, frozenset(), {})
    try:
        data = yaml.load(blocks[-1], Loader=yaml.CBaseLoader)  # the base loader builds only text
    except (yaml.YAMLError, RecursionError) as error:
        return Claims({}, frozenset(), {}, f"The final answer's YAML block cannot be read: {_first_line(error)}")
    if not isinstance(data, dict):
        return Claims({}, frozenset(), {}, "The final answer's YAML block is not a mapping.")
    merged: dict[str, str] = {}
    reasons: dict[str, str] = {}
    pruned: set[str] = set()
    for row in _rows(data.get("consolidations")):
        if isinstance(row.get("from"), str) and isinstance(row.get("into"), str):
            merged[row["from"]] = row["into"]
            reasons[row["from"]] = str(row.get("reason", ""))
    for row in _rows(data.get("prunings")):
        if isinstance(row.get("name"), str):
            pruned.add(row["name"])
            reasons[row["name"]] = str(row.get("reason", ""))
    return Claims(merged, frozenset(pruned), reasons)


def classify(
    removed: Sequence[str],
    live: Collection[str],
    declared: Mapping[str, str | None],
    calls: Sequence[Call],
    final: str,
    reasons: Mapping[str, str],
) -> tuple[tuple[Consolidated, ...], tuple[Pruned, ...], tuple[str, ...]]:
    """Put each removed name into exactly one bucket; what is said of others becomes a note.

    `live` holds the names alive after the run, those made in it included; `declared` what each delete said (None when
    it said nothing). Returns absorbed, pruned, and notes about the run as a whole.
    """
    claims = read_claims(final)
    mentions = _Mentions(live, calls)
    absorbed: list[Consolidated] = []
    pruned: list[Pruned] = []
    for name in removed:
        mention = mentions.of(name)
        claim = claims.merged.get(name)
        reason = reasons.get(name) or claims.reasons.get(name, "")
        target, source, evidence = _decide(declared.get(name), claim, mention, name in claims.pruned, live)
        doubt = _contradiction(target, declared.get(name), claim, mention, name in claims.pruned, live)
        if target:
            absorbed.append(Consolidated(name, target, source, reason, evidence, doubt))
        else:
            pruned.append(Pruned(name, source, reason, doubt))
    return tuple(absorbed), tuple(pruned), (*([claims.problem] if claims.problem else ()), *_untrue(claims, removed))


def _untrue(claims: Claims, removed: Sequence[str]) -> list[str]:
    """What the final answer says of skills that did not go."""
    said = {
        **dict.fromkeys(claims.pruned, "pruned"),
        **{name: f"merged into {to}" for name, to in claims.merged.items()},
    }
    return [
        f"The final answer says {name} was {what}; it was not, nothing of it changed place."
        for name, what in sorted(said.items())
        if name not in removed
    ]


def _decide(
    declared: str | None, claim: str | None, mention: tuple[str, str] | None, said_pruned: bool, live: Collection[str]
) -> tuple[str, str, str]:
    if declared == "":
        return "", "declared with the delete", ""
    if declared is not None:
        gone = "declared with the delete, but its umbrella is gone"
        return (declared, "declared with the delete", "") if declared in live else ("", gone, "")
    if mention is not None:
        return mention[0], "mentioned in a call", mention[1]
    if claim is not None and claim in live:
        return claim, "final answer", ""
    if said_pruned:
        return "", "final answer", ""
    return "", "no evidence of a successor", ""


def _contradiction(
    target: str,
    declared: str | None,
    claim: str | None,
    mention: tuple[str, str] | None,
    said_pruned: bool,
    live: Collection[str],
) -> str:
    doubts = []
    if declared and declared != target:
        doubts.append(f"the delete says it went into {declared}, which is not there in the end")
    if claim is not None and claim != target:
        tail = "" if claim in live else ", which does not exist"
        doubts.append(f"the final answer says it went into {claim}{tail}")
    if said_pruned and target:
        doubts.append("the final answer lists it as pruned")
    if mention is not None and mention[0] != target:
        doubts.append(f"a call on {mention[0]} mentions it ({mention[1]})")
    return "; ".join(doubts)


class _Mentions:
    """Which names later calls on surviving skills mention: in a file's path, or as a word of the text. Each call is
    read once, however many names are asked about.
    """

    def __init__(self, live: Collection[str], calls: Sequence[Call]) -> None:
        self._stems: dict[str, list[_Mention]] = {}
        self._words: dict[str, list[_Mention]] = {}
        self._texts: list[tuple[str, _Mention]] = []
        for number, call in enumerate(calls):
            target = call.arguments.get("name")
            if call.name != "skill_manage" or call.arguments.get("action") == "delete" or target not in live:
                continue
            path = str(call.arguments.get("file_path") or "")
            for part in path.split("/") if path else ():
                self._note(self._stems, _stem(part.rsplit(".", 1)[0]), (2 * number, str(target), f"file {path}"))
            text = "\n".join(str(call.arguments.get(key) or "") for key in _TEXTS)
            mention = (2 * number + 1, str(target), f"text of {call.arguments.get('action')}")
            self._texts.append((text, mention))
            for word in set(_WORD.findall(text)):
                self._note(self._words, word, mention)

    def of(self, name: str) -> tuple[str, str] | None:
        """The first call that mentions this name on another skill: that skill and the evidence."""
        if _WORD.fullmatch(name):
            found = self._words.get(name, [])
        else:
            whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
            found = [mention for text, mention in self._texts if whole.search(text)]
        others = [item for item in (*self._stems.get(_stem(name), ()), *found) if item[1] != name]
        return min(others)[1:] if others else None

    @staticmethod
    def _note(index: dict[str, list[_Mention]], key: str, mention: _Mention) -> None:
        known = index.setdefault(key, [])
        if len(known) < 2 and all(one[1] != mention[1] for one in known):  # one of the two is another skill's
            known.append(mention)


def _stem(name: str) -> str:
    return name.replace("_", "-")


def _rows(value: object) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
