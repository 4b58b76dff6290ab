import keyring.backend
import pytest
from keyring.errors import KeyringError, PasswordDeleteError

from app.errors import AppError
from app.providers.address import OFFICIAL, is_loopback, normal_address
from app.providers.keys import KeySource, KeyStore

LOCAL = "http://127.0.0.1:8080"


class Vault(keyring.backend.KeyringBackend):
    """A key store in memory that can be locked."""

    priority = 5

    def __init__(self):
        self.kept = {}
        self.locked = False

    def get_password(self, service, username):
        self._open()
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self._open()
        self.kept[service, username] = password

    def delete_password(self, service, username):
        self._open()
        if (service, username) not in self.kept:
            raise PasswordDeleteError("none")
        del self.kept[service, username]

    def _open(self):
        if self.locked:
            raise KeyringError("locked")


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("", OFFICIAL),
        ("https://API.Example.org/", "https://api.example.org"),
        ("https://api.example.org:443/v1/", "https://api.example.org"),
        ("https://api.example.org/proxy/v1", "https://api.example.org/proxy"),
        ("http://LOCALHOST:80", "http://localhost"),
        ("http://[::1]:9000", "http://[::1]:9000"),
    ],
)
def test_an_address_has_one_spelling(given, normal):
    assert normal_address(given) == normal


@pytest.mark.parametrize(
    "given",
    [
        "http://example.org",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org:8080",
        "http://192.168.1.5:8080",
        "ftp://127.0.0.1",
        "https://user:secret@example.org",
        "https://example.org/?key=1",
        "https://",
        "https://example.org:99999",
        "nonsense",
    ],
)
def test_an_unsafe_or_wrong_address_is_refused_with_a_way_on(given):
    with pytest.raises(AppError) as caught:
        normal_address(given)
    assert caught.value.action == "settings.model"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("host", "own"), [("127.9.9.9", True), ("::1", True), ("10.0.0.1", False), ("127.1", False)])
def test_only_this_machine_is_loopback(host, own):
    assert is_loopback(host) is own


def test_the_environments_key_goes_to_the_environments_address_only():
    keys = KeyStore({"ANTHROPIC_API_KEY": "from-env", "ANTHROPIC_BASE_URL": LOCAL + "/"}, Vault())
    assert keys.read(LOCAL) == "from-env"
    assert keys.source(LOCAL) is KeySource.ENVIRONMENT
    assert keys.read(OFFICIAL) is None
    assert keys.read("https://other.example.org") is None


def test_without_an_address_the_environments_key_is_the_official_ones():
    keys = KeyStore({"ANTHROPIC_API_KEY": "from-env"}, Vault())
    assert keys.read(OFFICIAL) == "from-env"
    assert keys.read(LOCAL) is None


def test_the_settings_address_comes_before_the_environments():
    keys = KeyStore({"ANTHROPIC_BASE_URL": LOCAL}, Vault())
    assert keys.address("") == LOCAL
    assert keys.address("https://other.example.org/") == "https://other.example.org"


def test_a_stored_key_belongs_to_its_address_and_is_found_by_a_later_start():
    vault = Vault()
    assert KeyStore({}, vault).store(LOCAL + "/v1", " abc \n") is KeySource.KEY_STORE
    later = KeyStore({}, vault)
    assert later.read(LOCAL) == "abc"
    assert later.read(OFFICIAL) is None


def test_a_forgotten_key_is_gone_and_forgetting_twice_is_fine():
    keys = KeyStore({}, Vault())
    keys.store(LOCAL, "abc")
    keys.forget(LOCAL)
    keys.forget(LOCAL)
    assert keys.read(LOCAL) is None


def test_a_locked_key_store_keeps_the_key_until_the_end_of_the_program():
    vault = Vault()
    vault.locked = True
    keys = KeyStore({}, vault)
    assert keys.store(LOCAL, "abc") is KeySource.MEMORY
    assert keys.read(LOCAL) == "abc"
    assert keys.source(LOCAL) is KeySource.MEMORY
    assert KeyStore({}, vault).read(LOCAL) is None


def test_a_key_store_that_keeps_plain_files_is_not_used(monkeypatch):
    class PlainFiles(Vault):
        priority = 0.5

    plain = PlainFiles()
    monkeypatch.setattr("keyring.get_keyring", lambda: plain)
    keys = KeyStore({})
    assert keys.store(LOCAL, "abc") is KeySource.MEMORY
    assert plain.kept == {}
    assert keys.read(LOCAL) == "abc"
