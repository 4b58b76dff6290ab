"""What a reader of a run's report should look at twice: merges that keep little, umbrellas that hold nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from app.curator.values import Consolidated
from app.cycles.desk import Desk
from app.history.values import Snapshot
from app.proposals.umbrellas import umbrella_findings
from app.skills.values import Skill
from app.text.loss import Keeping
from app.text.values import Fate, Loss


def measured(
    desk: Desk, absorbed: Sequence[Consolidated], before: Mapping[str, Skill], after: Mapping[str, Skill]
) -> tuple[tuple[Consolidated, ...], tuple[str, ...]]:
    """The merges with how much of each skill they keep, and sentences about what is odd.

    `before` and `after` are the skills of the library and of the draft by name. Reads the folders concerned.
    """
    found, doubts = [], []
    for into in dict.fromkeys(item.into for item in absorbed):
        umbrella = after[into].id
        old, new = desk.sides(umbrella)
        keeping = Keeping(_bytes(new))
        doubts += [f"{into}: {finding.message}" for finding in umbrella_findings(old, new)]
        for item in absorbed:
            if item.into == into:
                skill = before[item.name]
                loss = keeping.measure(item.name, _bytes(desk.sides(skill.id)[0]), skill.description)
                found.append(replace(item, kept=round(loss.kept_share, 4), dropped=loss.count(Fate.DROPPED)))
                doubts += _alarm(item, loss)
    order = {item.name: number for number, item in enumerate(absorbed)}
    return tuple(sorted(found, key=lambda item: order[item.name])), tuple(doubts)


def _alarm(item: Consolidated, loss: Loss) -> Iterator[str]:
    if loss.alarm:
        dropped, total = loss.count(Fate.DROPPED), len(loss.units)
        yield f"{item.name}: {item.into} keeps only {loss.kept_share:.0%} of it; {dropped} of {total} pieces would go."


def _bytes(files: Snapshot) -> dict[str, bytes]:
    return {path: blob.data for path, blob in files.items()}
