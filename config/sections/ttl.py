"""The section of the settings that says how long each kind of memory lasts."""

from typing import Annotated

from pydantic import Field

from config.sections.section import SettingsSection, like

Ttl = (
    Annotated[
        str,
        like(r"[1-9][0-9]{0,4}[mhdw]", 'must be a time such as 12h, 7d or 4w, or "none" for ever'),
    ]
    | None
)
_LASTS = "How long it keeps {}: 12h, 7d, 4w; none is for ever."


class TtlSettings(SettingsSection):
    """How long a memory lasts when its source did not say: by type, or category of self and goals.

    What happened stays true, so that nothing expires by itself: a time to live is for what stops
    being so.
    """

    identity: Ttl = Field(None, description=_LASTS.format("who somebody is"))
    goal: Ttl = Field(None, description=_LASTS.format("what somebody wants"))
    decision: Ttl = Field(None, description=_LASTS.format("what was settled"))
    todo: Ttl = Field(None, description=_LASTS.format("what is to be done"))
    preference: Ttl = Field(None, description=_LASTS.format("what somebody, or the pet, prefers"))
    fact: Ttl = Field(None, description=_LASTS.format("any other fact"))
    event: Ttl = Field(None, description=_LASTS.format("what happened or will happen"))
    observation: Ttl = Field(None, description=_LASTS.format("what was merely noticed"))
    context: Ttl = Field(None, description=_LASTS.format("what the pet knows of where it is"))
    capability: Ttl = Field(None, description=_LASTS.format("what the pet can do"))
    limitation: Ttl = Field(None, description=_LASTS.format("what the pet cannot do"))
    relation: Ttl = Field(None, description=_LASTS.format("what somebody is to the pet"))
    capability_request: Ttl = Field(
        None, description=_LASTS.format("what the pet wishes it could do")
    )
    understanding: Ttl = Field(None, description=_LASTS.format("what the pet wants to understand"))
    connection: Ttl = Field(None, description=_LASTS.format("whom the pet wants to be closer to"))
