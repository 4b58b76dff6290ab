"""The base of the start: an empty PySide6 main window. Prints when it answers, and how much memory it holds."""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

from tests.bench.measure import cpu_seconds, memory_mb


def main() -> None:
    """Show an empty window and leave."""
    app = QApplication(sys.argv[:1])
    window = QMainWindow()
    window.resize(1280, 800)
    window.show()

    def answer() -> None:
        sys.stdout.write(f"interactive {memory_mb()}\ncpu {cpu_seconds()}\n")
        sys.stdout.flush()
        QTimer.singleShot(0, app.quit)

    QTimer.singleShot(0, answer)
    app.exec()


if __name__ == "__main__":
    main()
