"""Serves the settings in force and changes them while the pet runs."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import structlog

from memory.model.errors import UnknownSetting, WrongValue
from memory.model.people import Signature
from memory.model.settings import KEYS, Tuning, changed, restored, written
from memory.model.shown import Shown
from memory.storage.community.settings import KeptSetting, MemorySettings

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting as text: in force, by default, and what changed it, None when nothing did."""

    key: Shown[str]
    value: Shown[str]
    default: Shown[str]
    kept: KeptSetting | None

    @property
    def changed_at(self) -> Shown[datetime | None]:
        """When it was changed last."""
        return self.kept.at if self.kept else None

    @property
    def changed_by(self) -> Shown[Signature | None]:
        """Who changed it."""
        return self.kept.by if self.kept else None


class LiveSettings:
    """The tuning in memory, so that no turn reads it; every change is kept before it holds.

    `defaults` are what the settings file says.
    """

    def __init__(self, settings: MemorySettings, defaults: Tuning) -> None:
        self._settings = settings
        self._defaults = defaults
        self._tuning = defaults
        self._kept: dict[str, KeptSetting] = {}
        self._changing = asyncio.Lock()

    def current(self) -> Tuning:
        """What is in force now."""
        return self._tuning

    async def load(self) -> None:
        """Take up what was chosen before; what this version does not understand is left alone."""
        for kept in await self._settings.kept():
            try:
                self._tuning = changed(self._tuning, kept.key, kept.value)
            except (UnknownSetting, WrongValue) as error:
                log.warning("setting.ignored", key=kept.key, reason=str(error))
            else:
                self._kept[kept.key] = kept

    def setting(self, key: str) -> Setting:
        """One setting as it is.

        Raises:
            UnknownSetting: there is no such key.

        """
        return Setting(
            key=key,
            value=written(self._tuning, key),
            default=written(self._defaults, key),
            kept=self._kept.get(key),
        )

    def settings(self) -> list[Setting]:
        """Every setting as it is."""
        return [self.setting(key) for key in KEYS]

    async def set(self, key: str, text: str, by: Signature) -> Setting:
        """Change one setting; from the next question on it holds.

        Raises:
            UnknownSetting: there is no such key.
            WrongValue: the key cannot have that value.

        """
        async with self._changing:
            return await self._set(key, text, by)

    async def _set(self, key: str, text: str, by: Signature) -> Setting:
        value = written(changed(self._tuning, key, text), key)
        was = self.setting(key)
        if was.kept is None or was.value != value:
            self._kept[key] = await self._settings.keep(key, value, was=was.value, by=by)
            self._tuning = changed(self._tuning, key, value)
        return self.setting(key)

    async def change(
        self, wishes: Mapping[str, str | None], by: Signature, check: Callable[[], None]
    ) -> list[Setting]:
        """Change several settings, all or none of them; None lets one be what the file says.

        `check` is asked first, with no other change under way; what it raises ends this one.

        Raises:
            UnknownSetting: there is no such key.
            WrongValue: a key cannot have that value.

        """
        async with self._changing:
            check()
            tuning = self._tuning
            for key, text in wishes.items():
                tuning = tuning if text is None else changed(tuning, key, text)
                self.setting(key)
            return [
                await (self._reset(key, by) if text is None else self._set(key, text, by))
                for key, text in wishes.items()
            ]

    async def reset(self, key: str, by: Signature) -> Setting:
        """Let one setting be what the settings file says.

        Raises:
            UnknownSetting: there is no such key.

        """
        async with self._changing:
            return await self._reset(key, by)

    async def _reset(self, key: str, by: Signature) -> Setting:
        was = self.setting(key)
        if was.kept is not None:
            await self._settings.drop(key, was=was.value, default=was.default, by=by)
            self._kept.pop(key, None)
            self._tuning = restored(self._tuning, self._defaults, key)
        return self.setting(key)
