"""The right side of the import sheet: one skill of the source, what was found in it, and what to do with it."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QFrame, QLayout, QLineEdit, QRadioButton, QVBoxLayout, QWidget

from app.exchange.values import Choice, Hint, Offer, Risk
from widgets.common.chips import Chip
from widgets.common.parts import card, column, label, row, scroll_area
from widgets.common.reveal import revealed
from widgets.common.theme import Theme
from widgets.exchange.choices import Choices
from widgets.exchange.words import choice_words, files_words, risk_words, size_words, verdict

_MOST = 60


class OfferDetail(QWidget):
    """Shows one offer anew each time it is set. Signals: changed(key) when the choice for it was changed here."""

    changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._offer: Offer | None = None
        self._choices: Choices | None = None
        self._group: QButtonGroup | None = None
        self._name: QLineEdit | None = None
        self._accept: QCheckBox | None = None
        self._inside = QWidget()
        self._lines = QVBoxLayout(self._inside)
        self._lines.setContentsMargins(16, 12, 16, 16)
        self._lines.setSpacing(8)
        self._area = scroll_area(self._inside, self.tr("About the skill"))
        self.setLayout(column(self._area, spacing=0))

    @property
    def key(self) -> str | None:
        """The offer that is shown."""
        return self._offer.key if self._offer is not None else None

    def choose(self, choice: Choice) -> None:
        """Press the button of a choice."""
        for made in self._group.buttons() if self._group is not None else ():
            if Choice(made.property("choice")) is choice:
                made.click()

    def show_offer(self, offer: Offer, choices: Choices) -> None:
        """Show this skill and the choice for it."""
        self._offer, self._choices = offer, choices
        self._clear()
        words, token, _ = verdict(offer)
        facts = f"{files_words(offer.file_count)}, {size_words(offer.size)}"
        head = row(label(revealed(offer.name), "title"), Chip(self._theme, words, token), None)
        self._add(head)
        self._text(offer.description, "")
        self._text(f"{offer.key or self.tr('the source itself')} → {offer.target} · {facts}", "caption")
        if offer.problem:
            self._text(offer.problem, "danger")
        else:
            self._decide(offer, choices)
        self._hints(offer)
        self._remarks(offer)
        self._left_out(offer)
        self._lines.addStretch(1)
        self._area.verticalScrollBar().setValue(0)

    def _decide(self, offer: Offer, choices: Choices) -> None:
        if offer.risk is Risk.DANGER:
            self._accept = QCheckBox(self.tr("I looked at the dangers below and trust the source"))
            self._accept.setChecked(choices.accepted(offer.key))
            self._accept.toggled.connect(self._on_accept)
            self._add(self._accept)
        if offer.clash_text:
            self._text(offer.clash_text, "warn")
        self._group = QButtonGroup(self)
        for choice in offer.choices:
            made = QRadioButton(choice_words(choice))
            made.setProperty("choice", choice)
            made.setChecked(choices.choice(offer.key) is choice)
            made.setEnabled(choices.free(offer.key) or choice is Choice.SKIP)
            self._group.addButton(made)
            self._add(made)
        self._group.buttonClicked.connect(self._on_choice)
        if Choice.RENAME in offer.choices:
            self._name = QLineEdit(choices.name(offer.key))
            self._name.setAccessibleName(self.tr("New name"))
            self._name.setPlaceholderText(self.tr("new-name"))
            self._name.setEnabled(choices.choice(offer.key) is Choice.RENAME)
            self._name.textChanged.connect(self._on_name)
            self._add(row(label(self.tr("New name"), "muted"), self._name))

    def _hints(self, offer: Offer) -> None:
        if offer.problem:
            return
        self._text(self.tr("Safety read"), "section")
        if not offer.hints:
            self._text(self.tr("No rule found anything. That is no promise: read what you import."), "muted")
        for hint in offer.hints[:_MOST]:
            self._add(self._hint(hint))
        if len(offer.hints) > _MOST:
            self._text(self.tr("and {} more").format(len(offer.hints) - _MOST), "muted")

    def _hint(self, hint: Hint) -> QFrame:
        word, token = risk_words(hint.risk)
        where = f"{hint.file}:{hint.line}" if hint.line else hint.file
        place = label(revealed(where), "mono", wrap=True)
        head = row(Chip(self._theme, word, token, tip=hint.rule), label(hint.rule, "caption"), None)
        parts: list[QWidget | QLayout | None] = [head, label(hint.message, wrap=True), place]
        if hint.excerpt:
            parts.append(label(revealed(hint.excerpt), "mono", wrap=True))
        return card(column(*parts, margins=(10, 8, 10, 8), spacing=4))

    def _remarks(self, offer: Offer) -> None:
        if offer.findings:
            self._text(self.tr("Format"), "section")
        for finding in offer.findings[:_MOST]:
            where = self.tr("line {}: ").format(finding.line) if finding.line else ""
            self._text(f"{finding.rule}  {where}{finding.message}", "muted")

    def _left_out(self, offer: Offer) -> None:
        if offer.left_out:
            self._text(self.tr("Left out"), "section")
        for item in offer.left_out[:_MOST]:
            self._text(f"{item.path}: {item.why}", "muted")

    def _text(self, text: str, role: str) -> None:
        self._add(label(revealed(text), role, wrap=True))

    def _add(self, item: QWidget | QLayout) -> None:
        if isinstance(item, QWidget):
            self._lines.addWidget(item)
        else:
            self._lines.addLayout(item)

    def _clear(self) -> None:
        """A new inside: what was shown before goes with the old one."""
        self._group = self._name = self._accept = None
        self._inside = QWidget()
        self._lines = QVBoxLayout(self._inside)
        self._lines.setContentsMargins(16, 12, 16, 16)
        self._lines.setSpacing(8)
        self._area.setWidget(self._inside)
        self._inside.setAutoFillBackground(False)

    @Slot(bool)
    def _on_accept(self, on: bool) -> None:
        if self._offer is not None and self._choices is not None:
            self._choices.accept(self._offer.key, on=on)
            self._follow()

    @Slot()
    def _on_choice(self) -> None:
        pressed = self._group.checkedButton() if self._group is not None else None
        if pressed is not None and self._offer is not None and self._choices is not None:
            self._choices.choose(self._offer.key, Choice(pressed.property("choice")))
            self._follow()

    @Slot(str)
    def _on_name(self, name: str) -> None:
        if self._offer is not None and self._choices is not None:
            self._choices.rename(self._offer.key, name)
            self.changed.emit(self._offer.key)

    def _follow(self) -> None:
        """Show the choice as it stands, without making the page anew under the pointer."""
        offer, choices = self._offer, self._choices
        if offer is None or choices is None:
            return
        for made in self._group.buttons() if self._group is not None else ():
            choice = Choice(made.property("choice"))
            made.setEnabled(choices.free(offer.key) or choice is Choice.SKIP)
            made.setChecked(choices.choice(offer.key) is choice)
        if self._name is not None:
            self._name.setEnabled(choices.choice(offer.key) is Choice.RENAME)
        self.changed.emit(offer.key)
