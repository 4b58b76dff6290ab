"""Times, sizes and counts in words, in the user's own zone and locale."""

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale


def local_time(moment: datetime | None, never: str = "never") -> str:
    """Date and time as the system writes them, short; `never` for None."""
    if moment is None:
        return never
    shown = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    return QLocale().toString(shown, QLocale.FormatType.ShortFormat)


def local_date(moment: datetime | None, never: str = "never") -> str:
    """The date alone."""
    if moment is None:
        return never
    return QLocale().toString(
        QDateTime.fromSecsSinceEpoch(int(moment.timestamp())).date(), QLocale.FormatType.ShortFormat
    )


def file_size(count: int) -> str:
    """Bytes in words."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def number(count: int) -> str:
    """A count with the locale's separators."""
    return QLocale().toString(count)
