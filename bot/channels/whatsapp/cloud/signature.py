"""Whether a call comes from Meta, by what both sides know. Pure.

https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/create-webhook-endpoint
"""

import hashlib
import hmac
from collections.abc import Mapping

HEADER = "x-hub-signature-256"

_PREFIX = b"sha256="


def is_signed(body: bytes, header: str | None, secret: str) -> bool:
    """Whether a header signs a body, as it came, with the app's secret; false without a secret.

    What is compared are bytes: a header may hold signs that no digest has.
    """
    if not secret or header is None:
        return False
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(_PREFIX + digest.encode(), header.encode("utf-8", "replace"))


def challenge_of(query: Mapping[str, str], verify_token: str) -> str | None:
    """The answer to Meta's verification of the webhook; None if it is not Meta's."""
    token = query.get("hub.verify_token", "").encode("utf-8", "replace")
    is_theirs = hmac.compare_digest(token, verify_token.encode())
    if not verify_token or not is_theirs or query.get("hub.mode") != "subscribe":
        return None
    return query.get("hub.challenge")
