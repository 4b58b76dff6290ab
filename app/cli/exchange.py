"""Commands of the exchange: import, export, update, link, unlink."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from app.cancel import Cancelled, CancelToken
from app.cli.call import Call, command_options
from app.cli.exchange_rows import agent_row, import_row, linked_row, look_lines, placed_row, renewal_row
from app.cli.playing import INTERRUPTED, played
from app.cycles import exchange as cycle
from app.cycles.exchange_links import agents_here, all_links, broken, link, unlink
from app.cycles.exchange_out import export
from app.cycles.exchange_update import survey, update
from app.exchange.packing import Form
from app.exchange.values import Choice, Clash, ImportReport, Keep, LinkMode, LinkReport, Look, Offer, Progress, Risk

Result = TypeVar("Result")

#: Steps that take long enough to be told.
_TOLD = ("Fetching", "Reading")
_INSECURE = click.option("--allow-insecure", is_flag=True, help="Let plain http:// and git:// addresses pass.")
_ACCEPT = click.option("--accept-risk", is_flag=True, help="Take skills in which the safety read found dangers, too.")


@click.command("import")
@click.argument("source")
@click.option("--only", multiple=True, metavar="NAME", help="Only skills of this name (or place in the source).")
@click.option(
    "--on-clash",
    type=click.Choice(["skip", "rename", "update"]),
    help="Where the name is taken: leave it out, take it under a new name, or replace what is there.",
)
@click.option("--category", help="Put the skills into this category; an empty text is none.")
@click.option("--dry-run", is_flag=True, help="Look and judge only; nothing is written.")
@_ACCEPT
@_INSECURE
@command_options
def import_skills(
    call: Call,
    source: str,
    only: tuple[str, ...],
    on_clash: str | None,
    category: str | None,
    dry_run: bool,
    accept_risk: bool,
    allow_insecure: bool,
) -> None:
    """Import skills from a folder, a zip or .skill file, a git address or a bare repository.

    SOURCE is read and judged first: does each skill load, what could be dangerous in it, is its name taken. Nothing is
    run, checked out or followed. All of an import is one step that `melete undo` takes back.

    JSON: {"source","kind","commit","done":[{"name","path","choice"}],"skipped":[{"name","why"}],
    "refused":[{"name","why"}],"entry","skills":[{"name","path","target","load","risk","findings","safety","clash",
    "clash_with","choices","problem","files","size","left_out"}],"hidden":[{"path","skills"}]}. Exit 1 when a
    skill was refused. "hidden" are folders whose name begins with a dot: they are not looked into.
    """
    with call.open() as home:
        token = CancelToken()
        seen = _played(call, cycle.look(home, source, token, insecure=allow_insecure, category=category), token)
        for one in seen.contents.hidden:
            call.note(f"not looked into: {one.text}")
        seen = _only(seen, only)
        if dry_run:
            call.answer(import_row(seen, ImportReport()), look_lines(seen))
            if any(offer.problem or offer.risk is Risk.DANGER for offer in seen.offers):
                raise SystemExit(1)
            return
        picks = cycle.default_picks(seen, on_clash=Choice(on_clash) if on_clash else None, accept=accept_risk)
        report = cycle.take(home, seen, picks)
        lines = [f"{taken.choice}: {taken.name} ({taken.path})" for taken in report.done]
        lines += [f"skipped: {name}: {why}" for name, why in report.skipped]
        lines += [f"undo with: melete undo {report.entry[:10]}"] if report.entry else []
        call.answer(import_row(seen, report), lines)
        _note_hints(call, seen)
        _end_refused(call, report.refused)


def _note_hints(call: Call, seen: Look) -> None:
    """Say which rules found something, and how what was refused can be decided."""
    for offer in seen.offers:
        rules = ", ".join(sorted({hint.rule for hint in offer.hints}))
        if rules:
            call.note(f"{offer.risk}: {offer.name}: {rules} (see --dry-run)")
    if any(offer.risk is Risk.DANGER for offer in seen.offers):
        call.note("Dangerous skills come in with --accept-risk.")
    taken = {choice for offer in seen.offers if _to_decide(offer) for choice in offer.choices}
    if Choice.RENAME in taken:
        known = ", ".join(sorted(str(choice) for choice in taken - {Choice.IMPORT}))
        call.note(f"Names that are taken are decided with --on-clash {known}.")


def _to_decide(offer: Offer) -> bool:
    """Whether a taken name is a question: not for what is here already, byte for byte."""
    return bool(offer.clash_text) and not offer.problem and offer.clash is not Clash.SAME


def _only(seen: Look, names: tuple[str, ...]) -> Look:
    """The look with only the named skills left."""
    offers = tuple(offer for offer in seen.offers if not names or offer.name in names or offer.key in names)
    if not offers:
        known = ", ".join(offer.name for offer in seen.offers)
        raise click.UsageError(f"--only names none of: {known}.")
    return replace(seen, offers=offers)


def _end_refused(call: Call, refused: tuple[tuple[str, str], ...]) -> None:
    for name, why in refused:
        call.note(f"refused: {name}: {why}")
    if refused:
        raise SystemExit(1)


def _played(call: Call, work: Generator[Progress, None, Result], token: CancelToken) -> Result:
    """Play a job that can be interrupted; its progress goes to standard error once a text."""
    told: set[str] = set()

    def heed(progress: Progress) -> None:
        if progress.text.startswith(_TOLD) and progress.text not in told:
            told.add(progress.text)
            call.note(progress.text)

    try:
        return played(work, token, heed)
    except Cancelled:
        call.note("Stopped. Nothing was written.")
        raise SystemExit(INTERRUPTED) from None


@click.command("update")
@click.argument("names", nargs=-1)
@click.option("--check", is_flag=True, help="Only look; nothing is written.")
@click.option("--keep", type=click.Choice(["mine", "theirs"]), help="Whose side wins where both changed one place.")
@_ACCEPT
@_INSECURE
@command_options
def update_skills(
    call: Call, names: tuple[str, ...], check: bool, keep: str | None, accept_risk: bool, allow_insecure: bool
) -> None:
    """Bring imported skills (all, or the named ones) to what their source holds now; what you changed here stays.

    JSON: {"skills":[{"name","path","standing","source","why","conflicts","changed","safety"}],"done":[{"name","path"}],
    "refused":[{"name","why"}],"entry"}. "standing" is current, edited, update, merge, conflict, gone or unknown. Exit 1
    when one was refused, or its source could not be read.
    """
    with call.open() as home:
        token = CancelToken()
        found = _played(call, survey(home, names, token, insecure=allow_insecure), token)
        rows = [renewal_row(one) for one in found.renewals]
        data: dict[str, Any] = {"skills": rows, "done": [], "refused": [], "entry": None}
        lines = [f"{one.name}: {one.standing} {one.why}".rstrip() for one in found.renewals]
        if check:
            call.answer(data, lines or ["nothing was imported here"])
            if any(row["standing"] in {"unknown", "conflict"} for row in rows):
                raise SystemExit(1)
            return
        report = update(home, found, keep=Keep(keep or "none"), accept=accept_risk)
        data["done"] = [{"name": name, "path": path} for name, path in report.done]
        data["refused"] = [{"name": name, "why": why} for name, why in report.refused]
        data["entry"] = report.entry
        call.answer(data, [f"updated: {name} ({path})" for name, path in report.done] or lines or ["nothing to update"])
        _end_refused(call, report.refused)


@click.command("export")
@click.argument("names", nargs=-1, required=True)
@click.argument("dest", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice([str(form) for form in Form]), help="Else DEST's ending says it.")
@click.option("--force", is_flag=True, help="Replace what is there.")
@command_options
def export_skills(call: Call, names: tuple[str, ...], dest: Path, form: str | None, force: bool) -> None:
    """Write skills out to DEST: a folder, a .zip or a .skill file. The same content gives the same bytes.

    Links are never exported. JSON: {"dest","format","done":[{"name","path","size"}],"left_out":[{"name","path",
    "why"}]}.
    """
    with call.open() as home:
        report = export(home, names, dest, Form(form) if form else None, replace=force)
        data = {
            "dest": report.dest,
            "format": report.form,
            "done": [{"name": name, "path": path, "size": size} for name, path, size in report.done],
            "left_out": [{"name": name, "path": path, "why": why} for name, path, why in report.left_out],
        }
        call.answer(data, [f"exported: {name} to {path}" for name, path, _ in report.done])
        for name, path, why in report.left_out:
            call.note(f"left out: {path} of {name}: {why}")


@click.command("link")
@click.argument("name", required=False)
@click.argument("agents", nargs=-1)
@click.option("--mode", type=click.Choice([str(mode) for mode in LinkMode]), default="auto", show_default=True)
@click.option("--check", is_flag=True, help="List every link and copy, and find those that are broken.")
@click.option("--agents", "list_agents", is_flag=True, help="List the agents that are known.")
@command_options
def link_skill(
    call: Call, name: str | None, agents: tuple[str, ...], mode: str, check: bool, list_agents: bool
) -> None:
    """Link a skill into other agents' folders, so that there is one real folder. NAME AGENT…, --check or --agents.

    Where links are not followed or not possible the skill is copied. Agents are data: add your own in
    melete.agents.toml in the home. JSON: {"done":[{"name","agent","path","mode","also_read_by","created"}],
    "refused":[{"name","agent","why"}]}; --check: {"links":[{"agent","name","path","mode","state","target","skill"}],
    "broken"}, exit 1 when one is broken; --agents: {"agents":[{"id","name","folder","present","reads"}]}.
    """
    with call.open() as home:
        if list_agents:
            known = agents_here(home)
            lines = [f"{'*' if one.present else ' '} {one.id}: {one.name} ({one.folder})" for one in known]
            call.answer({"agents": [agent_row(one) for one in known]}, lines)
            return
        if check:
            found = all_links(home)
            bad = broken(found)
            lines = [f"{one.state} {one.mode} {one.path} → {one.target}" for one in found]
            call.answer({"links": [placed_row(one) for one in found], "broken": len(bad)}, lines or ["no links"])
            if bad:
                raise SystemExit(1)
            return
        if name is None or not agents:
            raise click.UsageError("Give a skill and an agent, or --check, or --agents.")
        _answer_links(call, link(home, name, agents, LinkMode(mode)), "linked")


@click.command("unlink")
@click.argument("name")
@click.argument("agents", nargs=-1)
@click.option("--force", is_flag=True, help="Remove a copy that was changed there, too.")
@command_options
def unlink_skill(call: Call, name: str, agents: tuple[str, ...], force: bool) -> None:
    """Take a skill out of other agents' folders (of all, when none is named). Only what `link` put there is removed.

    JSON: {"done":[{"name","agent","path","mode","also_read_by","created"}],"refused":[{"name","agent","why"}]}.
    """
    with call.open() as home:
        _answer_links(call, unlink(home, name, agents, force=force), "unlinked")


def _answer_links(call: Call, report: LinkReport, word: str) -> None:
    lines = [f"{word}: {report.skill} {one.path} ({one.mode})" for one in report.done]
    lines += [f"  also read by {', '.join(one.also_read_by)}" for one in report.done if one.also_read_by]
    for one in report.done:
        if one.created:
            call.note(f"{one.agent} seems not to be installed here; its folder was made.")
    refused = [{"name": report.skill, "agent": agent, "why": why} for agent, why in report.refused]
    call.answer({"done": [linked_row(report.skill, one) for one in report.done], "refused": refused}, lines)
    _end_refused(call, report.refused)
