"""The words of the exchange sheets for what values mean."""

from PySide6.QtCore import QCoreApplication

from app.exchange.values import Choice, LinkMode, LinkState, Offer, Risk, Standing
from app.skills.values import Load


def tr(text: str) -> str:
    """Translated in the context of these sheets."""
    return QCoreApplication.translate("Exchange", text)


def choice_words(choice: Choice, name: str = "") -> str:
    """What is done with a skill, in a few words."""
    return {
        Choice.IMPORT: tr("Import"),
        Choice.UPDATE: tr("Update the one that is here"),
        Choice.RENAME: tr("Keep both, import as {}").format(name) if name else tr("Keep both under a new name"),
        Choice.SKIP: tr("Leave out"),
    }[choice]


def short_words(choice: Choice, name: str) -> str:
    """What is done with a skill, for a narrow column."""
    return {
        Choice.IMPORT: tr("import"),
        Choice.UPDATE: tr("update"),
        Choice.RENAME: tr("as {}").format(name or "?"),
        Choice.SKIP: tr("leave out"),
    }[choice]


def files_words(count: int) -> str:
    """A number of files."""
    return tr("one file") if count == 1 else tr("{} files").format(count)


def verdict(offer: Offer) -> tuple[str, str, str]:
    """What was found about a skill: words, the colour's name, an icon."""
    if offer.problem:
        return tr("cannot come in"), "danger", "error"
    if offer.risk is Risk.DANGER:
        return tr("dangerous"), "danger", "error"
    if offer.risk is Risk.CAUTION:
        return tr("look at it"), "warn", "warning"
    if offer.load is not Load.LOAD:
        return tr("loads, with remarks"), "warn", "warning"
    return tr("nothing found"), "success", "success"


def risk_words(risk: Risk) -> tuple[str, str]:
    """A risk's word and colour."""
    return {
        Risk.DANGER: (tr("danger"), "danger"),
        Risk.CAUTION: (tr("caution"), "warn"),
        Risk.CLEAR: (tr("good to know"), "info"),
    }[risk]


def standing_words(standing: Standing) -> tuple[str, str, str]:
    """How a skill stands to its source: words, the colour's name, an icon."""
    return {
        Standing.CURRENT: (tr("up to date"), "success", "success"),
        Standing.EDITED: (tr("changed here, nothing newer"), "info", "edit"),
        Standing.UPDATE: (tr("newer version"), "accent", "download"),
        Standing.MERGE: (tr("newer version, your changes stay"), "accent", "merge"),
        Standing.CONFLICT: (tr("both sides changed it"), "warn", "warning"),
        Standing.GONE: (tr("no longer in its source"), "muted", "info"),
        Standing.UNKNOWN: (tr("source cannot be read"), "danger", "error"),
    }[standing]


def link_words(mode: LinkMode, state: LinkState) -> tuple[str, str]:
    """How a skill stands in an agent's folder: words and the colour's name."""
    if state is LinkState.OK:
        return (tr("linked") if mode is LinkMode.LINK else tr("copied")), "success"
    return {
        LinkState.BROKEN: (tr("leads nowhere"), "danger"),
        LinkState.MISSING: (tr("was removed there"), "warn"),
        LinkState.OUTDATED: (tr("copy of an older version"), "warn"),
        LinkState.CHANGED: (tr("changed there"), "warn"),
    }[state]


def size_words(size: int) -> str:
    """A number of bytes for people."""
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{max(size / 1000, 0.1):.1f} kB"
