"""Where a service's key lives: the environment, the system's key store, or memory until the program ends.

A key belongs to one address. `ANTHROPIC_API_KEY` belongs to the address in `ANTHROPIC_BASE_URL` (or the official one),
so that another server never gets it. Keys are never written to a file or a log.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from app.providers.address import normal_address

SERVICE = "melete"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
ADDRESS_VARIABLE = "ANTHROPIC_BASE_URL"

#: Key stores below this priority keep keys in plain files, or nowhere (keyring's own scale).
_SAFE_PRIORITY = 1


class KeySource(StrEnum):
    """Where a key was found."""

    ENVIRONMENT = "environment"
    KEY_STORE = "key store"
    MEMORY = "memory"


class KeyStore:
    """Reads, stores and forgets keys by address. `environ` is the process's environment."""

    def __init__(self, environ: Mapping[str, str], backend: Any = None) -> None:  # noqa: ANN401 - a keyring backend
        self._environ = environ
        self._backend = backend
        self._looked = backend is not None
        self._held: dict[str, str] = {}

    def address(self, configured: str) -> str:
        """The address to use: the settings' one, else the environment's, else the official one, in one spelling.

        Raises AppError(INVALID) when it cannot be used.
        """
        return normal_address(configured.strip() or self._environ.get(ADDRESS_VARIABLE, ""))

    def read(self, address: str) -> str | None:
        """The key for exactly this address, None when there is none."""
        return self._find(address)[0]

    def given(self) -> bool:
        """Whether the environment holds a key; the key store, which may ask the user to unlock it, is not looked at."""
        return bool(self._environ.get(KEY_VARIABLE, "").strip())

    def source(self, address: str) -> KeySource | None:
        """Where the key for this address comes from, for the settings page; None when there is no key."""
        return self._find(address)[1]

    def store(self, address: str, key: str) -> KeySource:
        """Keep a key; answers where, because without a key store it lasts only until the program ends."""
        address, key = normal_address(address), key.strip()
        backend = self._open()
        if backend is not None:
            try:
                backend.set_password(SERVICE, address, key)
            except self._errors():
                self._held[address] = key
                return KeySource.MEMORY
            self._held.pop(address, None)
            return KeySource.KEY_STORE
        self._held[address] = key
        return KeySource.MEMORY

    def forget(self, address: str) -> None:
        """Remove the stored key of this address; one from the environment stays where it is."""
        address = normal_address(address)
        self._held.pop(address, None)
        backend = self._open()
        if backend is not None:
            try:
                backend.delete_password(SERVICE, address)
            except self._errors():
                return  # there was none, or the store is locked: nothing of ours is left to remove

    def _find(self, address: str) -> tuple[str | None, KeySource | None]:
        address = normal_address(address)
        if address in self._held:
            return self._held[address], KeySource.MEMORY
        variable = self._environ.get(KEY_VARIABLE, "").strip()
        if variable and address == normal_address(self._environ.get(ADDRESS_VARIABLE, "")):
            return variable, KeySource.ENVIRONMENT
        backend = self._open()
        if backend is None:
            return None, None
        try:
            found = backend.get_password(SERVICE, address)
        except self._errors():
            return None, None
        return (found, KeySource.KEY_STORE) if found else (None, None)

    def _open(self) -> Any:  # noqa: ANN401 - a keyring backend
        if not self._looked:
            import keyring  # noqa: PLC0415 - looks for the desktop's services, too slow for the start

            chosen = keyring.get_keyring()
            self._backend = chosen if chosen.priority >= _SAFE_PRIORITY else None
            self._looked = True
        return self._backend

    @staticmethod
    def _errors() -> tuple[type[Exception], ...]:
        from keyring.errors import KeyringError  # noqa: PLC0415 - as above

        return (KeyringError,)
