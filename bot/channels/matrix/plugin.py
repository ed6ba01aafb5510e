"""Matrix as one channel among others, from its section of the settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.util import find_spec
from types import MappingProxyType

from bot.channels.matrix.findings import TEXTS, MatrixLook, MatrixSight, finding_of
from bot.channels.matrix.service.account import HomeserverAccount
from bot.diagnostics.findings import Finding
from bot.errors import PartMissing
from bot.platforms.plugin import PetProfile, PlatformState
from bot.ports import CatchUpRules, Platform
from config.sections.matrix import MatrixSettings
from memory.model.rooms import RoomRole

NOT_INSTALLED = (
    "matrix-nio is not installed, which the pet needs for Matrix: uv tool install "
    "'eko-pet[matrix]', or in a checkout .venv/bin/pip install -c constraints.txt -e '.[matrix]'"
)


class MatrixPlugin:
    """The ChannelPlugin of Matrix."""

    name = "matrix"
    reacts = True
    writing_first: Mapping[str, str] = MappingProxyType({})

    @property
    def managers(self) -> Mapping[str, str]:
        """Who manages a community, by language."""
        from bot.texts.catalogue import languages, texts_in

        return {one: texts_in(one, TEXTS).say("managers") for one in languages()}

    def is_chosen(self, section: MatrixSettings) -> bool:
        """Whether there are a homeserver and a way into an account on it."""
        has_password = section.password is not None and section.user_id is not None
        return section.homeserver is not None and (section.access_token is not None or has_password)

    @asynccontextmanager
    async def open(self, section: MatrixSettings, pet: PetProfile) -> AsyncIterator[Platform]:
        """The channel, with a folder for its keys.

        Raises:
            PartMissing: the library is not installed.

        """
        if not _is_installed():
            raise PartMissing(NOT_INSTALLED)
        from bot.channels.matrix.channel import MatrixChannel
        from bot.channels.matrix.connection import MatrixOptions

        pet.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        pet.folder.chmod(0o700)
        yield MatrixChannel(
            MatrixOptions(
                account=_account(section),
                folder=pet.folder,
                pet_name=pet.name,
                replaces_keys=section.replace_signing_keys,
                locale=pet.locale,
                allowed=section.allowed,
                default_role=RoomRole(section.default_role),
                face=section.expression,
                greets=section.greeting,
                catch_up=CatchUpRules(
                    reach=timedelta(hours=section.catch_up_hours),
                    most_messages=section.catch_up_messages,
                    asked_days=section.read_back_days,
                    asked_messages=section.read_back_messages,
                    command_sign="!",
                ),
            )
        )

    async def look(self, section: MatrixSettings, state: PlatformState) -> Finding:
        """Whether the session works, and what waits there."""
        if not self.is_chosen(section):
            sight = MatrixSight.KEYLESS if section.homeserver else MatrixSight.UNUSED
            return finding_of(MatrixLook(sight=sight), state)
        if not _is_installed():
            return finding_of(MatrixLook(sight=MatrixSight.MISSING), state)
        from bot.channels.matrix.probe import look_at, with_standing

        seen = await look_at(_account(section), state.folder, section.allowed)
        return finding_of(with_standing(seen, state.platform), state)


def _is_installed() -> bool:
    """Whether the library is there, with what encrypts."""
    return all(find_spec(name) is not None for name in ("nio", "vodozemac", "peewee"))


def _account(section: MatrixSettings) -> HomeserverAccount:
    token, password = section.access_token, section.password
    return HomeserverAccount(
        homeserver=(section.homeserver or "").rstrip("/"),
        user_id=section.user_id,
        token=token.get_secret_value() if token else None,
        password=password.get_secret_value() if password else None,
        device_name=section.device_name,
    )
