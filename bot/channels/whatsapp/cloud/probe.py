"""A look at the pet's phone number, for the doctor."""

from bot.channels.whatsapp.cloud.call_record import CallRecord
from bot.channels.whatsapp.cloud.channel import CloudChannel
from bot.channels.whatsapp.cloud.graph import AccessRefused, GraphApi
from bot.channels.whatsapp.cloud.options import CloudOptions
from bot.channels.whatsapp.cloud.subscription import WebhookSubscription
from bot.channels.whatsapp.service.findings import (
    CallStage,
    CloudLogin,
    CloudSight,
    SubscriptionSight,
)
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.ports import Platform


async def sight_of(options: CloudOptions, here: Platform | None) -> CloudSight:
    """What is seen of the number and of the webhook; never fails, at worst says what is wrong."""
    if not options.phone_number_id:
        return CloudSight(login=CloudLogin.NUMBERLESS)
    api = GraphApi(options)
    channel = here if isinstance(here, CloudChannel) else None
    record = (
        channel.webhook.record if channel else CallRecord(options.folder, options.phone_number_id)
    )
    subscription = SubscriptionSight()
    try:
        number = await api.number()
        if record.stage is not CallStage.CALLED:
            subscription = await WebhookSubscription(api, options.business_account_id).look()
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
        stage=record.stage,
        subscription=subscription,
        subscribing=f"{options.url}{subscription.account or 'WABA_ID'}/subscribed_apps",
        elsewhere=None if channel is None else channel.webhook.last_elsewhere,
        stranger=None if channel is None else channel.webhook.last_stranger,
        unlisted=channel is not None and channel.refusals.is_unlisted,
    )
