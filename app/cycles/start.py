"""What happens when a home is opened: finish what was under way, seed a new home, record what others did."""

from collections.abc import Callable, Collection, Generator, Sequence

from app.cancel import CancelToken
from app.cycles.home import OpenHome
from app.cycles.sample import sample_skills
from app.cycles.values import Recorded
from app.errors import AppError, Kind
from app.files import remove_leftovers
from app.history.values import Blob, Entry, Origin
from app.paths import Home, bundled_dir
from app.skills.bundled import read_manifest, seed
from app.skills.heal_usage import heal_usage
from app.skills.journal import recover
from app.skills.usage import UsageFile
from app.skills.values import Action, Notice, Receipt, Request, Writer

#: From this many skills on a first recording is done, and told, in pieces.
_LARGE = 1_000
_PIECE = 500


def start_home(open_home: OpenHome) -> tuple[Notice, ...]:
    """Make a home ready for a window; each trouble is a notice, none keeps the window from opening.

    Nothing of a Hermes home is changed before the user acts: nothing is seeded or recorded there.
    """
    return _each(open_home, (_mark, _recover, _seed, _outside, _settled, _interrupted))


def first_records(open_home: OpenHome, token: CancelToken) -> Generator[Recorded, None, None]:
    """Record a large library that the ledger knows nothing of, piece by piece: it can be stopped between two pieces,
    and others may write meanwhile. Small libraries, and what is known in part, are left to the one look of the start.

    Raises Cancelled.
    """
    if open_home.home.is_hermes or open_home.history.tree_id("skills") is not None:
        return
    rows = [skill.id for skill in open_home.library().skills if skill.in_home and not skill.linked]
    if len(rows) < _LARGE:
        return
    for start in range(0, len(rows), _PIECE):
        token.check()
        open_home.live.observe_outside(rows[start : start + _PIECE])
        yield Recorded(min(start + _PIECE, len(rows)), len(rows))


def ready_home(open_home: OpenHome, heed: Callable[[Recorded], None] | None = None) -> tuple[Notice, ...]:
    """Make a home ready for one command, beside an open window. `heed` hears how far a long first recording is.

    What a crash left is finished, a new home is seeded, and folders that came, went or were renamed meanwhile are
    recorded, so that they keep their pin and history. While another process writes, all of that is left to it and to
    the next command: who only reads does not wait.
    """

    def pieces(open_home: OpenHome) -> tuple[Notice, ...]:
        for recorded in first_records(open_home, CancelToken()):
            if heed is not None:
                heed(recorded)
        return ()

    try:
        with open_home.lock.hold("clearing up", timeout=0.0):
            return _each(open_home, (_mark, _recover, _seed, pieces, _folders))
    except AppError as error:
        if error.kind in (Kind.BUSY, Kind.STORAGE):
            return ()
        raise


def record_outside(open_home: OpenHome, ids: Collection[str] | None) -> Sequence[Entry] | None:
    """Record what other programs changed in these skills (None: in all) while the window is open.

    Returns the new entries; None when somebody writes to the home just now: ask again later. A library that is missing
    was not emptied, it is away: nothing is recorded, and a Hermes home is not written before the user acts.
    """
    if open_home.home.is_hermes or not open_home.home.skills.is_dir():
        return ()
    try:
        with open_home.lock.hold("recording outside changes", timeout=0.0):
            return open_home.live.observe_outside(ids)
    except AppError as error:
        if error.kind is not Kind.BUSY:
            raise
    return None


def is_new(open_home: OpenHome) -> bool:
    """Whether nobody has put skills into this home yet."""
    skills = open_home.home.skills
    try:
        return not skills.is_dir() or not any(skills.iterdir())
    except OSError:
        return False  # what cannot be looked into is not taken for empty; the library's notice says why


def install_sample(open_home: OpenHome) -> tuple[Receipt, ...]:
    """Put the sample library into the home, as one entry of the ledger; skills that exist are left alone."""
    wanted = [item for item in sample_skills(open_home.clock()) if not (open_home.home.skills / item.id).exists()]
    if not wanted:
        return ()
    requests = [
        Request(
            Action.PUT,
            item.id,
            files={path: Blob(data) for path, data in item.files.items()},
            reason="sample library",
        )
        for item in wanted
    ]
    with open_home.lock.hold("installing the sample library"):
        receipts = open_home.door.do_all(requests, Writer(Origin.IMPORT), action="import", reason="sample library")
        records = {item.name: dict(item.record) for item in wanted}
        UsageFile(open_home.home.usage).update(lambda known: known.update(records))
    return receipts


def _each(open_home: OpenHome, steps: tuple[Callable[[OpenHome], tuple[Notice, ...]], ...]) -> tuple[Notice, ...]:
    notices: list[Notice] = []
    for step in steps:
        try:
            notices += step(open_home)
        except AppError as error:
            if all(notice.text != error.text for notice in notices):  # one trouble can stand in the way of many steps
                notices.append(Notice(f"start.{step.__name__}", error.title, error.text))
    return tuple(notices)


def _mark(open_home: OpenHome) -> tuple[Notice, ...]:
    """Before anything is recorded: an entry made without the mark of the newest one would begin a second ledger."""
    with open_home.lock.hold("looking at the history"):
        said = open_home.history.mend_mark()
    return (Notice("history:mark", "The history was mended", said),) if said else ()


def _recover(open_home: OpenHome) -> tuple[Notice, ...]:
    home = open_home.home
    with open_home.lock.hold("clearing up"):
        for folder in (home.root, home.skills, home.memories):
            remove_leftovers(folder)
        notices = recover(home, open_home.history, open_home.lock)
        if not home.is_hermes:
            healed = heal_usage(home, open_home.history, open_home.library, open_home.clock())
            notices += [healed] if healed is not None else []
    return tuple(notices)


def _interrupted(open_home: OpenHome) -> tuple[Notice, ...]:
    open_home.database.read("SELECT 1")  # it is opened here, unless another thread did so first
    return tuple(Notice("start.database", "The database was damaged", text) for text in open_home.key.rescues[-1:])


def _seed(open_home: OpenHome) -> tuple[Notice, ...]:
    if is_new(open_home) or _has_ours(open_home.home):
        seed(open_home.live, open_home.door, bundled_dir())
    return ()


def _has_ours(home: Home) -> bool:
    """Whether the list of bundled skills names one of ours: another program's list is left to it."""
    listed = read_manifest(home)
    return any(folder.name in listed for folder in bundled_dir().iterdir())


def _outside(open_home: OpenHome) -> tuple[Notice, ...]:
    if not open_home.home.is_hermes:
        open_home.live.observe_outside(None)
    return ()


def _folders(open_home: OpenHome) -> tuple[Notice, ...]:
    """Record skills that came or went."""
    if open_home.home.is_hermes:
        return ()
    prefixes = open_home.history.prefixes()
    recorded = {prefix.removeprefix("skills/") for prefix in prefixes if prefix.startswith("skills/")}
    skills = [skill for skill in open_home.library().skills if skill.in_home]
    unknown = {skill.id for skill in skills if skill.real is None and not skill.broken} - recorded
    if unknown or recorded - {skill.id for skill in skills}:
        open_home.live.observe_outside(None)
    return ()


def _settled(open_home: OpenHome) -> tuple[Notice, ...]:
    open_home.settle_proposals()
    return ()
