"""The named rules of the safety read: patterns of text that should be seen before a skill is taken into the library.

A hit is a reason to look, never a proof; no hit is no promise. Every pattern is bounded, so that long hostile texts
take linear time.
"""

import re
from dataclasses import dataclass

from app.exchange.values import Risk

_F = re.IGNORECASE | re.MULTILINE
_DOWNLOAD = r"(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)"
_SHELL = r"(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|php|pwsh|powershell|iex|invoke-expression"


@dataclass(frozen=True, slots=True)
class TextRule:
    """One pattern: its id, how it is to be taken, what it means in a sentence.

    `needles` are lower-case texts one of which stands in every hit: most texts hold none and are passed at once.
    """

    id: str
    risk: Risk
    message: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]


TEXT_RULES: tuple[TextRule, ...] = (
    TextRule(
        "SAFE.REMOTE.RUN",
        Risk.DANGER,
        "Something is fetched from the network and run at once.",
        ("curl", "wget", "iwr", "irm", "invoke-", "iex"),
        re.compile(
            rf"\b{_DOWNLOAD}\b[^\n|]{{0,300}}\|[^\n]{{0,60}}?\b(?:{_SHELL})\b"
            rf"|\b(?:{_SHELL}|source|eval)\b[^\n]{{0,40}}?(?:<\(|\$\(|`)\s*{_DOWNLOAD}\b"
            rf"|\b(?:iex|invoke-expression)\b[^\n]{{0,60}}\b(?:{_DOWNLOAD}|downloadstring)\b",
            _F,
        ),
    ),
    TextRule(
        "SAFE.ENCODED.RUN",
        Risk.DANGER,
        "Encoded text is decoded and run, so that nobody can read what it does.",
        ("base64", "powershell", "b64decode", "fromhex", "atob"),
        re.compile(
            rf"\bbase64\b[^\n|]{{0,60}}\|[^\n]{{0,60}}?\b(?:{_SHELL})\b|\bpowershell\b[^\n]{{0,80}}-e(?:nc|ncodedcommand)\b"
            r"|\b(?:exec|eval)\s*\([^\n]{0,80}(?:b64decode|fromhex|atob)\s*\(",
            _F,
        ),
    ),
    TextRule(
        "SAFE.SECRET.SEND",
        Risk.DANGER,
        "Secrets or private files are read and sent away in one line.",
        ("curl", "wget", "nc", "scp", "invoke-webrequest", "requests.post", "fetch"),
        re.compile(
            r"\b(?:curl|wget|nc|ncat|scp|invoke-webrequest|requests\.post|fetch)\b[^\n]{0,200}"
            r"(?:\.ssh/|id_rsa|id_ed25519|\.aws/|\.netrc|\.env\b|/etc/shadow|\$\(?(?:env|printenv)\b)"
            r"|(?:\.ssh/|id_rsa|id_ed25519|\.aws/credentials|\.netrc|/etc/shadow|\bprintenv\b|\benv\b)[^\n]{0,80}\|"
            r"[^\n]{0,80}\b(?:curl|wget|nc|ncat)\b",
            _F,
        ),
    ),
    TextRule(
        "SAFE.DESTROY",
        Risk.DANGER,
        "A command would delete or overwrite whole folders or disks.",
        ("rm ", "rm\t", "mkfs", "of=/dev/", ":(){", ":()", "format "),
        re.compile(
            r"\brm\s+(?:-\w+\s+){1,4}(?:--no-preserve-root\s+)?[\"']?(?:/|~/?|\$HOME/?)[\"'*]?(?:\s|$|[;&|])"
            r"|\bmkfs(?:\.\w+)?\s+/dev/|\bdd\b[^\n]{0,80}\bof=/dev/(?:sd|nvme|disk|hd)|:\(\)\s*\{\s*:\|:&\s*\};:"
            r"|\bformat\s+[a-z]:\s",
            _F,
        ),
    ),
    TextRule(
        "SAFE.SECRET.READ",
        Risk.CAUTION,
        "It names places where keys and passwords are kept.",
        ("/.", "\\.", "/etc/", "security", "login.keychain"),
        re.compile(
            r"(?:~|\$HOME|%USERPROFILE%|/home/\w+|/root)[/\\]\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc)\b"
            r"|/etc/(?:shadow|sudoers)\b|\bsecurity\s+find-(?:generic|internet)-password\b|\blogin\.keychain\b",
            _F,
        ),
    ),
    TextRule(
        "SAFE.PERSIST",
        Risk.CAUTION,
        "It changes what runs at login or on a schedule.",
        ("crontab", "/.", "authorized_keys", "launchctl", "systemctl", "schtasks", "currentversion"),
        re.compile(
            r"\bcrontab\s+-|(?:>>?|\btee\b[^\n]{0,20})\s*[\"']?(?:~|\$HOME)/\.(?:bashrc|zshrc|profile|bash_profile)\b"
            r"|\bauthorized_keys\b|\blaunchctl\s+load\b|\bsystemctl\s+enable\b|\bschtasks\b[^\n]{0,20}/create\b"
            r"|CurrentVersion\\\\?Run\b",
            _F,
        ),
    ),
    TextRule(
        "SAFE.RIGHTS",
        Risk.CAUTION,
        "It asks for more rights than its user has, or opens files to everybody.",
        ("sudo", "chmod", "set-executionpolicy"),
        re.compile(r"(?:^|[;&|(`]\s*)sudo\s+\S|\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx)\b|\bset-executionpolicy\b", _F),
    ),
    TextRule(
        "SAFE.REMOTE.TEXT",
        Risk.CAUTION,
        "It tells the reader to follow instructions from an address, which can change at any time.",
        ("http://", "https://"),
        re.compile(
            r"\b(?:follow|execute|obey|run|apply)\b[^\n.]{0,60}\b(?:instructions?|commands?|steps)\b[^\n.]{0,40}"
            r"\b(?:at|from|on|in)\b[^\n.]{0,20}https?://",
            _F,
        ),
    ),
    TextRule(
        "SAFE.RUNS.INLINE",
        Risk.CAUTION,
        "Some agents run this command by themselves when they read the skill.",
        ("!`",),
        re.compile(r"(?:^|\s)!`[^`\n]{1,400}`", _F),
    ),
)

#: Front matter that makes other agents run something or gives the skill rights.
RUNNING_FIELDS = ("hooks", "install", "command-dispatch", "required_credential_files", "required_environment_variables")

#: First bytes of programs, and what they are.
PROGRAMS: tuple[tuple[bytes, str], ...] = (
    (b"\x7fELF", "a program for Linux"),
    (b"MZ", "a program for Windows"),
    (b"\xcf\xfa\xed\xfe", "a program for macOS"),
    (b"\xce\xfa\xed\xfe", "a program for macOS"),
    (b"\xca\xfe\xba\xbe", "a compiled program"),
    (b"\x00asm", "a compiled program (WebAssembly)"),
)

#: Endings of files that a system or an agent would run.
SCRIPT_ENDINGS = (
    *(".sh", ".bash", ".zsh", ".fish", ".py", ".pyw", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua"),
    *(".ps1", ".psm1", ".bat", ".cmd", ".vbs", ".command", ".applescript", ".exe", ".com", ".scr", ".msi", ".jar"),
)
