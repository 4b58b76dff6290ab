"""Which model answers, in words: the built-in engine, or the provider of the settings (`provider.py` makes it)."""

from app.cancel import CancelToken
from app.errors import AppError, Kind
from app.providers.base import Provider
from app.providers.failures import ProviderError
from app.providers.keys import KeyStore
from app.providers.values import Completed, Message, ModelRequest, Role, Text
from app.settings import Settings


def is_basic(settings: Settings, keys: KeyStore) -> bool:
    """Whether the built-in engine answers: it was chosen, or nothing was and the environment holds no key."""
    chosen = settings.model.provider
    return chosen == "builtin" or (chosen == "auto" and not keys.given())


def model_label(settings: Settings, keys: KeyStore) -> tuple[str, str]:
    """What the window calls the model, and one sentence about it."""
    if is_basic(settings, keys):
        return "Basic mode", "No language model: answers come from your skills, memory and conversations."
    where = settings.model.base_url or "the provider's own address"
    return settings.model.name, f"Answers come from {settings.model.name} at {where}."


def ask_once(provider: Provider, token: CancelToken) -> str:
    """Ask for one short answer and return the model's name. Raises AppError with the provider's reason in words."""
    request = ModelRequest("", (Message(Role.USER, (Text("Say ok."),)),), (), 16, "chat")
    try:
        for event in provider.stream(request, token):
            if isinstance(event, Completed):
                return event.model or provider.model
    except ProviderError as error:
        raise AppError(Kind.PROVIDER, error.failure.title, error.failure.text) from error
    raise AppError(Kind.PROVIDER, "No answer", "The connection ended without an answer. Check the address.")
