"""The section about what a model may call."""

from typing import Literal

from pydantic import Field

from config.sections.section import SettingsSection


class ToolSettings(SettingsSection):
    """What the model may call while it answers."""

    set: Literal["auto", "full", "compact"] = Field(
        "auto",
        description="full: every tool; compact: eight, for models that do not cope with more; "
        "auto: compact where [model] names a server that needs no key, as a local one.",
    )
