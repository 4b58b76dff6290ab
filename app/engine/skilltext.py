"""Writing SKILL.md texts: names, front matter, bodies from a user's own words, and additions to an existing one."""

import json
import re
import unicodedata

from app.text.sections import Label, Section, Sections, split
from app.text.units import sentences, triggers

LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
_PLAIN_SCALAR = re.compile(r"[^\W\d_][^:#\n\"'\[\]{}&*!|>%@`\\]*[^\s:#\n\"'\[\]{}&*!|>%@`\\]")
_YAML_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_LIST_LINE = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+", re.MULTILINE)
_INLINE_NUMBER = re.compile(r"(?:(?<=\s)|\A)\d{1,2}[.)]\s+(?=\S)")
_LAST_NUMBER = re.compile(r"^(\d{1,3})([.)])\s", re.MULTILINE)


def slug(text: str) -> str:
    """A valid skill name from any words: lower-case letters, digits and single hyphens, 64 characters at most."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    ascii_name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    name = ascii_name or re.sub(r"[^\w]+|_+", "-", unicodedata.normalize("NFC", text.casefold())).strip("-")
    return name[:LONGEST_NAME].strip("-")


def titled(name: str) -> str:
    """A name as words that begin with a capital."""
    words = re.sub(r"[-_.]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def scalar(text: str) -> str:
    """A text as a YAML scalar on one line: plain where that is safe to read, else in double quotes."""
    line = " ".join(text.split())
    if _PLAIN_SCALAR.fullmatch(line) and line.casefold() not in _YAML_WORDS:
        return line
    return json.dumps(line, ensure_ascii=False)


def skill_text(name: str, description: str, body: str) -> str:
    """A whole SKILL.md. The description is cut at a word when it is over the limit of the format."""
    return (
        f"---\nname: {name}\ndescription: {scalar(shorten(description, LONGEST_DESCRIPTION))}\n---\n\n{body.strip()}\n"
    )


def shorten(text: str, longest: int) -> str:
    """At most `longest` characters on one line, cut after a word."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def steps_text(said: str) -> str:
    """Steps a user gave in a sentence, as a numbered list; Markdown with lists or code stays as it is."""
    text = said.strip()
    if len(_LIST_LINE.findall(text)) > 1 or "```" in text or text.startswith(("#", "- ", "* ")):
        return text
    parts = [part for part in _INLINE_NUMBER.split(text) if part.strip()]
    if len(parts) < 2:
        pieces = re.split(r"\s*(?:;|\n|->|→|,?\s+then\s+)\s*", text)
        parts = pieces if len(pieces) > 1 else list(sentences(text))
    clean = [capital(part.strip().rstrip(";,")) for part in parts if part.strip(" ;,")]
    return "\n".join(f"{number}. {part}" for number, part in enumerate(clean, 1))


def capital(text: str) -> str:
    """The text with its first letter large; code and addresses stay as they are."""
    return text[:1].upper() + text[1:] if text[:1].isalpha() and not re.match(r"\S*[./_\\(=]\w", text) else text


def described(name: str, said: str) -> str:
    """A description from the user's words: what the skill is about, what it begins with, when to use it."""
    topic = re.sub(r"[-_.]+", " ", name)
    when = next((part for part in sentences(said) if re.match(r"use (?:this |it )?(?:when|for|if)\b", part, re.I)), "")
    first = _LIST_LINE.sub("", steps_text(said).split("\n", 1)[0]).strip("# `")
    return f"{titled(name)}: {shorten(first, 160).rstrip('.')}. {when or f'Use when the task is about {topic}.'}"


def section_for(document: Sections, labels: tuple[Label, ...]) -> Section | None:
    """The last section with one of the labels, in the order of the labels."""
    for label in labels:
        found = [section for section in document.sections if section.label is label and section.body.strip()]
        if found:
            return found[-1]
    return None


def with_item(section: Section, item: str) -> str:
    """The section's Markdown with one more list item at its end, numbered on when it is a numbered list."""
    text = section.text.rstrip()
    tail = section.text[len(text) :] or "\n"
    last = text.splitlines()[-1] if text else ""
    in_code = text.count("```") % 2 == 1 or last.startswith("```")
    numbers = [] if in_code else _LAST_NUMBER.findall(text)
    listed = bool(_LIST_LINE.match(last) or (last.startswith((" ", "\t")) and _LIST_LINE.search(text)))
    line = f"{int(numbers[-1][0]) + 1}{numbers[-1][1]} {item}" if numbers and listed else f"- {item}"
    return f"{text}{'' if listed else chr(10)}\n{line}{tail}"


def add_item(content: str, item: str, labels: tuple[Label, ...], heading: str) -> tuple[str, str]:
    """How a SKILL.md takes one more rule: (old text, new text) for a patch.

    The item joins the last section with one of the labels; without one, a section `heading` is added at the end.
    """
    document = split(content)
    section = section_for(document, labels)
    if section is not None and content.count(section.text.strip("\n")) == 1:
        old = section.text.strip("\n")
        return old, with_item(section, item).strip("\n")
    return at_end(content, f"## {heading}\n\n- {item}")


def at_end(content: str, block: str) -> tuple[str, str]:
    """A patch that adds a block of Markdown at the end; the old text is the shortest unique tail of whole lines."""
    lines = content.rstrip("\n").split("\n")
    for count in range(1, len(lines) + 1):
        old = "\n".join(lines[-count:])
        if old.strip() and content.count(old) == 1:
            return old, f"{old}\n\n{block.strip()}"
    return content, f"{content.rstrip()}\n\n{block.strip()}\n"


def topic_words(text: str, most: int) -> tuple[str, ...]:
    """The first words of a text that carry meaning, folded."""
    return tuple(unit.text.casefold() for unit in triggers(text))[:most]
