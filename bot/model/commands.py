"""What a command is, who calls it, and what it answers: values for every channel alike."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from memory.model.audience import EVERYONE, Scope, scope_of
from memory.model.authority import Actor, Mandate
from memory.model.messages import MessageId
from memory.model.people import AccountId, Person
from memory.model.rooms import Room, SpaceId


class Authority(IntEnum):
    """How far a caller's word goes, where they say it."""

    NONE = 0
    """Their own affairs."""
    SPACE = 1
    """What belongs to the community where they speak: its platform says that they manage it."""
    PET = 2
    """The pet as a whole: the settings name their account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls a command and where, as the platform vouches for it and the daemon judges it.

    `spaces` are the spaces the platform vouches the person is a member of. `message` is the
    stored message the command was typed in, None where the platform has commands of its own.
    `private` says that the caller alone reads the answer, `takes_files` that it can bring a file.
    `managers` says who manages a community on that platform, in the language of the answer.
    """

    person: Person
    room: Room
    account: AccountId
    """The account as `platform:external_id`."""
    authority: Authority
    locale: str
    spaces: frozenset[SpaceId] = frozenset()
    message: MessageId | None = None
    private: bool = False
    takes_files: bool = False
    managers: str = ""

    @property
    def scope(self) -> Scope:
        """What this person may be told where they ask."""
        return scope_of(self.room, self.person.id, self.spaces)

    @property
    def speaker(self) -> Actor:
        """The caller by their own word, which reaches their own affairs."""
        return Actor(person=self.person.id)

    @property
    def commander(self) -> Actor:
        """The caller by an explicit command, which reaches as far as their authority here."""
        match self.authority:
            case Authority.PET:
                return Actor(person=self.person.id, mandate=Mandate.PET)
            case Authority.SPACE:
                return Actor(person=self.person.id, mandate=Mandate.SPACE, space=self.room.space)
            case Authority.NONE:
                return self.speaker

    @property
    def power(self) -> Scope:
        """What they can have changed for others: what is for everyone is no one community's."""
        if self.authority is Authority.PET or self.scope.audiences is None:
            return self.scope
        return Scope(self.scope.audiences - {EVERYONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One use of a command; `arguments` are by the names of its options, those given only."""

    caller: Caller
    arguments: Mapping[str, str] = field(default_factory=dict)

    @property
    def locale(self) -> str:
        """The language to answer in."""
        return self.caller.locale

    def has(self, option: str) -> bool:
        """Whether a flag was given."""
        return option in self.arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something an option can be: what is shown, and the value it stands for."""

    label: str
    value: str


class OptionKind(StrEnum):
    """How an option is given."""

    TEXT = "text"
    """Words; the last one of a typed command takes the rest of the line."""
    WORD = "word"
    """One word."""
    FLAG = "flag"
    """Given or not: typed `--name`, or as the only word of the line."""


Complete = Callable[[Caller, str], Awaitable[Sequence[Choice]]]
"""What an option can be, for this caller and what they have typed of it so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One argument of a command; `summary` is what it is for, by language.

    `choices` are all it can be; `complete` proposes, and anything else is taken as well. One that
    is not `shown` is for buttons: it is typed `--name=value` and no form has it. One with a `mark`
    is what stands behind that mark in a typed line: `/correct WHAT -> TO`. `names` are what forms
    call it in other languages than English.
    """

    name: str
    summary: Mapping[str, str] = field(default_factory=dict)
    kind: OptionKind = OptionKind.TEXT
    required: bool = False
    choices: tuple[str, ...] = ()
    complete: Complete | None = None
    shown: bool = True
    mark: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    def called(self, locale: str) -> str:
        """Its name as people of this language see it."""
        return self.names.get(locale, self.name)

    def language_of(self, called: str) -> str | None:
        """The one language that has it under this name; None where that is its own name."""
        found = [language for language, name in self.names.items() if name == called != self.name]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to do next: a button where there are buttons, a line to type elsewhere.

    `typed` is the line as a person would write it, where that is shorter than what a button says.
    One that `declines` drops what another one offers; typed, a plain "no" does the same.
    """

    label: str
    command: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    typed: str = ""
    destroys: bool = False
    declines: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file that goes with an answer."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command says to its caller, and what they can do next.

    `text` may be long: each channel shows it in pages or parts of its own.
    """

    text: str
    actions: tuple[Action, ...] = ()
    file: Attached | None = None


Run = Callable[[Call], Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: its name in one or two words, what it does by language, and who may.

    One that is the `default` of its first word also answers to that word alone. One of one word
    answers to its `names` in other languages too; those of two words have none.
    """

    name: str
    summary: Mapping[str, str]
    run: Run
    options: tuple[Option, ...] = ()
    needs: Authority = Authority.NONE
    default: bool = False
    names: Mapping[str, str] = field(default_factory=dict)

    def called(self, locale: str) -> str:
        """Its name as people of this language see it."""
        return self.names.get(locale, self.name)

    def language_of(self, called: str) -> str | None:
        """The one language that has it under this name; None where that is its own name."""
        found = [language for language, name in self.names.items() if name == called != self.name]
        return found[0] if len(found) == 1 else None
