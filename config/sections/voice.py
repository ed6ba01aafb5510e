"""The section about voice notes: what writes down their words, and what that may cost."""

from pydantic import Field

from config.sections.section import HttpAddress, Key, Name, SettingsSection


class VoiceSettings(SettingsSection):
    """What listens to voice notes: a transcription server, in the cloud or on the machine."""

    url: HttpAddress | None = Field(
        None,
        description="The server that speaks OpenAI's audio API; it mostly ends in /v1. Without one"
        " no voice is listened to.",
    )
    api_key: Key | None = Field(
        None, description="The key of the server; those on this machine need none."
    )
    model: Name = Field("whisper-1", description="The model's name at the server.")
    dollars_per_minute: float = Field(
        0.0, ge=0, le=100, description="What the server takes for a minute of sound, in US dollars."
    )
    max_seconds: float = Field(
        180, ge=1, le=3600, description="Longer voice notes are not listened to."
    )
    max_megabytes: float = Field(
        5, gt=0, le=25, description="Larger ones are not even fetched; OpenAI takes 25."
    )
    daily_minutes: float | None = Field(
        60, ge=0, description="Minutes of sound in a day, everybody's together."
    )
    daily_dollars: float | None = Field(
        1.0, ge=0, description="US dollars in a day for them, besides daily_dollars of [budget]."
    )
    per_person_minutes: float | None = Field(
        20, ge=0, description="Minutes of sound in a day, of one person."
    )
    timeout_s: float = Field(
        30, gt=0, le=600, description="Seconds the server may take for one; what follows it waits."
    )
    retries: int = Field(1, ge=0, le=5, description="Further tries when the server is away.")
