"""The door inside a draft: what would wait for the user is carried out there, since the whole draft waits for them."""

from dataclasses import replace

from app.skills.edit import Door
from app.skills.values import Receipt, Request, Verdict, Writer


class DraftDoor(Door):
    """A door whose *propose* is an *allow*; every refusal stays one."""

    def do(self, request: Request, writer: Writer) -> Receipt:
        """Carry out one request in the draft, or say why it is refused. Raises as the door does."""
        receipt = super().do(request, writer)
        if receipt.verdict is not Verdict.PROPOSE:
            return receipt
        return super().do(request, replace(writer, approved=True))
