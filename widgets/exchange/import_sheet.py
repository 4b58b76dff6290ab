"""The import sheet: where from, what is there, what to do with each skill. Nothing is written before *Import*."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QDialog, QProgressBar, QStackedWidget, QWidget

from app.errors import Failure
from app.exchange.values import Choice, Clash, Look, Pick, Progress
from widgets.common.parts import ElidedLabel, bar, button, column, label, row
from widgets.common.reveal import revealed
from widgets.common.split import Split
from widgets.common.theme import Theme
from widgets.exchange.choices import Choices
from widgets.exchange.offer_detail import OfferDetail
from widgets.exchange.offer_list import OfferList
from widgets.exchange.source_page import SourcePage
from widgets.exchange.words import size_words

#: Folders that were not looked into are named up to this many.
_NAMED = 3


class ImportSheet(QDialog):
    """Signals: look_requested(source, whether plain http is allowed), answered by `show_look` or `show_failure`;
    cancel_requested() while it is read; take_requested(Look, picks).
    """

    look_requested = Signal(str, bool)
    cancel_requested = Signal()
    take_requested = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._seen: Look | None = None
        self._choices: Choices | None = None
        self.setWindowTitle(self.tr("Import skills"))
        self.resize(900, 600)
        self.source = SourcePage(theme)
        self.offers = OfferList(theme)
        self.detail = OfferDetail(theme)
        self._doing = label(role="heading", wrap=True)
        self._so_far = label(role="muted")
        self._head = ElidedLabel(theme, "muted")
        self._all = QComboBox()
        self._summary = label(role="muted", wrap=True)
        self._problem = label(role="danger", wrap=True)
        self.take = button(theme, self.tr("Import"), "primary", "download")
        self._pages = QStackedWidget()
        for page in (self._source_page(theme), self._reading_page(theme), self._choice_page(theme)):
            self._pages.addWidget(page)
        self.setLayout(column(self._pages, spacing=0))
        self.source.chosen.connect(self._on_chosen)
        self.offers.current_changed.connect(self._on_current)
        self.detail.changed.connect(self._on_changed)
        self.rejected.connect(self._on_rejected)
        self.finished.connect(self._let_go)

    def _source_page(self, theme: Theme) -> QWidget:
        cancel = button(theme, self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        page = QWidget()
        foot = bar(row(None, cancel, self.source.look, margins=(16, 10, 16, 10)), "bg", "top")
        whole = column(self.source, foot, spacing=0)
        whole.setStretch(0, 1)
        page.setLayout(whole)
        return page

    def _reading_page(self, theme: Theme) -> QWidget:
        busy = QProgressBar()
        busy.setRange(0, 0)
        busy.setAccessibleName(self.tr("Reading the source"))
        self._stop = button(theme, self.tr("Cancel"), icon="stop")
        self._stop.clicked.connect(self.cancel_requested)
        page = QWidget()
        inside = column(None, self._doing, busy, self._so_far, None, margins=(24, 24, 24, 24), spacing=12)
        foot = bar(row(None, self._stop, margins=(16, 10, 16, 10)), "bg", "top")
        whole = column(inside, foot, spacing=0)
        whole.setStretch(0, 1)
        page.setLayout(whole)
        return page

    def _choice_page(self, theme: Theme) -> QWidget:
        self._all.setAccessibleName(self.tr("What to do with all whose name is taken"))
        self._all.addItem(self.tr("Names that are taken…"))
        self._all.addItem(self.tr("Leave all of them out"), Choice.SKIP)
        self._all.addItem(self.tr("Keep both, under new names"), Choice.RENAME)
        self._all.addItem(self.tr("Update all that are here"), Choice.UPDATE)
        self._all.activated.connect(self._on_all)
        again = button(theme, self.tr("Another source"), icon="arrow-left")
        again.clicked.connect(self._on_again)
        cancel = button(theme, self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.take.clicked.connect(self._on_take)
        head = row(self._head, self._all, margins=(16, 8, 16, 8))
        head.setStretch(0, 1)
        foot = row(again, self._summary, cancel, self.take, margins=(16, 10, 16, 10), spacing=8)
        foot.setStretch(1, 1)
        page = QWidget()
        middle = Split(self.offers, self.detail, 430, 260)
        self._problem.setContentsMargins(16, 8, 16, 8)
        self._problem.hide()
        whole = column(bar(head, "surface"), middle, self._problem, bar(foot, "bg", "top"), spacing=0)
        whole.setStretch(1, 1)
        page.setLayout(whole)
        return page

    @property
    def page(self) -> str:
        """`source`, `reading` or `choice`."""
        return ("source", "reading", "choice")[self._pages.currentIndex()]

    def begin(self, source: str = "") -> None:
        """Ask for a source, or look at this one at once."""
        self._pages.setCurrentIndex(0)
        self.source.set_source(source)
        self.source.setFocus()
        if source:
            self._on_chosen(source, False)

    def show_reading(self, text: str) -> None:
        """Something is being read."""
        self._doing.setText(text)
        self._so_far.setText("")
        self._stop.setEnabled(True)
        self._pages.setCurrentIndex(1)

    @Slot(object)
    def show_progress(self, progress: Progress) -> None:
        """How far the reading is."""
        self._doing.setText(progress.text)
        self._so_far.setText(size_words(progress.done) if progress.done and progress.text.startswith("Fetch") else "")

    @Slot(object)
    def show_look(self, seen: Look) -> None:
        """Show what the source holds."""
        self._seen = seen
        self._choices = Choices(seen)
        self._problem.hide()
        self._head.set_text(self.tr("From {}").format(seen.location.text))
        taken = [offer for offer in seen.offers if offer.clash not in (Clash.NONE, Clash.SAME)]
        self._all.setVisible(len(taken) > 1)
        self._all.setCurrentIndex(0)
        self.offers.set_offers(seen.offers, self._choices)
        self._pages.setCurrentIndex(2)
        self._sum_up()
        self.offers.setFocus()

    @Slot(object)
    def show_failure(self, failure: Failure) -> None:
        """The source was not taken: say why, and ask again."""
        self._pages.setCurrentIndex(0)
        self.source.show_problem(f"{failure.title}. {failure.text}")

    @Slot()
    def show_stopped(self) -> None:
        """The reading was cancelled."""
        if self.page == "reading":
            self._pages.setCurrentIndex(0)

    @Slot()
    def show_imported(self) -> None:
        """What was picked is in the library."""
        if self.page == "reading":
            self.accept()

    @Slot(object)
    def show_take_failure(self, failure: Failure) -> None:
        """Nothing was imported: everything that was chosen is still there."""
        self._pages.setCurrentIndex(2)
        self._problem.setText(f"{failure.title}. {failure.text}")
        self._problem.show()

    @Slot(str, bool)
    def _on_chosen(self, source: str, insecure: bool) -> None:
        self.show_reading(self.tr("Reading {}").format(source))
        self.look_requested.emit(source, insecure)

    @Slot(str)
    def _on_current(self, key: str) -> None:
        if self._seen is not None and self._choices is not None:
            offer = next(one for one in self._seen.offers if one.key == key)
            self.detail.show_offer(offer, self._choices)

    @Slot(str)
    def _on_changed(self, key: str) -> None:
        if self._seen is not None and self._choices is not None:
            offer = next(one for one in self._seen.offers if one.key == key)
            self.offers.refresh(offer, self._choices)
            self._sum_up()

    @Slot(int)
    def _on_all(self, index: int) -> None:
        choice = self._all.itemData(index)
        if choice is None or self._seen is None or self._choices is None:
            return
        self._choices.decide_clashes(Choice(choice))
        for offer in self._seen.offers:
            self.offers.refresh(offer, self._choices)
        self._on_current(self.detail.key or "")
        self._sum_up()

    def _sum_up(self) -> None:
        if self._seen is None or self._choices is None:
            return
        count, total = self._choices.count, len(self._seen.offers)
        broken = sum(bool(offer.problem) for offer in self._seen.offers)
        parts = [self.tr("{} of {} come in").format(count, total)]
        if broken:
            parts.append(self.tr("{} cannot").format(broken))
        hidden = self._seen.contents.hidden
        if hidden:
            named = ", ".join(f"{revealed(one.path)} ({one.skills})" for one in hidden[:_NAMED])
            parts.append(self.tr("not looked into: {}").format(named + ("…" if len(hidden) > _NAMED else "")))
        if self._seen.scanners:
            parts.append(self.tr("also read by {}").format(", ".join(self._seen.scanners)))
        self._summary.setText(" · ".join(parts))
        words = self.tr("Import one skill") if count == 1 else self.tr("Import {} skills").format(count)
        self.take.setText(words if count else self.tr("Import"))
        self.take.setEnabled(count > 0 and not self._choices.unnamed)

    @Slot()
    def _on_again(self) -> None:
        self._pages.setCurrentIndex(0)
        self.source.setFocus()

    @Slot()
    def _on_take(self) -> None:
        if self._seen is not None and self._choices is not None:
            picks: tuple[Pick, ...] = self._choices.picks()
            self.show_reading(self.tr("Importing…"))
            self._stop.setEnabled(False)
            self.take_requested.emit(self._seen, picks)

    @Slot()
    def _on_rejected(self) -> None:
        if self.page == "reading" and self._stop.isEnabled():
            self.cancel_requested.emit()

    @Slot()
    def _let_go(self) -> None:
        """The sheet is closed: what the source held is not kept in memory."""
        self._seen = self._choices = None
        self.offers.clear()
