"""What happens once when a home is opened by a window: finish what was under way, seed, and record what others did."""

from app.cycles.home import OpenHome
from app.cycles.sample import sample_skills
from app.errors import AppError
from app.history.values import Blob, Entry, Origin, Record
from app.skills.bundled import seed
from app.skills.journal import recover
from app.skills.values import Notice


def start_home(open_home: OpenHome) -> tuple[Notice, ...]:
    """Make a home ready: finish an interrupted action, close interrupted turns, record outside changes, seed.

    A Hermes home is left as it is: nothing is seeded. Each trouble is a notice; none keeps the window from opening.
    """
    steps = (_recover, _interrupted, _seed, _outside)
    notices: list[Notice] = []
    for step in steps:
        try:
            notices += step(open_home)
        except AppError as error:
            notices.append(Notice(f"start.{step.__name__}", error.title, error.text))
    return tuple(notices)


def install_sample(open_home: OpenHome) -> Entry:
    """Put the sample library into the home, as one entry of the ledger; skills that exist are left alone."""
    now = open_home.clock()
    with open_home.lock.hold("installing the sample library"):
        wanted = [item for item in sample_skills(now) if not (open_home.home.skills / item.id).exists()]
        return open_home.live.import_folders(
            {item.id: {path: Blob(data) for path, data in item.files.items()} for item in wanted},
            {item.name: item.record for item in wanted},
            Record(Origin.IMPORT, "import", tuple(item.id for item in wanted), "sample library"),
        )


def _recover(open_home: OpenHome) -> tuple[Notice, ...]:
    return tuple(recover(open_home.home, open_home.history, open_home.lock))


def _interrupted(open_home: OpenHome) -> tuple[Notice, ...]:
    rescue = open_home.database.rescue
    open_home.sessions.mark_interrupted()
    return (Notice("start.database", "The database was damaged", rescue.text),) if rescue is not None else ()


def _seed(open_home: OpenHome) -> tuple[Notice, ...]:
    if not open_home.home.is_hermes:
        seed(open_home.home, open_home.history, open_home.lock, open_home.clock)
    return ()


def _outside(open_home: OpenHome) -> tuple[Notice, ...]:
    if not open_home.home.is_hermes:
        open_home.live.observe_outside(None)
    return ()
