"""What every section of the settings is, and what single settings look like."""

import re
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Annotated, Any, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationInfo,
    field_validator,
)


@dataclass(frozen=True, slots=True)
class PlainName:
    """Stands beside a key's type: a variable by which the service's own tools call it.

    With a `provider` it is read only where the section's own `provider` is that one: a key is not
    handed to the service of another vendor.
    """

    variable: str
    provider: str | None = None


class SettingsSection(BaseModel):
    """A part of the settings: frozen, without unknown keys, and silent about its values."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )

    @field_validator("*", mode="before")
    @classmethod
    def _read_none(cls, value: Any, info: ValidationInfo) -> Any:
        """None for the word "none" where nothing can be chosen, since TOML has no null."""
        annotation = cls.model_fields[info.field_name or ""].annotation
        return None if value == "none" and type(None) in get_args(annotation) else value


LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts to which a key may go without encryption."""

QUOTES = "\"'"
"""What a value is put in where no shell takes them off again, as in an env file."""

_BLANK = re.compile(r"\s")


def like(pattern: str, words: str) -> AfterValidator:
    """The rule that a text matches a pattern as a whole; `words` go on after its name."""
    form = re.compile(pattern)

    def checked(text: str) -> str:
        if not form.fullmatch(text):
            raise ValueError(words)
        return text

    return AfterValidator(checked)


def _bare(value: Any) -> Any:
    """A key as it was copied: without the spaces and quotes around it."""
    if not isinstance(value, str):
        return value
    key = value.strip()
    quoted = len(key) > 1 and key[0] == key[-1] and key[0] in QUOTES
    key = key[1:-1].strip() if quoted else key
    if _BLANK.search(key):
        raise ValueError("must be one word: there is a space or a new line inside")
    return key


Share = Annotated[float, Field(ge=0, le=1)]


Hour = Annotated[int, Field(ge=0, le=23)]


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]


Key = Annotated[SecretStr, StringConstraints(min_length=1), BeforeValidator(_bare)]


HttpAddress = Annotated[
    str, like(r"https?://[^\s/]\S*", "must be an address that begins with http:// or https://")
]


def _with_port(address: str) -> str:
    """An address whose port, if it names one, is one that a machine has."""
    try:
        urlsplit(address).port  # noqa: B018 - it is read when it is asked for
    except ValueError:
        raise ValueError("must have a port from 0 to 65535 behind the name, or none") from None
    return address


Origin = Annotated[
    str,
    like(
        r"https?://[^\s/?#@]+",
        "must be an address such as https://eko.example, with nothing behind the name",
    ),
    AfterValidator(_with_port),
]


def _range(value: str) -> str:
    try:
        return str(ip_network(value))
    except ValueError:
        raise ValueError(
            "must be an address such as 10.0.0.1, or a range such as 10.0.0.0/8"
        ) from None


AddressRange = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_range)]
"""An address, or several by their common beginning (CIDR, RFC 4632)."""
