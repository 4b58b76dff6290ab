"""What the built-in engine says about itself, and how results are put into sentences."""

from app.engine.transcript import Result

GREETING = (
    "Hello. I am the built-in engine of Melete: **basic mode, no language model**. I work by rules, offline, and "
    "I answer only with what stands in your skills, your memory and your earlier conversations, with the source. "
    "Ask how to do something, or say `help`."
)

HELP = """This is **basic mode**: no language model, only rules. I never make things up; I look things up and \
quote them. You can say:

- a question in your own words: I quote the section of the skill that fits best, with its source
- `list my skills` · `show NAME` · `what did we say about …`
- `what do you remember` · `remember that …` · `from now on …` · `call me …` · `forget …`
- `create a skill called NAME: first step; second step` · `add to skill NAME: …` · `delete the skill NAME`

After each turn a review looks at what you said. A correction ("use X instead of Y"), a preference ("I prefer …", \
"always … when …") or steps you report as working ("that worked") become memory or a skill, and you see each \
change with its difference and an undo.

For free conversation, connect a model in the settings; everything else stays the same."""

THANKS = "You are welcome."

NOTED = (
    "I have no rule for a reply to that (basic mode, no language model). The review after this turn keeps what is"
    " clearly a correction, a preference or a working recipe. Say `help` to see what I can do."
)

HEARD = (
    "Understood: “{text}”. The review after this turn decides whether that belongs into memory or into a skill, "
    "and shows you what it changed."
)

RECIPE = (
    "Good. You wrote steps and say they work: the review after this turn keeps them as a skill, or adds them to "
    "one that covers the task, and shows you what it changed."
)

UNKNOWN = (
    "I found nothing about that in your skills, your memory or earlier conversations, and in basic mode (no "
    "language model) I do not guess."
)

UNKNOWN_NEXT = (
    "You can teach me: `create a skill called NAME: first step; second step`. Or connect a model in the settings."
    " `help` lists what I can do."
)

PIN = (
    "Pinning is yours alone, no agent can do it. Use the pin in the skill's header or its context menu, or "
    "`melete pin {name}` on the command line (`unpin` takes it back)."
)

RESTORE = (
    "Restoring is yours alone, no agent can do it. Choose the skill under *archived* in the library and press "
    "Restore, or run `melete restore {name}`."
)

CURATOR = (
    "The curator folds sibling skills into wider ones and files the result as a proposal; nothing changes before "
    "you approve. Start it on the Curator page (*Run now* or *Dry run*), or with `melete curator run`."
)


def missing_tool(name: str) -> str:
    """The sentence when a tool this needs is not offered in this conversation."""
    return f"I cannot do that here: the tool `{name}` is not available in this conversation."


def outcome(result: Result, done: str, waiting: str) -> str:
    """How a change ended: `done` when it was applied, `waiting` when the user has to decide, else the tool's reason."""
    if not result.ok:
        return f"Nothing was changed. {result.sentence or 'The tool gave no reason.'}"
    return waiting if result.waiting else done


def quoted(text: str) -> str:
    """Markdown as a block quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip("\n").splitlines())
