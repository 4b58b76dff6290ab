"""Which model answers: the built-in engine, or the provider of the settings."""

from app.engine.builtin import BuiltinEngine
from app.providers.anthropic import AnthropicProvider
from app.providers.base import Provider
from app.providers.keys import KeyStore
from app.settings import Settings


def provider_for(settings: Settings, keys: KeyStore) -> Provider:
    """The provider the settings name; a missing key shows itself only when a request is made."""
    if settings.model.provider == "builtin":
        return BuiltinEngine()
    return AnthropicProvider(settings.model.name, settings.model.base_url, keys)


def model_label(settings: Settings) -> tuple[str, str]:
    """What the window calls the model, and one sentence about it."""
    if settings.model.provider == "builtin":
        return "Basic mode", "No language model: answers come from your skills, memory and conversations."
    where = settings.model.base_url or "the provider's own address"
    return settings.model.name, f"Answers come from {settings.model.name} at {where}."
