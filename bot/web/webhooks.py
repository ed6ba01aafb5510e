"""`/webhooks/NAME`: requests of the services that call the pet; each channel judges its own.

They come from elsewhere, under whatever name the machine has there, and without a cookie: this
stands outside the guards of the page.
"""

from collections.abc import Mapping, Sequence

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.model.webhooks import WebhookRequest
from bot.ports import Platform, Webhook

PREFIX = "/webhooks/"

_METHODS = frozenset({"GET", "POST"})


def webhooks_of(platforms: Sequence[Platform]) -> Mapping[str, Webhook]:
    """What takes the requests of each service that calls, by its name."""
    return {one.platform: hook for one in platforms if (hook := one.webhook) is not None}


class Webhooks:
    """Hands what is for a channel to it, as it came; everything else goes on. Pure ASGI."""

    def __init__(self, app: ASGIApp, hooks: Mapping[str, Webhook]) -> None:
        self._app = app
        self._hooks = hooks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a webhook, or pass it on."""
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or not path.startswith(PREFIX):
            await self._app(scope, receive, send)
            return
        hook = self._hooks.get(path.removeprefix(PREFIX))
        if hook is None:
            await PlainTextResponse(status_code=404)(scope, receive, send)
        elif scope["method"] not in _METHODS:
            await PlainTextResponse(status_code=405)(scope, receive, send)
        else:
            await _answered(hook, scope, receive, send)


async def _answered(hook: Webhook, scope: Scope, receive: Receive, send: Send) -> None:
    """Hand a request over once it is whole; what reads its body stands within no other guard."""
    try:
        request = await _request(scope, receive)
    except HTTPException as refused:
        refusal = PlainTextResponse(status_code=refused.status_code, headers=refused.headers)
        await refusal(scope, receive, send)
        return
    except ClientDisconnect:
        return  # the caller left, and no one waits for an answer
    answer = await hook.answer(request)
    # As text, and never as a page: a service may ask for its own words back.
    headers = {"x-content-type-options": "nosniff"}
    said = PlainTextResponse(answer.text, status_code=answer.status, headers=headers)
    await said(scope, receive, send)


async def _request(scope: Scope, receive: Receive) -> WebhookRequest:
    request = Request(scope, receive)
    return WebhookRequest(
        method=request.method,
        query=dict(request.query_params),
        headers=dict(Headers(scope=scope)),
        body=await request.body(),
    )
