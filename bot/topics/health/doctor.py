"""The operation behind `eko doctor`."""

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments
from bot.surfaces.values import Event
from bot.topics.health.findings import finding_json


class DoctorOperations(TopicOperations):
    """The operation behind `eko doctor`."""

    @operation("doctor")
    async def doctor(self, _request: NoArguments) -> Event:
        """Every part of the pet: whether it works, and what to do if not."""
        checks = [finding_json(one) for one in await self._app.doctor.diagnose()]
        return {"checks": checks, "healthy": all(c["status"] != "fail" for c in checks)}
