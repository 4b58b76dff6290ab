"""One setting as a row: label, the control its type asks for, help, and a way back to the default."""

from collections.abc import Mapping
from dataclasses import Field
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from widgets.common.parts import column, label, row, tool_button
from widgets.common.theme import Theme


class PlainNumber(QDoubleSpinBox):
    """A number with a fraction that is only written when there is one."""

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt's own name
        """168, not 168.0."""
        return f"{value:g}"


class SettingField(QWidget):
    """Shows and changes one value. `changed` carries the new value, only for what the user did."""

    changed = Signal(object)

    def __init__(self, theme: Theme, section: str, item: Field[Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.section, self.key = section, item.name
        self._default = item.default
        meta: Mapping[str, Any] = item.metadata
        self.words = f"{meta['label']} {meta['help']} {item.name} {section}".casefold()
        self._title = label(meta["label"])
        self._help = label(meta["help"], "caption", wrap=True)
        self._problem = label(role="danger", wrap=True)
        self._problem.hide()
        self._control = self._make(meta)
        self._control.setAccessibleName(meta["label"])
        self._control.setAccessibleDescription(meta["help"])
        self._title.setBuddy(self._control)
        self._reset = tool_button(theme, "undo", self.tr("Back to the default"))
        self._reset.clicked.connect(self._to_default)
        kept = self._reset.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._reset.setSizePolicy(kept)
        wide = isinstance(self._control, QPlainTextEdit)
        words = column(self._title, self._help, self._problem, spacing=2)
        if wide:
            self.setLayout(column(row(words, self._reset), self._control, margins=(0, 6, 0, 6), spacing=4))
        else:
            line = row(words, self._control, self._reset, margins=(0, 6, 0, 6), spacing=8)
            line.setStretch(0, 1)
            for part in (self._control, self._reset):
                line.setAlignment(part, Qt.AlignmentFlag.AlignTop)
            self._control.setFixedWidth(240 if isinstance(self._control, QLineEdit | QComboBox) else 120)
            self.setLayout(line)

    def set_value(self, value: object) -> None:
        """Show a value without telling anybody."""
        was = self._control.blockSignals(True)
        control = self._control
        if isinstance(control, QCheckBox):
            control.setChecked(value is True)
        elif isinstance(control, QComboBox):
            control.setCurrentIndex(control.findData(value))
        elif isinstance(control, QSpinBox | QDoubleSpinBox) and isinstance(value, int | float):
            control.setValue(value)  # type: ignore[arg-type]
        elif isinstance(control, QPlainTextEdit) and isinstance(value, tuple):
            if not control.hasFocus():
                control.setPlainText("\n".join(value))
        elif isinstance(control, QLineEdit) and not control.isModified():
            control.setText(str(value))
        control.blockSignals(was)
        self._reset.setVisible(value != self._default)
        self.show_problem("")

    def set_hint(self, text: str) -> None:
        """Say what an empty text stands for."""
        if isinstance(self._control, QLineEdit):
            self._control.setPlaceholderText(text)

    def show_problem(self, sentence: str) -> None:
        """Say why a value was not taken; an empty sentence takes the word back."""
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A list is taken when it is left; a wheel over a control that has no focus scrolls the page instead."""
        if event.type() is QEvent.Type.FocusOut and isinstance(watched, QPlainTextEdit):
            self._take_lines(watched)
        if event.type() is QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _make(self, meta: Mapping[str, Any]) -> QWidget:
        default = self._default
        if isinstance(default, bool):
            check = QCheckBox()
            check.toggled.connect(self._take_check)
            return check
        if "choices" in meta:
            return self._make_choice(meta["choices"])
        if isinstance(default, int | float):
            return self._make_number(meta["low"], meta["high"])
        if isinstance(default, tuple):
            lines = QPlainTextEdit()
            lines.setFixedHeight(64)
            lines.setTabChangesFocus(True)
            lines.setPlaceholderText(self.tr("One per line"))
            lines.installEventFilter(self)
            return lines
        text = QLineEdit()
        text.editingFinished.connect(self._take_text)
        return text

    def _make_choice(self, choices: tuple[str, ...]) -> QComboBox:
        box = QComboBox()
        for choice in choices:
            box.addItem(choice, choice)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.installEventFilter(self)
        box.currentIndexChanged.connect(self._take_choice)
        return box

    def _make_number(self, low: float, high: float) -> QWidget:
        whole = isinstance(self._default, int)
        box: QSpinBox | QDoubleSpinBox = QSpinBox() if whole else PlainNumber()
        if isinstance(box, QSpinBox):
            box.setRange(int(low), int(high))
        else:
            box.setRange(low, high)
            box.setDecimals(1)
        box.lineEdit().setTextMargins(6, 0, 0, 0)  # the style sheet's padding ends at the box, not at its field
        box.setKeyboardTracking(False)
        box.setGroupSeparatorShown(True)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        box.installEventFilter(self)
        box.valueChanged.connect(self._take_number)
        return box

    def _take_check(self, on: bool) -> None:
        self.changed.emit(on)

    def _take_number(self, value: float) -> None:
        self.changed.emit(value)

    def _take_choice(self, _index: int) -> None:
        if isinstance(self._control, QComboBox):
            self.changed.emit(self._control.currentData())

    def _take_text(self) -> None:
        if isinstance(self._control, QLineEdit) and self._control.isModified():
            self._control.setModified(False)
            self.changed.emit(self._control.text().strip())

    def _take_lines(self, lines: QPlainTextEdit) -> None:
        if lines.document().isModified():
            lines.document().setModified(False)
            kept = (line.strip() for line in lines.toPlainText().splitlines())
            self.changed.emit(tuple(line for line in kept if line))

    def _to_default(self) -> None:
        self.set_value(self._default)
        self.changed.emit(self._default)
