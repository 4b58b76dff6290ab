"""Commands about skills: list, show, validate, search, pin and the like, history, undo, graph, catalogue."""

from pathlib import Path

import click

from app.cli.call import Call, command_options
from app.cli.rows import catalogue_row, counts_row, hit_row, skill_line, skill_row
from app.cycles import library as shelf
from app.cycles.search import KINDS, search_all
from app.errors import AppError, Kind
from app.graph.build import build_graph
from app.proposals.values import ProposalState
from app.skills.file_mentions import FileMentions
from app.skills.filter.values import count_facets, parse_filter
from app.skills.read import read_file
from app.skills.resolve import resolve
from app.skills.validate import validate_path
from app.skills.values import Action, Library, Skill


@click.command("list")
@click.option("--state", type=click.Choice(["active", "stale", "archived", "broken"]), help="Only these.")
@click.option("--query", default="", help="Only skills that fit: words, and terms such as pinned:yes or idle:>30.")
@click.option("--facets", is_flag=True, help="Count what the query could narrow further.")
@command_options
def list_skills(call: Call, state: str | None, query: str, facets: bool) -> None:
    """List the skills of the library, the further folders and the archive.

    The query knows state: pinned: source: author: managed: enabled: used:<3 idle:>30 tokens:>2000 category: tag: name:
    is:broken (linked, shadowed, edited, remarked, waiting, unrecorded); a minus before a term turns it round.
    """
    with call.open() as home:
        library = home.opened_library()
        wanted, now = parse_filter(query), home.clock()
        for problem in wanted.problems:
            call.note(problem)
        waiting = shelf.waiting_by_skill(home) if any(term.value == "waiting" for term in wanted.terms) else {}
        rows = [skill for skill in library.skills if wanted.fits(skill, waiting.get(skill.id, 0), now)]
        if state is not None:
            rows = [skill for skill in rows if ("broken" if skill.broken else str(skill.state)) == state]
        _say_notices(call, library)
        notices = [{"key": item.key, "title": item.title, "text": item.text} for item in library.notices]
        data = {
            "skills": [skill_row(skill) for skill in rows],
            "counts": counts_row(library),
            "catalogue": catalogue_row(library),
            "notices": notices,
        }
        counted = count_facets(rows, wanted, waiting) if facets else ()
        if facets:
            data["facets"] = {item.key: {value: count for value, count, _ in item.values} for item in counted}
        counts = ", ".join(f"{count} {name}" for name, count in counts_row(library).items() if count)
        none = "no skills can be shown" if library.notices else "no skills yet"
        if library.skills and not rows:
            call.note("No skill fits. Of the whole library:")
        more = [f"{item.key}: {', '.join(f'{value} {count}' for value, count, _ in item.values)}" for item in counted]
        call.answer(data, [*map(skill_line, rows), *more, counts or none])


@click.command("show")
@click.argument("name")
@click.option("--file", "file", help="Show one file of the skill instead.")
@command_options
def show(call: Call, name: str, file: str | None) -> None:
    """Show one skill; the name of an absorbed one answers with its umbrella."""
    with call.open() as home:
        library = home.library()
        found = resolve(library, name)
        detail = shelf.open_skill(home, found.skill.id if found and not found.via else name, library)
        text = detail.text
        if file is not None:
            text = read_file(detail.skill, file).decode("utf-8", "replace")
        old = detail.via[0] if detail.via else None
        data = skill_row(detail.skill) | {
            "frontmatter": dict(detail.frontmatter),
            "body": text if file is not None else detail.body.lstrip("\r\n"),
            "files": list(detail.files),
            "absorbed_into": detail.skill.absorbed_into,
            "forwarded_from": old,
            "absorbed": list(detail.forwarded_from),
        }
        head = [f"{old} was merged into {detail.skill.name}."] if old else []
        call.answer(data, [*head, *_troubles(detail.skill), *text.splitlines()])


def _say_notices(call: Call, library: Library) -> None:
    for notice in library.notices:
        call.note(f"{notice.title}. {notice.text}")


def _at(line: int | None) -> str:
    """Where in the file; nothing for what concerns the folder."""
    return f" line {line}" if line else ""


def _troubles(skill: Skill) -> list[str]:
    """Why a broken skill cannot be used, and where to look; nothing for a usable one."""
    if not skill.broken:
        return []
    found = [f"  {item.rule}{_at(item.line)}: {item.message} {item.fix or ''}".rstrip() for item in skill.findings]
    return [f"{skill.id} cannot be used ({skill.folder}):", *found]


@click.command("validate")
@click.argument("path", type=click.Path(path_type=Path))
@command_options
def validate(call: Call, path: Path) -> None:
    """Check skills in any folder against the specification and the tolerant reader."""
    failed = False
    for row in validate_path(path):
        failed = failed or row.get("strict") == "fail"
        if call.as_json:
            call.line(row)
        elif "collisions" in row:
            call.answer(row, [f"same name: {', '.join(paths)}" for paths in row["collisions"]])
        else:
            findings = [
                f"  {item['severity']} {item['rule']}{_at(item['line'])}: {item['message']}" for item in row["findings"]
            ]
            call.answer(row, [f"{row['path']}: strict {row['strict']}, {row['load']}", *findings])
    if failed:
        raise SystemExit(1)


@click.command("search")
@click.argument("text")
@click.option("--in", "kinds", default=",".join(KINDS), show_default=True, help="Where to look, separated by commas.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="At most this many of each.")
@command_options
def search(call: Call, text: str, kinds: str, limit: int) -> None:
    """Search skills, memory, conversations and the archive. Any text will do."""
    wanted = [kind.strip() for kind in kinds.split(",") if kind.strip()]
    unknown = sorted(set(wanted) - set(KINDS))
    if unknown:
        raise click.UsageError(f"--in knows {', '.join(KINDS)}, not {', '.join(unknown)}.")
    with call.open() as home:
        _say_notices(call, home.library())
        hits = search_all(home, text, wanted, limit, lambda error: call.note(f"{error.title}. {error.text}"))
        lines = [f"{hit.kind} {hit.title} ({hit.id}): {hit.snippet}" for hit in hits] or ["nothing found"]
        call.answer({"hits": [hit_row(hit) for hit in hits]}, lines)


def action_command(action: Action, text: str) -> click.Command:
    """A command that does one thing to the named skills."""

    @click.command(str(action), help=text)
    @click.argument("names", nargs=-1, required=True)
    @command_options
    def run(call: Call, names: tuple[str, ...]) -> None:
        with call.open() as home:
            report = shelf.act(home, action, names)
        done = [{"name": name, "path": path} for name, path in report.done]
        refused = [{"name": name, "why": why} for name, why in report.refused]
        lines = [f"{action}: {item['name']} ({item['path']})" for item in done]
        call.answer({"done": done, "refused": refused}, lines)
        for item in refused:
            call.note(f"refused: {item['name']}: {item['why']}")
        if refused:
            raise SystemExit(1)

    return run


@click.command("resolve")
@click.argument("name")
@command_options
def resolve_name(call: Call, name: str) -> None:
    """Which skill a name leads to, and over which forwards."""
    with call.open() as home:
        found = resolve(home.library(), name)
        if found is None:
            raise AppError(
                Kind.NOT_FOUND, "No such skill", f"Nothing is called {name!r}. `melete list` shows all names."
            )
        skill = found.skill
        data = {"id": skill.id, "name": skill.name, "via": list(found.via), "state": str(skill.state)}
        call.answer(data, [" → ".join((*found.via, skill.id))])


@click.command("graph")
@command_options
def graph(call: Call) -> None:
    """Nodes and edges of the library's graph."""
    with call.open() as home:
        drawn = build_graph(FileMentions().completed(home.library()), home.proposals.list(ProposalState.PENDING))
        nodes = [
            {
                "id": node.id,
                "state": str(node.state),
                "pinned": node.pinned,
                "category": node.category,
                "name": node.name,
            }
            for node in drawn.nodes
        ]
        edges = [{"from": edge.start, "to": edge.end, "kind": str(edge.kind)} for edge in drawn.edges]
        lines = [f"{edge['from']} → {edge['to']} ({edge['kind']})" for edge in edges]
        call.answer({"nodes": nodes, "edges": edges}, [f"{len(nodes)} skills", *lines])


@click.command("catalogue")
@click.option("--task", default="", help="Shorten by relevance to this task.")
@click.option("--budget", type=click.IntRange(1, 10_000_000), help="Characters it may take.")
@command_options
def catalogue(call: Call, task: str, budget: int | None) -> None:
    """The list of skills a model would be told about."""
    with call.open() as home:
        found = home.catalogue(task, budget)
        call.answer({"listed": list(found.listed), "chars": len(found.text)}, found.text.splitlines())
