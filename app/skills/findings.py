"""The table of rules a skill is judged by, and the collector that turns violations into findings.

Two judgements are kept apart: the severity says what the text of the format (agentskills.io) makes of a violation, the
load says what the tolerant reader does with the skill. A rule whose load is `load` is advice and marks no row.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from app.skills.values import Finding, Load, Severity

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO
_LOAD, _WARN, _SKIP = Load.LOAD, Load.WARN, Load.SKIP

#: Rule id → (severity, what the tolerant reader does).
RULES: Mapping[str, tuple[Severity, Load]] = MappingProxyType(
    {
        "DIR.MISSING": (_E, _SKIP),
        "DIR.SKILL_MD.MISSING": (_E, _SKIP),
        "DIR.SKILL_MD.CASE": (_E, _WARN),
        "DIR.SKILL_MD.NOT_FILE": (_E, _SKIP),
        "ENC.UTF8": (_E, _WARN),
        "ENC.BOM": (_W, _WARN),
        "ENC.EOL": (_W, _WARN),
        "FM.OPEN": (_E, _SKIP),
        "FM.CLOSE": (_E, _SKIP),
        "FM.YAML": (_E, _SKIP),
        "FM.DUPKEY": (_E, _WARN),
        "FM.MAPPING": (_E, _SKIP),
        "NAME.REQUIRED": (_E, _WARN),
        "NAME.EMPTY": (_E, _WARN),
        "NAME.TYPE": (_E, _WARN),
        "NAME.LEN": (_E, _WARN),
        "NAME.CASE": (_E, _WARN),
        "NAME.CHARSET": (_E, _WARN),
        "NAME.NONASCII": (_W, _LOAD),
        "NAME.HYPHEN_EDGE": (_E, _WARN),
        "NAME.HYPHEN_DOUBLE": (_E, _WARN),
        "NAME.DIR": (_E, _WARN),
        "DESC.REQUIRED": (_E, _SKIP),
        "DESC.EMPTY": (_E, _SKIP),
        "DESC.TYPE": (_E, _SKIP),
        "DESC.LEN": (_E, _WARN),
        "COMPAT.LEN": (_E, _WARN),
        "COMPAT.EMPTY": (_E, _WARN),
        "COMPAT.TYPE": (_E, _WARN),
        "LIC.TYPE": (_W, _WARN),
        "META.TYPE": (_E, _WARN),
        "META.VALUE_TYPE": (_W, _LOAD),
        "META.NESTED": (_W, _LOAD),
        "TOOLS.TYPE": (_W, _WARN),
        "TOOLS.COMMA": (_W, _LOAD),
        "FIELD.UNKNOWN": (_W, _LOAD),
        "YAML.ALIAS": (_W, _LOAD),
        "YAML.BOMB": (_E, _SKIP),
        "YAML.DEPTH": (_E, _SKIP),
        "YAML.TAG": (_W, _WARN),
        "TXT.CONTROL": (_W, _WARN),
        "TXT.BIDI": (_W, _WARN),
        "FS.UNREADABLE": (_E, _SKIP),
        "FS.SPECIAL": (_E, _SKIP),
        "FS.SIZE": (_E, _SKIP),
        "FS.SYMLINK_ESCAPE": (_W, _WARN),
        "FS.SYMLINK_LOOP": (_W, _WARN),
        "LIC.REF_MISSING": (_I, _LOAD),
        "BODY.LINES": (_I, _LOAD),
        "BODY.TOKENS": (_I, _LOAD),
        "REF.MISSING": (_I, _LOAD),
        "REF.ESCAPE": (_I, _LOAD),
        "REF.ABSOLUTE": (_I, _LOAD),
        "REF.BACKSLASH": (_I, _LOAD),
    }
)

_WEIGHT = {Load.LOAD: 0, Load.WARN: 1, Load.SKIP: 2}
_MOST = 200


def worse(one: Load, other: Load) -> Load:
    """The harsher of two loads."""
    return one if _WEIGHT[one] >= _WEIGHT[other] else other


@lru_cache(maxsize=1024)
def _finding(rule: str, severity: Severity, line: int | None, message: str, fix: str | None) -> Finding:
    """Thousands of skills have the same few findings: they share them."""
    return Finding(rule, severity, line, message, fix)


class Remarks:
    """Collects findings about one skill, each once, and keeps the harshest load among them.

    At most 200 findings are kept; the load counts all of them.
    """

    def __init__(self) -> None:
        self.load = Load.LOAD
        self._findings: dict[tuple[str, int | None, str], Finding] = {}

    def add(
        self,
        rule: str,
        line: int | None,
        message: str,
        fix: str | None = None,
        *,
        severity: Severity | None = None,
        load: Load | None = None,
    ) -> None:
        """Note a violation of `rule`; severity and load come from the table unless given."""
        usual, reaction = RULES[rule]
        self.load = worse(self.load, load or reaction)
        if len(self._findings) < _MOST:
            key = (rule, line, message)
            self._findings.setdefault(key, _finding(rule, severity or usual, line, message, fix))

    def keep(self, finding: Finding) -> None:
        """Take over a finding made elsewhere, without its effect on the load."""
        if len(self._findings) < _MOST:
            self._findings.setdefault((finding.rule, finding.line, finding.message), finding)

    def harden(self, load: Load) -> None:
        """Make the load at least as harsh as `load`."""
        self.load = worse(self.load, load)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noted, errors first, then by line."""
        if len(self._findings) < 2:
            return tuple(self._findings.values())
        order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
        return tuple(sorted(self._findings.values(), key=lambda one: (order[one.severity], one.line or 0)))


def strict_passes(findings: tuple[Finding, ...]) -> bool:
    """Whether the text of the format accepts the skill: no finding is an error."""
    return all(one.severity is not Severity.ERROR for one in findings)
