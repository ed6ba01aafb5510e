"""The section of the settings about WhatsApp."""

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from config.sections.channel import AddressForm, ChannelSection
from config.sections.section import HttpAddress, Key, PlainName, like

Allowed = Annotated[
    str,
    like(
        r"\*|\+?[\d ()-]{5,30}|[A-Za-z]{2}\.[A-Za-z0-9.]{1,140}",
        "must be a business-scoped user id (as the doctor tells it, like US.13491208655302741918), "
        "a phone number, or * for all",
    ),
]


class WhatsappSettings(ChannelSection):
    """WhatsApp, by the Cloud API where there is an access token, else by the Agent Platform."""

    accounts: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(r"user:\S{1,200}|[A-Za-z*?]{1,3}(?:\.[A-Za-z0-9*?.]{1,140})?"),
        words="must be a business-scoped user id after whatsapp: (the doctor tells that of who "
        'wrote last), as in "whatsapp:US.13491208655302741918"',
    )
    """An account of the Agent Platform, a business-scoped user id, or what stands for a number,
    which is never one itself."""

    rooms: ClassVar[AddressForm] = accounts
    """A room is called as the account of who writes there."""

    access_token: Annotated[Key | None, PlainName("WHATSAPP_TOKEN")] = Field(
        None, description="The access token of the Cloud API; without one that way is not used."
    )
    phone_number_id: (
        Annotated[
            str, like(r"\d{1,32}", "must be the id of the phone number (API Setup), not the number")
        ]
        | None
    ) = Field(
        None, description="The id of the phone number that the pet writes from; it is no number."
    )
    business_account_id: (
        Annotated[str, like(r"\d{1,32}", "must be the id of the business account (API Setup)")]
        | None
    ) = Field(
        None, description="The id of the number's business account; without it Meta is asked."
    )
    app_secret: Annotated[Key | None, PlainName("WHATSAPP_APP_SECRET")] = Field(
        None, description="The app's secret, by which calls are known; without it none is taken."
    )
    verify_token: Annotated[Key | None, PlainName("WHATSAPP_VERIFY_TOKEN")] = Field(
        None, description="Any word of yours, which is written beside the webhook's address too."
    )
    allowed: tuple[Allowed, ...] = Field(
        (),
        description="Who is answered besides [admins]: user ids, phone numbers, or * for all.",
    )
    expression: Literal["emoji", "none"] = Field(
        "emoji", description="How its face is shown with an answer: behind the words, or not."
    )
    api_version: Annotated[str, like(r"v\d{1,3}\.\d", 'must be a version such as "v25.0"')] = Field(
        "v25.0", description="The version of Meta's Graph API that is asked."
    )
    api_url: HttpAddress | None = Field(
        None, description="Another server that speaks the same requests, for trials."
    )
    agent_key: Annotated[Key | None, PlainName("WHATSAPP_AGENT_KEY")] = Field(
        None, description="The key of an agent of the Agent Platform; without, that is unused."
    )
    agent_sends_per_minute: int = Field(
        12, ge=1, le=6000, description="Messages an agent may send in a minute, as Meta says."
    )
    agent_polls_per_minute: int = Field(
        15, ge=1, le=6000, description="Requests for news an agent may make in a minute."
    )
    agent_api_url: HttpAddress | None = Field(
        None, description="Another server that speaks the Agent Platform's requests, for trials."
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.access_token is not None and self.agent_key is not None:
            raise ValueError(
                "takes WHATSAPP_TOKEN (Cloud API) or WHATSAPP_AGENT_KEY (Agent Platform), not both"
            )
        return self
