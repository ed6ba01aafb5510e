"""Who writes: accounts by business-scoped user ids, and never by phone numbers.

A user id names a person to one business alone, and every webhook has it since April 2026; the
number may be absent:
https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
"""

import hashlib
import hmac
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from bot.channels.whatsapp.cloud.options import PLATFORM
from memory.model.people import AccountId, account_id

MOST_NUMBERS = 1000
"""Numbers kept in mind of people who have no user id; none is ever written down."""

BY_NUMBER = "nr."
"""How accounts begin that stand for a number; no country is called so, in small letters."""

_USER_ID = re.compile(r"[A-Z]{2}\.[A-Za-z0-9.]{1,140}")
_NO_DIGIT = re.compile(r"\D")

_BRAZILIAN = re.compile(r"(55\d\d)(9?)(\d{8})")
"""Brazil's numbers got a ninth digit, a 9 behind the area. WhatsApp knows many accounts without it
still, whose owners write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudPerson:
    """Who a message is from: the account, and the number where it came along."""

    account: str
    number: str = ""


def is_user_id(text: str) -> bool:
    """Whether a text is a business-scoped user id: a country, a dot and an identifier."""
    return _USER_ID.fullmatch(text) is not None


class NumberBook:
    """Makes accounts of numbers, and knows the numbers of those for as long as the pet runs.

    An account is a keyed hash: who does not know the app's secret learns no number from it.
    """

    def __init__(self, secret: str) -> None:
        self._key = hashlib.sha256(f"eko whatsapp numbers\0{secret}".encode()).digest()
        self._numbers: OrderedDict[str, str] = OrderedDict()

    def account_of(self, number: str) -> str:
        """The account that stands for a number."""
        digest = hmac.new(self._key, digits_of(number).encode(), hashlib.sha256)
        return BY_NUMBER + digest.hexdigest()[:32]

    def remember(self, person: CloudPerson) -> bool:
        """Keep in mind which number an account stands for; whether that was not known."""
        if not person.account.startswith(BY_NUMBER):
            return False
        is_new = person.account not in self._numbers
        known = self._numbers.get(person.account, "")
        if line_of(known) != line_of(person.number):
            self._numbers[person.account] = person.number
        self._numbers.move_to_end(person.account)
        if len(self._numbers) > MOST_NUMBERS:
            self._numbers.popitem(last=False)
        return is_new

    def answers_to(self, number: str, other: str) -> None:
        """Note that the account of a number is written to by another form of it."""
        account = self.account_of(number)
        if account in self._numbers:
            self._numbers[account] = other

    def recipient(self, account: str) -> Mapping[str, str] | None:
        """The fields of a request that address an account; None while its number is not known."""
        if not account.startswith(BY_NUMBER):
            return {"recipient_type": "individual", "recipient": account}
        number = self._numbers.get(account)
        return None if number is None else {"recipient_type": "individual", "to": number}


class AllowedSenders:
    """Knows who is answered: admins, and those whom the settings name, by account or number."""

    def __init__(self, allowed: Collection[str]) -> None:
        self._all = "*" in allowed
        self._accounts = frozenset(allowed)
        self._numbers = frozenset(
            line_of(one) for one in allowed if not is_user_id(one) and BY_NUMBER not in one
        )

    def admits(self, person: CloudPerson, is_admin: Callable[[AccountId], bool]) -> bool:
        """Whether a person is answered."""
        if self._all or person.account in self._accounts:
            return True
        number = line_of(person.number)
        if number and number in self._numbers:
            return True
        return is_admin(account_id(PLATFORM, person.account))


def digits_of(number: str) -> str:
    """A number as WhatsApp writes it: its digits alone."""
    return _NO_DIGIT.sub("", number)


def line_of(number: str) -> str:
    """The digits of a number, the same for both forms that a Brazilian one has."""
    digits = digits_of(number)
    found = _BRAZILIAN.fullmatch(digits)
    return f"{found[1]}{found[3]}" if found else digits


def other_form(number: str) -> str | None:
    """A Brazilian number with the ninth digit where it has none, and without it where it has."""
    found = _BRAZILIAN.fullmatch(number)
    if found is None:
        return None
    return f"{found[1]}{'' if found[2] else '9'}{found[3]}"
