"""Times, sizes and counts in words, in the user's own zone and locale."""

from datetime import datetime

from PySide6.QtCore import QDate, QDateTime, QLocale


def local_time(moment: datetime | None, never: str = "never") -> str:
    """Date and time as the system writes them, short; `never` for None."""
    if moment is None:
        return never
    shown = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    if QLocale().language() is QLocale.Language.C:  # a system without a locale writes "1 12 2026"
        return shown.toString("yyyy-MM-dd HH:mm")
    return QLocale().toString(shown, QLocale.FormatType.ShortFormat)


def local_date(moment: datetime | None, never: str = "never") -> str:
    """The date alone."""
    if moment is None:
        return never
    return day_of(QDateTime.fromSecsSinceEpoch(int(moment.timestamp())).date())


def day_of(day: QDate) -> str:
    """A day of the calendar as the system writes it, short."""
    if QLocale().language() is QLocale.Language.C:
        return day.toString("yyyy-MM-dd")
    return QLocale().toString(day, QLocale.FormatType.ShortFormat)


def file_size(count: int) -> str:
    """Bytes in words."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def number(count: int) -> str:
    """A count with the locale's separators."""
    return QLocale().toString(count)
