"""A look at the pet's phone number, for the doctor."""

from bot.channels.whatsapp.cloud.channel import CloudChannel
from bot.channels.whatsapp.cloud.graph import AccessRefused, GraphApi
from bot.channels.whatsapp.cloud.options import CloudOptions
from bot.channels.whatsapp.service.findings import CloudLogin, CloudSight
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.ports import Platform


async def sight_of(options: CloudOptions, here: Platform | None) -> CloudSight:
    """What is seen of the number and of the webhook; never fails, at worst says what is wrong."""
    if not options.phone_number_id:
        return CloudSight(login=CloudLogin.NUMBERLESS)
    api = GraphApi(options)
    channel = here if isinstance(here, CloudChannel) else None
    try:
        number = await api.number()
    except AccessRefused as error:
        return CloudSight(login=CloudLogin.REFUSED, code=error.code)
    except DeliveryRefused:
        return CloudSight(login=CloudLogin.UNKNOWN_NUMBER)
    except DeliveryFailed:
        return CloudSight(login=CloudLogin.UNREACHABLE)
    finally:
        await api.close()
    return CloudSight(
        login=CloudLogin.WORKS,
        name=number.name,
        quality=number.quality,
        takes_calls=bool(options.app_secret),
        has_word=bool(options.verify_token),
        answers_someone=bool(options.allowed),
        calls=None if channel is None else channel.webhook.calls,
        stranger=None if channel is None else channel.webhook.last_stranger,
    )
