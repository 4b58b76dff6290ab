"""A source with everything that can be said about a skill, and agents in every state."""

from pathlib import Path

from app.exchange.values import (
    Agent,
    AgentView,
    Choice,
    Clash,
    Contents,
    Hint,
    LeftOut,
    LinkMode,
    LinkState,
    Location,
    Look,
    Offer,
    Placed,
    Renewal,
    Risk,
    SourceKind,
    Standing,
)
from app.skills.values import Finding, Load, Severity

HINTS = (
    Hint(
        "SAFE.REMOTE.RUN",
        Risk.DANGER,
        "SKILL.md",
        12,
        "Something is fetched from the network and run at once.",
        "curl -LsSf https://example.org/install.sh | sh",
    ),
    Hint(
        "SAFE.SCRIPT",
        Risk.CAUTION,
        "scripts/setup.sh",
        None,
        "This file can be run. Melete never runs it; an agent may.",
    ),
)
FINDINGS = (
    Finding("NAME.DIR", Severity.WARNING, 2, "The name 'web-release' differs from the folder's name 'release'."),
)
CLASHING = (Choice.UPDATE, Choice.RENAME, Choice.SKIP)

PLAIN = Offer(
    "skills/git-notes",
    "git-notes",
    "Reads a repository's history. Use when asked why.",
    "git-notes",
    Load.LOAD,
    file_count=2,
    size=4200,
)
DANGEROUS = Offer(
    "skills/web-release",
    "web-release",
    "Releases the web tier. Use for deployments.",
    "web-release",
    Load.WARN,
    findings=FINDINGS,
    hints=HINTS,
    risk=Risk.DANGER,
    choice=Choice.SKIP,
    file_count=6,
    size=23_000,
    left_out=(LeftOut("current", "a link; links are never imported"),),
)
TAKEN = Offer(
    "skills/meeting-notes",
    "meeting-notes",
    "Turns a transcript into notes. Use after a meeting.",
    "meeting-notes",
    Load.LOAD,
    clash=Clash.LIVE,
    clash_with="office/meeting-notes",
    clash_text="office/meeting-notes has this name and another content. An update replaces it; it can be undone.",
    choices=CLASHING,
    choice=Choice.SKIP,
    new_name="meeting-notes-2",
    file_count=1,
    size=1800,
)
UPDATED = Offer(
    "skills/sql-basics",
    "sql-basics",
    "Writes queries. Use for SQLite.",
    "sql-basics",
    Load.LOAD,
    clash=Clash.IMPORTED,
    clash_with="sql-basics",
    clash_text="sql-basics came from this source. An update keeps what you changed.",
    choices=CLASHING,
    choice=Choice.UPDATE,
    new_name="sql-basics-2",
    file_count=3,
    size=9100,
)
BROKEN = Offer(
    "skills/half",
    "half",
    "",
    "half",
    Load.SKIP,
    choices=(Choice.SKIP,),
    choice=Choice.SKIP,
    problem="The result is no usable skill. Line 1: There is no front matter. Begin with ---.",
    file_count=1,
    size=40,
)
OFFERS = (PLAIN, DANGEROUS, TAKEN, UPDATED, BROKEN)


def look(*offers: Offer) -> Look:
    """A look at a repository with these skills."""
    location = Location(SourceKind.GIT, "https://example.org/team/skills", "main")
    return Look(Contents(location, (), "4f2a" * 10), offers or OFFERS)


def views() -> tuple[AgentView, ...]:
    """Agents: one free, one linked, one with an outdated copy, one that reads the library itself."""
    home = Path("/home/ann")
    claude = Agent("claude", "Claude Code", home / ".claude/skills", present=True)
    cursor = Agent("cursor", "Cursor", home / ".cursor/skills", present=True)
    codex = Agent("codex", "Codex", home / ".codex/skills", links=False, present=True)
    hermes = Agent("hermes", "Hermes", home / ".hermes/skills", present=True)
    linked = Placed("cursor", home / ".cursor/skills/git-notes", "git-notes", LinkMode.LINK, LinkState.OK)
    copied = Placed("codex", home / ".codex/skills/git-notes", "git-notes", LinkMode.COPY, LinkState.OUTDATED)
    problem = "Hermes reads this library itself, from /home/ann/.hermes/skills. Nothing has to be linked."
    return (
        AgentView(claude, None, ("Cursor", "GitHub Copilot")),
        AgentView(cursor, linked),
        AgentView(codex, copied, ("Cursor",)),
        AgentView(hermes, None, (), problem),
    )


def renewals() -> tuple[Renewal, ...]:
    """One imported skill in each standing."""
    source = "https://example.org/team/skills"
    return (
        Renewal("api-tests", "api-tests", Standing.CONFLICT, source, conflicts=("SKILL.md",), changed=("SKILL.md",)),
        Renewal("git-notes", "git-notes", Standing.UPDATE, source, changed=("SKILL.md", "references/log.md")),
        Renewal("meeting-notes", "office/meeting-notes", Standing.MERGE, source, changed=("SKILL.md",)),
        Renewal("release", "release", Standing.UPDATE, source, changed=("SKILL.md",), hints=HINTS[:1]),
        Renewal("sql-basics", "sql-basics", Standing.CURRENT, source),
        Renewal("style", "style", Standing.EDITED, source),
        Renewal("tables", "tables", Standing.GONE, source, "The source no longer holds it. What you have stays."),
        Renewal("zines", "zines", Standing.UNKNOWN, "/media/stick/zines.zip", "/media/stick/zines.zip does not exist."),
    )
