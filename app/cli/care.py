"""Commands that look after the library: fix, heal, reset, purge, duplicates."""

from dataclasses import asdict

import click

from app.cancel import CancelToken
from app.cli.call import Call, command_options
from app.cli.playing import played
from app.cli.rows import time_text
from app.cycles.care import near_duplicates, purge_preview, reset_to_shipped
from app.cycles.editing import fix_all
from app.cycles.healing import heal_mentions
from app.cycles.library import act
from app.errors import AppError
from app.skills.resolve import find
from app.skills.values import Action, State


@click.command("fix")
@click.argument("names", nargs=-1, required=True)
@command_options
def fix(call: Call, names: tuple[str, ...]) -> None:
    """Mend what can be mended within SKILL.md without changing what it says: quotes, BOM, line ends, fields.

    JSON: {"done":[{"path","rules":[rule,…],"entry"}],"refused":[{"name","why"}]}.
    """
    done: list[dict[str, object]] = []
    refused: list[dict[str, str]] = []
    lines = []
    with call.open() as home:
        for name in names:
            try:
                skill = find(home.library(), name)
                rules, receipt = fix_all(home, skill.id)
            except AppError as error:
                refused.append({"name": name, "why": error.text})
                continue
            entry = receipt.entry if receipt is not None else None
            done.append({"path": skill.id, "rules": list(rules), "entry": entry})
            lines.append(f"{skill.id}: {', '.join(rules) or 'nothing to mend'}")
    _answer_done(call, done, refused, lines)


@click.command("heal")
@click.argument("names", nargs=-1)
@command_options
def heal(call: Call, names: tuple[str, ...]) -> None:
    """Offer to rewrite old names of merged or renamed skills in all skills (or only the named ones), as a proposal.

    JSON: {"proposal","changes":[{"id","skill","reason"}]}; `proposal` is null when no skill names one.
    """
    with call.open() as home:
        made = heal_mentions(home, names)
        changes = [change for group in made.groups for change in group.changes] if made is not None else []
        rows = [{"id": change.id, "skill": change.skill, "reason": change.reason} for change in changes]
        lines = [f"{change.skill}: {change.reason}" for change in changes]
        told = f"waits as {made.id}; melete proposals show {made.id} --diff" if made is not None else "no old names"
        call.answer({"proposal": made.id if made is not None else None, "changes": rows}, [*lines, told])


@click.command("reset")
@click.argument("names", nargs=-1, required=True)
@command_options
def reset(call: Call, names: tuple[str, ...]) -> None:
    """Bring bundled skills back to what this version ships; the edited text stays in the history.

    JSON: {"done":[{"name","path","entry"}],"refused":[{"name","why"}]}.
    """
    done: list[dict[str, object]] = []
    refused: list[dict[str, str]] = []
    with call.open() as home:
        for name in names:
            try:
                receipt = reset_to_shipped(home, name)
            except AppError as error:
                refused.append({"name": name, "why": error.text})
                continue
            done.append({"name": receipt.name, "path": receipt.path, "entry": receipt.entry})
    _answer_done(call, done, refused, [f"reset: {item['path']}" for item in done])


@click.command("purge")
@click.argument("names", nargs=-1, required=True)
@click.option("--for-good", is_flag=True, help="Delete instead of moving to the system's trash.")
@click.option("--yes", "sure", is_flag=True, help="Do it; without this it is only listed.")
@command_options
def purge(call: Call, names: tuple[str, ...], for_good: bool, sure: bool) -> None:
    """Take archived skills away, to the system's trash or for good. Without --yes it is listed what would go.

    JSON: {"items":[{"id","name","archived_at","files","size","into","not_kept"}],"done":[{"name","path"}],
    "refused":[{"name","why"}]}. Exit 1 when nothing was done.
    """
    with call.open() as home:
        library = home.library()
        rows = {name: find(library, name) for name in dict.fromkeys(names)}
        gone = {name: row.id for name, row in rows.items() if row.state is State.ARCHIVED}
        items = purge_preview(home, list(gone.values()))
        report = act(home, Action.PURGE, list(gone.values()), to="delete" if for_good else None) if sure else None
    live = [
        {"name": name, "why": f"{rows[name].name} is not archived. Archive it first."} for name in rows.keys() - gone
    ]
    refused = live + [{"name": name, "why": why} for name, why in (report.refused if report else ())]
    done = [{"name": name, "path": path} for name, path in (report.done if report else ())]
    data = {"items": [asdict(item) | {"archived_at": time_text(item.archived_at)} for item in items]}
    lines = [
        f"{item.id}: {len(item.files)} files, {item.size:,} bytes, archived {time_text(item.archived_at) or 'long ago'}"
        + (f"; the history lacks {', '.join(item.not_kept)}" if item.not_kept else "")
        for item in items
    ]
    call.answer(data | {"done": done, "refused": refused}, [*lines, *(f"purged: {item['path']}" for item in done)])
    for item in refused:
        call.note(f"refused: {item['name']}: {item['why']}")
    if items and not sure:
        call.note("Nothing is deleted yet. Say --yes to do it.")
    if refused or not sure:
        raise SystemExit(1)


@click.command("duplicates")
@command_options
def duplicates(call: Call) -> None:
    """Pairs of skills that say much the same, and why: shared words, equal lines.

    JSON: {"pairs":[{"one","other","score","shared","equal_lines","lines"}]}.
    """
    with call.open() as home:
        token = CancelToken()
        pairs = played(near_duplicates(home, token), token, lambda _count: None)
        lines = [
            f"{pair.one} ~ {pair.other}: {pair.score:.2f}; {', '.join(pair.shared) or 'no words in common'};"
            f" {pair.equal_lines} of {pair.lines} lines are equal"
            for pair in pairs
        ]
        call.answer({"pairs": [asdict(pair) for pair in pairs]}, lines or ["no two skills are much alike"])


def _answer_done(call: Call, done: list[dict[str, object]], refused: list[dict[str, str]], lines: list[str]) -> None:
    call.answer({"done": done, "refused": refused}, lines)
    for item in refused:
        call.note(f"refused: {item['name']}: {item['why']}")
    if refused:
        raise SystemExit(1)
