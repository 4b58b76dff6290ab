"""A lane with a home of its own: opened in its thread at the first job, and closed there."""

from collections.abc import Callable, Generator
from typing import Any

from PySide6.QtCore import QObject

from app.bridge.lane import Job, Lane
from app.cancel import CancelToken
from app.cycles.home import OpenHome

#: A job that works on the home: takes the lane's home and the token, yields events, returns a result.
HomeJob = Callable[[OpenHome, CancelToken], Generator[Any, None, Any]]


class _Keeper:
    """Holds the lane's home; used only in the lane's thread."""

    def __init__(self, opener: Callable[[], OpenHome]) -> None:
        self._opener = opener
        self._home: OpenHome | None = None

    def get(self) -> OpenHome:
        """The lane's home, opened at the first call."""
        if self._home is None:
            self._home = self._opener()
        return self._home

    def close(self) -> None:
        """Close the home, if it was opened."""
        home, self._home = self._home, None
        if home is not None:
            home.close()


class HomeLane(Lane):
    """A lane whose jobs work on one home."""

    def __init__(self, name: str, opener: Callable[[], OpenHome], parent: QObject | None = None) -> None:
        self._keeper = _Keeper(opener)
        super().__init__(name, parent, close=self._keeper.close)

    def work(self, name: str, make: HomeJob) -> Job:
        """Queue a job that works on the home."""
        keeper = self._keeper

        def play(token: CancelToken) -> Generator[Any, None, Any]:
            return (yield from make(keeper.get(), token))

        return self.submit(name, play)

    def ask(self, name: str, question: Callable[[OpenHome], object]) -> Job:
        """Queue a job that has no steps: `question` is answered in the lane, the answer is the job's result."""

        def make(home: OpenHome, token: CancelToken) -> Generator[Any, None, Any]:
            token.check()
            yield from ()
            return question(home)

        return self.work(name, make)
