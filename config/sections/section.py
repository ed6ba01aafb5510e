"""What every section of the settings is."""

from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator


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
