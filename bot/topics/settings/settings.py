"""The operations behind `eko settings` and `eko audit`."""

from typing import Annotated

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, NoArguments, OperationRequest
from bot.surfaces.values import Event
from memory.upkeep.live_settings import Setting


class OneSettingRequest(OperationRequest):
    """One setting that can be changed while the pet runs."""

    key: Name


class SetSettingRequest(OperationRequest):
    """A new value for one of them, as text."""

    key: Name
    value: Annotated[str, Field(max_length=10_000)]


class AuditRequest(OperationRequest):
    """The latest entries of the audit log."""

    limit: Annotated[int, Field(ge=1, le=10000)] = 50


class SettingsOperations(TopicOperations):
    """Shows and changes what can be changed while the pet runs, as the operator."""

    @operation("settings")
    async def settings(self, _request: NoArguments) -> Event:
        """Every setting as it is."""
        return {"settings": self._app.live_settings.settings()}

    @operation("setting")
    async def setting(self, request: OneSettingRequest) -> Setting:
        """One setting as it is."""
        return self._app.live_settings.setting(request.key)

    @operation("set")
    async def set(self, request: SetSettingRequest) -> Setting:
        """Change one setting; it holds from the next question on."""
        return await self._app.live_settings.set(request.key, request.value, self._caller.signature)

    @operation("reset")
    async def reset(self, request: OneSettingRequest) -> Setting:
        """Let one setting be what the settings file says."""
        return await self._app.live_settings.reset(request.key, self._caller.signature)

    @operation("audit")
    async def audit(self, request: AuditRequest) -> Event:
        """Who changed what, newest first."""
        return {"entries": await self._app.storage.audit.latest(request.limit)}
