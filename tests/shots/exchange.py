"""The sheets of the exchange in their states, for the pictures."""

from collections.abc import Iterator

from PySide6.QtWidgets import QDialog, QWidget

from app.errors import Failure
from tests.widgets import sample_exchange as sample
from widgets.common.theme import Theme
from widgets.exchange.import_sheet import ImportSheet
from widgets.exchange.link_sheet import LinkSheet
from widgets.exchange.update_sheet import UpdateSheet


def exchange_sheets(theme: Theme, parent: QWidget) -> Iterator[tuple[str, QDialog]]:
    """Where from, reading, refused, choosing, a danger, a taken name; agents; updates."""
    sheet = ImportSheet(theme, parent)
    yield "import-source", sheet
    sheet.show_failure(Failure("Not a safe address", "http:// can be read and changed on the way. Use https://."))
    yield "import-refused", sheet
    sheet.show_reading("Fetching https://example.org/team/skills")
    yield "import-reading", sheet
    for key in ("git-notes", "web-release", "meeting-notes", "half"):
        sheet.show_look(sample.look())
        sheet.offers.select(f"skills/{key}")
        yield f"import-{key}", sheet
    links = LinkSheet(theme, parent)
    links.begin("git-notes", "git-notes")
    links.set_views("git-notes", sample.views())
    yield "links", links
    updates = UpdateSheet(theme, parent)
    updates.show_renewals(sample.renewals())
    yield "updates", updates
