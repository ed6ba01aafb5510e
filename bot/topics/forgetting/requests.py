"""What the API takes to have something forgotten, as JSON bodies have it."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_NAMED = 200
"""Rows that one request names: a page of them."""

_ROW = "^([0-9]{1,18}|.{4,36})$"
"""The number of a message, or an id or the beginning of one."""

PreviewToken = Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
"""What a preview that can be confirmed is called."""


class ForgettingWanted(BaseModel):
    """What is to be forgotten: criteria hold together, what `ids` name comes on top.

    `start` and `end` are days or moments; `about` adds what others said of the person alone,
    `erase` their names too.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    topic: Annotated[str, Field(max_length=200)] = ""
    person: Annotated[str | None, Field(min_length=1, max_length=80)] = None
    about: bool = False
    erase: bool = False
    room: Annotated[str | None, Field(min_length=1, max_length=80)] = None
    start: Annotated[str | None, Field(max_length=40)] = None
    end: Annotated[str | None, Field(max_length=40)] = None
    ids: Annotated[
        tuple[Annotated[str, Field(pattern=_ROW)], ...], Field(max_length=MOST_NAMED)
    ] = ()


class ForgettingConfirmed(BaseModel):
    """The preview that is confirmed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    token: PreviewToken
