"""The model that answers, made from the settings."""

from app.cycles.model import is_basic
from app.engine.builtin import BuiltinEngine
from app.providers.anthropic import AnthropicProvider
from app.providers.base import Provider
from app.providers.keys import KeyStore
from app.settings import Settings


def provider_for(settings: Settings, keys: KeyStore) -> Provider:
    """The provider the settings name; a missing key shows itself only when a request is made."""
    if is_basic(settings, keys):
        return BuiltinEngine()
    return AnthropicProvider(settings.model.name, settings.model.base_url, keys, timeout=settings.model.timeout_seconds)
