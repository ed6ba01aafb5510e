"""What processes of one pet say to each other. Read strictly: a sibling is no stranger, but old."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from memory.model.audience import Audience
from memory.model.forgetting import Kind
from memory.model.people import AccountId
from memory.model.retrieval import GivenBy, RecalledLine
from memory.model.rooms import SpaceId

Account = Annotated[str, Field(pattern=r"(?s)^[a-z_]+:.{1,1000}$")]
LONGEST_TEXT = 20_000
"""Characters of what a person says that is looked up elsewhere."""

LONGEST_NAME = 300
"""Characters of a name that others are told."""

MOST_LINES = 1000
"""Lines of an answer but for an export: several times what any process tells."""

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
DeedId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class SiblingAccount(_Value):
    """An account, `platform:id`, and its name there."""

    account: Account
    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""

    @classmethod
    def of(cls, account: str, name: str) -> Self:
        """An account, with as much of its name as others are told."""
        return cls(account=account, name=name[:LONGEST_NAME])

    @property
    def id(self) -> AccountId:
        """How it is written down."""
        return AccountId(self.account)


Accounts = Annotated[tuple[SiblingAccount, ...], Field(min_length=1, max_length=100)]


class ProcessStanding(_Value):
    """Who a process is: its bot, without saying the token, and the shards it has, as "0-3/16".

    `process` is drawn at each start; it tells a process from itself. `waiting` are deeds that it
    could not hand on yet.
    """

    bot: str
    shards: str
    process: str
    waiting: int = 0


class WhoAsks(_Value):
    """The one person that an ask is about, by an account that their platform vouches for."""

    who: SiblingAccount


class VouchAsked(_Value):
    """Whose communities are asked for, if anybody's, and rows that were given before, and when."""

    who: SiblingAccount | None = None
    given: tuple[tuple[str, int], ...] = ()


class VouchGiven(_Value):
    """The communities of a process that an account may hear of, and the rows that are gone."""

    spaces: tuple[SpaceId, ...] = ()
    gone: tuple[str, ...] = ()


class RecallAsked(WhoAsks):
    """What a person says in private; `context` is what they go on with."""

    text: Text
    context: Text = ""
    quiet_topics: tuple[Text, ...] = ()


class GivenLine(_Value):
    """One line that a process recalls, how well it fits there, and who must be allowed it."""

    line: RecalledLine
    audiences: Annotated[frozenset[Audience], Field(min_length=1)]
    ref: str
    score: float

    def given_by(self, address: str, name: str) -> RecalledLine:
        """The line as it stands in a block of another process."""
        given = GivenBy(address=address, name=name, ref=self.ref, audiences=self.audiences)
        return replace(self.line, given=given)


class RecallGiven(_Value):
    """What a process recalls for a person in private, best first."""

    lines: Annotated[tuple[GivenLine, ...], Field(max_length=MOST_LINES)] = ()
    late: tuple[str, ...] = ()


class ForgetAsked(_Value):
    """What a person wants forgotten of what they said: a topic; "" is all, and who they are."""

    accounts: Accounts
    topic: Text = ""


class CountsGiven(_Value):
    """How much of what would go."""

    counts: Mapping[Kind, int]


class KnownAsked(WhoAsks):
    """What is kept of a person is asked for in private, about something or at all."""

    about: Text = ""
    locale: Annotated[str, Field(max_length=20)]


class KnownGiven(_Value):
    """The same, in words, a line each."""

    lines: Annotated[tuple[Text, ...], Field(max_length=MOST_LINES)] = ()


class _Deed(_Value):
    id: DeedId
    asked_at: datetime

    @property
    def links(self) -> tuple[Account, ...]:
        """The accounts that it joins or splits off: the latest of such deeds holds."""
        return ()


class ObserveDeed(_Deed):
    """A person is read along with from now on, or no more."""

    kind: Literal["observe"] = "observe"
    accounts: Accounts
    observed: bool


class ForgetDeed(_Deed, ForgetAsked):
    """What a person said is forgotten."""

    kind: Literal["forget"] = "forget"


class UndoDeed(_Deed):
    """What the deed `of` forgot is given back."""

    kind: Literal["undo"] = "undo"
    of: DeedId


class JoinDeed(_Deed):
    """Accounts are of the person who has the accounts `into`."""

    kind: Literal["join"] = "join"
    accounts: Accounts
    into: Accounts

    @property
    def links(self) -> tuple[Account, ...]:
        """All of them; the person of the first stays."""
        return tuple(one.account for one in (*self.into, *self.accounts))


class SplitDeed(_Deed):
    """An account is a person of its own again, together with `others`."""

    kind: Literal["split"] = "split"
    account: Account
    others: Annotated[tuple[Account, ...], Field(max_length=100)] = ()

    @property
    def links(self) -> tuple[Account, ...]:
        """Those that leave."""
        return (self.account, *self.others)


Deed = Annotated[
    ObserveDeed | ForgetDeed | UndoDeed | JoinDeed | SplitDeed, Field(discriminator="kind")
]
"""What a person asked of one process and every process is to do, once."""


class DeedDone(_Value):
    """A deed is done, now or before."""

    done: DeedId
