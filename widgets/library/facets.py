"""Facets: how many skills of the list have which source, author, category or tag; a click writes it into the filter."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.skills.values import Skill
from widgets.common.chips import FilterChip
from widgets.common.flow import FlowLayout
from widgets.common.parts import column, label, scroll_area
from widgets.common.theme import Theme
from widgets.library.filter_language import Filter, has_term, parse_filter

#: So many values of one facet are offered; the rest can be typed.
_MOST = 14
_WIDTH = 420
_KINDS = ("linked", "shadowed", "edited", "remarked", "unrecorded")
_PROBES: Mapping[str, Filter] = {kind: parse_filter(f"is:{kind}") for kind in _KINDS}
_READERS: Mapping[str, Callable[[Skill], Iterable[str]]] = {
    "source": lambda skill: (skill.source.value,),
    "author": lambda skill: (skill.author.value,),
    "managed": lambda skill: ("yes" if skill.managed else "no",),
    "enabled": lambda skill: ("yes" if skill.enabled else "no",),
    "category": lambda skill: (skill.category,) if skill.category else (),
    "tag": lambda skill: skill.tags,
    "is": lambda skill: [kind for kind in _KINDS if _PROBES[kind].fits(skill)],
}


@dataclass(frozen=True, slots=True)
class Facet:
    """One key of the filter language with its values: (value, skills that have it, whether the filter asks for it)."""

    key: str
    values: tuple[tuple[str, int, bool], ...]


def count_facets(skills: Sequence[Skill], shown: Filter, waiting: Mapping[str, int]) -> tuple[Facet, ...]:
    """Facets over the skills that the rest of the filter lets through, so that a second value of a key can be added."""
    found = []
    for key, read in _READERS.items():
        rest = Filter(tuple(term for term in shown.terms if term.key != key or term.negated))
        counts = Counter(
            value for skill in skills if rest.fits(skill, waiting.get(skill.id, 0)) for value in read(skill)
        )
        asked = {term.value for term in shown.terms if term.key == key and not term.negated}
        best = sorted(counts, key=lambda value: (value.casefold() not in asked, -counts[value], value))[:_MOST]
        values = tuple((value, counts[value], has_term(shown, key, value.casefold())) for value in best)
        if len(values) > 1 or any(chosen for *_, chosen in values) or (values and key == "is"):
            found.append(Facet(key, values))
    return tuple(found)


class FacetPanel(QFrame):
    """A panel under the search field; it stays while several values are clicked, and closes on a click beside it."""

    #: key, value, whether it is wanted
    term_toggled = Signal(str, str, bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._theme = theme
        self._terms: dict[FilterChip, tuple[str, str]] = {}
        self._groups = QVBoxLayout()
        self._groups.setContentsMargins(12, 10, 12, 12)
        self._groups.setSpacing(6)
        inside = QWidget()
        inside.setProperty("ground", "surface")
        inside.setLayout(self._groups)
        self.setProperty("card", "true")
        self.setLayout(column(scroll_area(inside, self.tr("Facets")), margins=(1, 1, 1, 1)))

    def set_facets(self, facets: Sequence[Facet]) -> None:
        """Show these facets."""
        self._terms.clear()
        while (item := self._groups.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for facet in facets:
            self._groups.addWidget(self._group(facet))
        if not facets:
            self._groups.addWidget(label(self.tr("All skills are alike here."), "muted"))
        self._groups.addStretch(1)
        self._groups.activate()

    def open_at(self, place: QPoint, room: QRect) -> None:
        """Show the panel below a place of the screen, inside `room`."""
        high = self._groups.heightForWidth(_WIDTH - 24) + 8
        wanted = QRect(place.x(), place.y(), _WIDTH, min(high, max(160, room.bottom() - place.y() - 8)))
        wanted.moveRight(min(wanted.right(), room.right() - 4))
        self.setGeometry(wanted)
        self.show()

    @property
    def chips(self) -> tuple[FilterChip, ...]:
        """The chips from top to bottom."""
        return tuple(self._terms)

    def _group(self, facet: Facet) -> QWidget:
        titles = {
            "source": self.tr("Source"),
            "author": self.tr("Author"),
            "managed": self.tr("Managed by automation"),
            "enabled": self.tr("Offered to the agent"),
            "category": self.tr("Category"),
            "tag": self.tr("Tag"),
            "is": self.tr("Kind"),
        }
        flow = FlowLayout(spacing=4)
        for value, count, chosen in facet.values:
            chip = FilterChip(self._theme, f"{facet.key}-{value}", value)
            chip.set_count(count)
            chip.setChecked(chosen)
            chip.clicked.connect(self._on_chip)
            self._terms[chip] = (facet.key, value)
            flow.addWidget(chip)
        group = QWidget()
        group.setLayout(column(label(titles[facet.key], "section"), flow, spacing=4))
        return group

    @Slot()
    def _on_chip(self) -> None:
        chip = self.sender()
        if isinstance(chip, FilterChip) and chip in self._terms:
            self.term_toggled.emit(*self._terms[chip], chip.isChecked())
