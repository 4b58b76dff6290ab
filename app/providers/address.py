"""The address of a service: brought to one spelling, and refused when it would send a key in the clear."""

import ipaddress
from urllib.parse import SplitResult, urlsplit

from app.errors import AppError, Kind

#: The provider's own address, used when neither the settings nor the environment name one.
OFFICIAL = "https://api.anthropic.com"

_DEFAULT_PORTS = {"http": 80, "https": 443}


def normal_address(url: str) -> str:
    """One spelling per server: lower-case scheme and host, no default port, no trailing slash, no `/v1`.

    Raises AppError(INVALID) when it is no http(s) address, carries a login, or would use plain http to another
    machine (a key must not travel in the clear).
    """
    parts = _split(url.strip() or OFFICIAL)
    host = (parts.hostname or "").lower()
    if parts.scheme == "http" and not is_loopback(host):
        raise AppError(
            Kind.INVALID,
            "This address is not safe",
            f"“{host}” would get the key and the conversation without encryption. Use https, or a server on this "
            "computer (http://127.0.0.1:…).",
            action="settings.model",
        )
    port = "" if parts.port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    shown = f"[{host}]" if ":" in host else host
    path = parts.path.rstrip("/").removesuffix("/v1")
    return f"{parts.scheme}://{shown}{port}{path}"


def is_loopback(host: str) -> bool:
    """Whether a host name can only be this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in _DEFAULT_PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.username is not None or parts.query or parts.fragment:
        raise AppError(
            Kind.INVALID,
            "This is not an address",
            "The base URL must look like https://host or http://127.0.0.1:8080, without a login or a query. Correct it "
            "in Settings → Model.",
            action="settings.model",
        )
    return parts
