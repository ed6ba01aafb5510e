"""Who the pet is on its homeserver: a session that is begun once and kept in a file."""

import json
from pathlib import Path

import structlog

from bot.channels.matrix.service.account import DeviceSession, HomeserverAccount
from bot.channels.matrix.service.homeserver import Homeserver, TokenRefused
from bot.channels.matrix.service.json_values import Json, as_map, text_in
from bot.errors import BotError
from bot.platforms.http_api import ApiRefused
from bot.secret_file import write_private

log = structlog.get_logger()

FILE = "session.json"


class LoginRefused(BotError):
    """The homeserver lets the account in neither by a token nor by a password."""


class OtherAccount(BotError):
    """The token is of another account than the one that was chosen."""


async def session_of(account: HomeserverAccount, folder: Path) -> DeviceSession:
    """The session to go on with, begun now where there is none.

    Raises:
        LoginRefused: neither token nor password is taken.
        OtherAccount: the token is of another account.
        FolderRefused: it could not be kept.
        DeliveryFailed: the homeserver is away.

    """
    if account.token is not None:
        return await _of_token(account, account.token)
    kept = _kept(account, folder)
    if kept is not None:
        try:
            return await _of_token(account, kept.token)
        except LoginRefused:
            log.info("session.ended", device=kept.device_id)
    return await _begun(account, kept, folder)


def kept_token(account: HomeserverAccount, folder: Path | None) -> str | None:
    """The token of the session that is kept; None before the first login by a password."""
    kept = None if folder is None else _kept(account, folder)
    return None if kept is None else kept.token


async def _of_token(account: HomeserverAccount, token: str) -> DeviceSession:
    homeserver = Homeserver(account.homeserver, token)
    try:
        user, device = await homeserver.who_am_i()
    except TokenRefused as refusal:
        raise LoginRefused(str(refusal)) from None
    finally:
        await homeserver.close()
    if account.user_id is not None and user != account.user_id:
        raise OtherAccount("The token is of another account.")
    return DeviceSession(user_id=user, device_id=device, token=token)


async def _begun(
    account: HomeserverAccount, kept: DeviceSession | None, folder: Path
) -> DeviceSession:
    """Log in by the password; on the device that has the keys, where there is one."""
    if account.password is None or account.user_id is None:
        raise LoginRefused("There is no password to begin a session with.")
    homeserver = Homeserver(account.homeserver)
    try:
        device = None if kept is None else kept.device_id
        said = await homeserver.log_in(
            account.user_id, account.password, device, account.device_name
        )
    except (TokenRefused, ApiRefused) as refusal:
        raise LoginRefused(str(refusal)) from None
    finally:
        await homeserver.close()
    session = _session(said)
    if session is None:
        raise LoginRefused("The homeserver begins no session.")
    _keep(account, session, folder)
    log.info("session.begun", device=session.device_id)
    return session


def _session(said: Json) -> DeviceSession | None:
    user, device = text_in(said, "user_id"), text_in(said, "device_id")
    token = text_in(said, "access_token")
    return (
        DeviceSession(user_id=user, device_id=device, token=token)
        if user and device and token
        else None
    )


def _kept(account: HomeserverAccount, folder: Path) -> DeviceSession | None:
    """What the file says, if it is about this account on this server."""
    try:
        said = as_map(json.loads((folder / FILE).read_text("utf-8")))
    except (OSError, ValueError):
        return None
    session = _session(said)
    is_ours = text_in(said, "homeserver") == account.homeserver
    if session is None or not is_ours or session.user_id != account.user_id:
        return None
    return session


def _keep(account: HomeserverAccount, session: DeviceSession, folder: Path) -> None:
    said = {
        "homeserver": account.homeserver,
        "user_id": session.user_id,
        "device_id": session.device_id,
        "access_token": session.token,
    }
    write_private(folder / FILE, json.dumps(said))
