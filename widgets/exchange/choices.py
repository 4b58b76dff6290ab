"""What the user wants done with each skill of a source: begins with what is proposed, ends as the list of picks."""

from app.exchange.values import Choice, Clash, Look, Offer, Pick, Risk

_TAKEN = (Choice.IMPORT, Choice.UPDATE, Choice.RENAME)


class Choices:
    """The choices for one source that was looked at."""

    def __init__(self, seen: Look) -> None:
        self._offers = {offer.key: offer for offer in seen.offers}
        self._choices = {offer.key: offer.choice for offer in seen.offers}
        self._names = {offer.key: offer.new_name for offer in seen.offers}
        self._accepted: set[str] = set()

    def choice(self, key: str) -> Choice:
        """What is done with a skill now."""
        return self._choices[key]

    def name(self, key: str) -> str:
        """The new name it gets, when it is taken under one."""
        return self._names[key]

    def accepted(self, key: str) -> bool:
        """Whether its dangers were seen and taken."""
        return key in self._accepted

    def choose(self, key: str, choice: Choice) -> None:
        """Do this with a skill; what cannot be done with it is left alone."""
        if choice in self._offers[key].choices:
            self._choices[key] = choice

    def rename(self, key: str, name: str) -> None:
        """Give it this name when it is taken under a new one."""
        self._names[key] = name.strip()

    def accept(self, key: str, *, on: bool) -> None:
        """Take a dangerous skill, or leave it out again."""
        if on:
            self._accepted.add(key)
            self._choices[key] = wanted(self._offers[key])
        else:
            self._accepted.discard(key)
            self._choices[key] = Choice.SKIP

    def decide_clashes(self, choice: Choice) -> None:
        """Do the same with every skill whose name is taken, where that can be done and no danger stands against it."""
        for key, offer in self._offers.items():
            if offer.clash not in (Clash.NONE, Clash.SAME) and self.free(key):
                self.choose(key, choice)

    def free(self, key: str) -> bool:
        """Whether a skill can be taken as things stand."""
        offer = self._offers[key]
        return not offer.problem and (offer.risk is not Risk.DANGER or key in self._accepted)

    @property
    def count(self) -> int:
        """How many skills will be written."""
        return sum(choice in _TAKEN for choice in self._choices.values())

    @property
    def unnamed(self) -> str:
        """The key of a skill that is to get a new name and has none; empty when all have."""
        wanting = (key for key, choice in self._choices.items() if choice is Choice.RENAME and not self._names[key])
        return next(wanting, "")

    def picks(self) -> tuple[Pick, ...]:
        """The list for the import."""
        return tuple(
            Pick(key, choice, self._names[key], key in self._accepted) for key, choice in self._choices.items()
        )


def wanted(offer: Offer) -> Choice:
    """What would be proposed for an offer if nothing in it was dangerous."""
    first = {Clash.SAME: Choice.SKIP, Clash.IMPORTED: Choice.UPDATE}.get(offer.clash, Choice.IMPORT)
    return first if first in offer.choices else Choice.RENAME if Choice.RENAME in offer.choices else Choice.SKIP
