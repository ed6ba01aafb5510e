"""The operation behind `eko doctor`."""

from bot.surfaces.json import Event, finding_json
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments


class DoctorOperations(TopicOperations):
    """The operation behind `eko doctor`."""

    @operation("doctor")
    async def doctor(self, _request: NoArguments) -> Event:
        """Every part of the pet: whether it works, and what to do if not."""
        checks = [finding_json(one) for one in await self._app.doctor.diagnose()]
        return {"checks": checks, "healthy": all(c["status"] != "fail" for c in checks)}
