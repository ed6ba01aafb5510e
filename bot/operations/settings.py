"""The operations behind `eko settings` and `eko audit`."""

from collections.abc import AsyncIterator

from bot.operations import requests
from bot.operations.caller import OperationCaller
from bot.operations.json import Event
from bot.wiring.app import App
from memory.model.people import AuditEntry
from memory.upkeep.live_settings import Setting


class SettingsOperations:
    """Shows and changes what can be changed while the pet runs, as the operator."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller

    async def settings(self, _request: requests.NoArguments) -> AsyncIterator[Event]:
        """Every setting as it is."""
        shown = [_setting_json(one) for one in self._app.live_settings.settings()]
        yield {"result": {"settings": shown}}

    async def setting(self, request: requests.OneSettingRequest) -> AsyncIterator[Event]:
        """One setting as it is."""
        yield {"result": _setting_json(self._app.live_settings.setting(request.key))}

    async def set(self, request: requests.SetSettingRequest) -> AsyncIterator[Event]:
        """Change one setting; it holds from the next question on."""
        done = await self._app.live_settings.set(request.key, request.value, self._caller.signature)
        yield {"result": _setting_json(done)}

    async def reset(self, request: requests.OneSettingRequest) -> AsyncIterator[Event]:
        """Let one setting be what the settings file says."""
        yield {
            "result": _setting_json(
                await self._app.live_settings.reset(request.key, self._caller.signature)
            )
        }

    async def audit(self, request: requests.AuditRequest) -> AsyncIterator[Event]:
        """Who changed what, newest first."""
        entries = await self._app.storage.audit.latest(request.limit)
        yield {"result": {"entries": [_entry_json(one) for one in entries]}}


def _setting_json(one: Setting) -> Event:
    return {
        "key": one.key,
        "value": one.value,
        "default": one.default,
        "changed_at": one.kept.at.isoformat() if one.kept else None,
        "changed_by": one.kept.by if one.kept else None,
    }


def _entry_json(one: AuditEntry) -> Event:
    return {
        "at": one.at.isoformat(),
        "actor": one.change.actor,
        "action": one.change.action,
        "target": one.change.target,
        "detail": one.change.detail,
        "origin": one.origin,
        "before": one.change.before,
        "after": one.change.after,
    }
