"""A Qdrant server as a stand-in: its REST API over the local engine of `qdrant-client`."""

import json
from collections.abc import Mapping
from typing import Any

from qdrant_client import QdrantClient, models

from tests.edge.loopback import Answer, Asked


class QdrantStandIn:
    """Keeps collections in memory; serve `answer` on loopback, look into it with `client`."""

    def __init__(self) -> None:
        self.client = QdrantClient(":memory:")
        self.indexes: dict[str, dict[str, Any]] = {}
        self.asked: list[tuple[str, str, Any]] = []

    def names(self) -> set[str]:
        """The collections that there are."""
        return {each.name for each in self.client.get_collections().collections}

    def points(self, name: str) -> dict[str, dict[str, Any]]:
        """The payload of every point of a collection, by its id."""
        records, _ = self.client.scroll(name, limit=1_000_000, with_payload=True)
        return {str(record.id): dict(record.payload or {}) for record in records}

    def everything(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Every point of every collection."""
        return {name: self.points(name) for name in sorted(self.names())}

    async def answer(self, asked: Asked) -> Answer:
        """The result of one request, in the server's envelope."""
        path, body = asked.path.partition("?")[0], asked.json()
        self.asked.append((asked.method, path, body))
        _, _, *rest = path.split("/")
        if not rest:
            return _done(self.client.get_collections())
        name, what = rest[0], "/".join(rest[1:])
        if what == "exists":
            return _done({"exists": name in self.names()})
        if name not in self.names() and (asked.method, what) != ("PUT", ""):
            return Answer(status=404, body=b'{"status":{"error":"Not found"},"time":0.0}')
        if name in self.names() and (asked.method, what) == ("PUT", ""):
            return Answer(status=409, body=b'{"status":{"error":"Already exists"},"time":0.0}')
        return _done(self._result(asked.method, name, what, body))

    def _result(self, method: str, name: str, what: str, body: Any) -> object:
        match method, what:
            case "PUT", "":
                return self._create(name, body)
            case "GET", "":
                return self.client.get_collection(name)
            case "DELETE", "":
                return self.client.delete_collection(name)
            case "PUT", "index":
                self.indexes[name][body["field_name"]] = body["field_schema"]
                return {"operation_id": 0, "status": "completed"}
            case _:
                return self._of_points(method, name, what, body)

    def _create(self, name: str, body: Any) -> bool:
        self.indexes[name] = {}
        shape = models.VectorParams.model_validate(body["vectors"])
        return self.client.create_collection(name, vectors_config=shape)

    def _of_points(self, method: str, name: str, what: str, body: Any) -> object:
        client, chosen = self.client, _filter(body)
        done: object
        match method, what:
            case "PUT", "points":
                points = [models.PointStruct.model_validate(one) for one in body["points"]]
                done = client.upsert(name, points)
            case "POST", "points":
                done = client.retrieve(name, body["ids"], with_payload=True)
            case "POST", "points/delete":
                selector = (
                    models.PointIdsList(points=body["points"])
                    if chosen is None
                    else models.FilterSelector(filter=chosen)
                )
                done = client.delete(name, selector)
            case "POST", "points/count":
                done = client.count(name, count_filter=chosen)
            case "POST", "points/scroll":
                done = self._page(name, body)
            case "POST", "points/query":
                query = body["query"]
                nearest = query["nearest"] if isinstance(query, dict) else query
                done = client.query_points(
                    name, nearest, query_filter=chosen, limit=body["limit"], with_payload=False
                )
            case _:
                raise AssertionError(f"The stand-in does not know {method} {what}.")
        return done

    def _page(self, name: str, body: Any) -> object:
        page, following = self.client.scroll(
            name,
            scroll_filter=_filter(body),
            limit=body["limit"],
            offset=body.get("offset"),
            with_payload=False,
        )
        return {"points": [{"id": one.id} for one in page], "next_page_offset": following}


def _filter(body: Any) -> models.Filter | None:
    found = body.get("filter") if isinstance(body, Mapping) else None
    return None if found is None else models.Filter.model_validate(found)


def _done(result: Any) -> Answer:
    if isinstance(result, list):
        result = [one.model_dump(mode="json") for one in result]
    elif hasattr(result, "model_dump"):
        result = result.model_dump(mode="json")
    return Answer(body=json.dumps({"result": result, "status": "ok", "time": 0.001}).encode())
