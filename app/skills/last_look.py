"""The newest picture of a library that any thread of this process has taken, for the others to begin from."""

from app.skills.values import Library


class LastLook:
    """Holds one frozen Library. Reading and replacing it are single steps, so threads need no lock; which of two looks
    of the same moment stays does not matter, since every look checks against the disk what it takes over.
    """

    def __init__(self) -> None:
        self.library: Library | None = None
