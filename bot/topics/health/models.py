"""Checking the model that is chosen, or those that could be."""

from collections.abc import AsyncIterator

from bot.agent.metering import MeteredModel
from bot.diagnostics.findings import PartState
from bot.llm.local_servers import LocalServer
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments
from bot.surfaces.values import Event
from bot.topics.health.findings import finding_json
from bot.wiring.adapters import served_model, thinks_offline
from config.sections.model import ModelSettings


class ModelOperations(TopicOperations):
    """What the command line asks about models."""

    @operation("model_check")
    async def check(self, _request: NoArguments) -> AsyncIterator[Event]:
        """The servers on this machine, and what the model that is chosen can do.

        Where none is chosen, the first model of each server is tried, with how to choose it.
        """
        yield {"progress": {"state": "looking for servers"}}
        servers = await self._app.model_check.servers()
        tried: list[Event] = []
        if thinks_offline(self._app.settings):
            for server in servers:
                yield {"progress": {"state": f"asking {server.url}"}}
                tried += [await self._tried(server)] if server.models else []
        else:
            yield {"progress": {"state": "asking the model"}}
            tried = [await self._chosen()]
        yield {
            "result": {
                "servers": [
                    {"kind": one.kind.value, "url": one.url, "models": list(one.models)}
                    for one in servers
                ],
                "tried": tried,
                "able": bool(tried) and all(one["able"] for one in tried),
            }
        }

    async def _chosen(self) -> Event:
        checks = await self._app.doctor.model()
        return {
            "model": self._app.services.model.name,
            "checks": [finding_json(one) for one in checks],
            "able": all(one.state is not PartState.FAIL for one in checks),
            "choose": None,
        }

    async def _tried(self, server: LocalServer) -> Event:
        limits = self._app.settings.model
        chosen = ModelSettings(
            provider="openai",
            name=server.models[0],
            base_url=f"{server.url}/v1",
            timeout_s=limits.timeout_s,
            background_timeout_s=limits.background_timeout_s,
        )
        model = served_model(chosen)
        try:
            metered = MeteredModel(model, self._app.storage.ledger, self._app.services.budget)
            checks = await self._app.model_check.of(metered, server.url)
        finally:
            await model.close()
        return {
            "model": chosen.name,
            "checks": [finding_json(one) for one in checks],
            "able": all(one.state is not PartState.FAIL for one in checks),
            "choose": [
                "EKO_MODEL__PROVIDER=openai",
                f"EKO_MODEL__NAME={chosen.name}",
                f"OPENAI_BASE_URL={chosen.base_url}",
            ],
        }
