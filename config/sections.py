"""The sections of the settings: what can be chosen, its default, its range and what it is for."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from config.forms import Hour, HttpAddress, Identity, Key, Name, Share, channel_number


class Section(BaseModel):
    """A part of the settings: frozen, without unknown keys, and silent about its values."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )

    @field_validator("*", mode="before")
    @classmethod
    def _read_none(cls, value: Any, info: ValidationInfo) -> Any:
        """None for the word "none" where nothing can be chosen, since TOML has no null."""
        annotation = cls.model_fields[info.field_name or ""].annotation
        return None if value == "none" and type(None) in get_args(annotation) else value


class PetSettings(Section):
    """Who it answers as."""

    name: Name = Field("Eko", description="The name it goes by; writing it addresses the pet.")
    aliases: tuple[Name, ...] = Field((), description="Other names it answers to.")


class AdminSettings(Section):
    """Who may use the commands that change things."""

    identities: tuple[Identity, ...] = Field(
        ("console:*",),
        description="Accounts as platform:id; platform:* means everyone on that platform.",
    )


class CoalescingSettings(Section):
    """How several messages in a row become one turn."""

    debounce_s: float = Field(
        1.5, ge=0, le=60, description="Seconds of quiet after the last message before it answers."
    )
    max_wait_s: float = Field(
        5.0, ge=0, le=300, description="Seconds after the first message when it answers anyway."
    )
    max_restarts: int = Field(
        1, ge=0, le=10, description="How often a turn starts again because a new message came in."
    )
    max_messages: int = Field(
        50, ge=1, le=1000, description="Messages that close a batch at once, quiet or not."
    )
    pending_max_age_s: int = Field(
        3600, ge=0, description="Seconds after which a message left over by a stop goes unanswered."
    )

    @model_validator(mode="after")
    def _cap_covers_the_quiet(self) -> Self:
        if self.max_wait_s < self.debounce_s:
            raise ValueError("max_wait_s must be at least debounce_s")
        return self


class SessionSettings(Section):
    """One person's conversation in one room."""

    idle_minutes: float = Field(15, gt=0, le=1440, description="Minutes of silence that end it.")
    window_messages: int = Field(
        20,
        ge=1,
        le=200,
        description="Latest messages the model sees word for word, however long they are.",
    )


class ModelSettings(Section):
    """The language model it thinks with; without a key it answers by rules, offline."""

    name: Name = Field("claude-haiku-5-5", description="The model's name at its service.")
    api_key: Key | None = Field(None, description="The key of the model's service.")
    base_url: HttpAddress | None = Field(
        None, description="Another server that speaks the Messages API, such as a local one."
    )
    max_turns: int = Field(5, ge=1, le=20, description="Rounds of tools in one answer, at most.")
    max_tokens: int = Field(1024, ge=64, le=64000, description="Tokens of one reply, at most.")
    timeout_s: float = Field(60, gt=0, le=600, description="Seconds one call may take.")
    retries: int = Field(2, ge=0, le=10, description="Further tries when the service is away.")
    prompt_caching: bool = Field(
        default=True,
        description="Mark the stable parts of the prompt as cacheable; some servers refuse it.",
    )
    vision: bool = Field(default=True, description="Show it the pictures that people send.")


class EmbedderSettings(Section):
    """What turns texts into vectors."""

    kind: Literal["auto", "voyage", "offline", "none"] = Field(
        "auto",
        description="Auto takes voyage when there is a key for it, and offline otherwise; "
        "none recalls by words, names and times only.",
    )
    api_key: Key | None = Field(None, description="The key of the embedding service.")
    base_url: HttpAddress | None = Field(
        None, description="Another server that speaks the same requests, such as a local one."
    )
    model: Name = Field("voyage-3.5", description="The embedding model at the service.")
    dimension: int = Field(1024, ge=32, le=4096, description="Numbers in one of its vectors.")
    timeout_s: float = Field(10, gt=0, le=300, description="Seconds one call may take.")
    retries: int = Field(3, ge=0, le=10, description="Further tries when the service is away.")

    @model_validator(mode="after")
    def _voyage_can_be_called(self) -> Self:
        if self.kind == "voyage" and self.api_key is None and self.base_url is None:
            raise ValueError('kind "voyage" needs an api_key (or VOYAGE_API_KEY), or a base_url')
        return self


class VectorSettings(Section):
    """Where the index of what it remembers is kept; it can be rebuilt at any time."""

    kind: Literal["auto", "edge", "qdrant"] = Field(
        "auto", description="Auto takes qdrant when there is a url, and edge, embedded, otherwise."
    )
    url: HttpAddress | None = Field(None, description="The address of a Qdrant server or cluster.")
    api_key: Key | None = Field(None, description="The key of that server.")
    prefix: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,40}$")] = Field(
        "eko_", description="What the names of its collections begin with."
    )
    timeout_s: float = Field(5, gt=0, le=300, description="Seconds one call may take.")

    @model_validator(mode="after")
    def _server_has_an_address(self) -> Self:
        if self.kind == "qdrant" and self.url is None:
            raise ValueError('kind "qdrant" needs a url (or QDRANT_URL)')
        return self


class RecallSettings(Section):
    """What is looked up, silently, before it answers."""

    enabled: bool = Field(
        default=True, description="Whether anything is put before the model by itself."
    )
    vector_results: int = Field(
        30,
        ge=0,
        le=200,
        description="Rows found by meaning, at most, in each of statements, exchanges and lobby.",
    )
    text_results: int = Field(
        40, ge=0, le=500, description="Rows found by words, at most, in each of them."
    )
    live_results: int = Field(
        10,
        ge=0,
        le=100,
        description="Lobby messages among the lines it is given, at most.",
    )
    max_results: int = Field(20, ge=0, le=100, description="Lines put before the model, at most.")
    min_score: Share = Field(
        0.5,
        description="How sure it must be that a row fits, to bring it up; "
        "where one does, half as sure is enough for others.",
    )
    max_tokens: int = Field(600, ge=0, le=8000, description="Tokens of those lines, at most.")
    deadline_ms: int = Field(
        100,
        ge=10,
        le=10000,
        description="Milliseconds to search, for what goes with it, and to judge, each.",
    )
    embed_timeout_ms: int = Field(
        2000, ge=10, le=30000, description="Milliseconds to embed the question, and to read it."
    )
    recent_hours: float = Field(
        6, ge=0, le=168, description="Hours for which what a room brought counts as recent there."
    )
    fusion: Literal["score", "rrf"] = Field(
        "score", description="What orders the rows: their scores, or their ranks by each signal."
    )
    rrf_k: int = Field(60, ge=1, le=1000, description="The constant of the order by ranks.")
    dedupe_similarity: Share = Field(
        0.85, description="Above this similarity to what is in the window, a line is left out."
    )
    dedupe_buffer: int = Field(
        100, ge=0, le=10000, description="Recalled lines remembered for that comparison."
    )
    persist: Literal["window", "turn"] = Field(
        "window",
        description="Recalled lines stay while their message is in the window, or one turn only.",
    )


class BranchSettings(Section):
    """A deep recall: searches of its own that the model may ask for; what one may take."""

    max_turns: int = Field(6, ge=1, le=20, description="Rounds of searches, at most.")
    max_tokens: int = Field(1024, ge=64, le=64000, description="Tokens of one reply, at most.")
    most_tokens: int = Field(
        40_000,
        ge=1000,
        le=1_000_000,
        description="Fresh tokens, sent and received, after which it must conclude.",
    )
    timeout_s: float = Field(60, gt=0, le=600, description="Seconds it may take.")


class DigestSettings(Section):
    """The job that turns what the lobby said into memories."""

    enabled: bool = Field(default=True, description="Whether it runs by itself.")
    hours: tuple[Hour, ...] = Field(
        (2, 6, 10, 14, 18, 22), min_length=1, description="Hours of the day when it runs."
    )
    missed_after_hours: float = Field(
        4, gt=0, le=168, description="At start it runs at once when the last is older than this."
    )
    chunk_messages: int = Field(120, ge=1, le=1000, description="Messages read in one piece.")
    chunk_chars: int = Field(
        12000, ge=500, le=400000, description="Characters read in one piece, at most."
    )
    overlap_messages: int = Field(
        10, ge=0, le=200, description="Earlier messages shown with a piece, to understand it."
    )
    attempts: int = Field(3, ge=1, le=10, description="Tries before a piece is set aside.")

    @field_validator("hours")
    @classmethod
    def _each_hour_once(cls, hours: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(hours)) != len(hours):
            raise ValueError("must name each hour once")
        return tuple(sorted(hours))

    @model_validator(mode="after")
    def _pieces_move_on(self) -> Self:
        if self.overlap_messages >= self.chunk_messages:
            raise ValueError("overlap_messages must be less than chunk_messages")
        return self


class SweepSettings(Section):
    """How often it tidies up."""

    expired_minutes: float = Field(
        60,
        gt=0,
        le=10080,
        description="Minutes between looks for what has expired, which is archived; "
        "what was forgotten a day ago is purged and memories that hang together are tied then too.",
    )
    tidy_hour: Hour | None = Field(
        4, description="The hour of the night when it looks for memories that say the same twice."
    )
    sessions_seconds: float = Field(
        60,
        gt=0,
        le=3600,
        description="Seconds between looks for conversations that ended and replies not sent.",
    )
    dropped_days: float = Field(
        30,
        gt=0,
        le=36500,
        description="Days for which it keeps what it considered for an answer and did not recall, "
        "for `eko why --all`; what it recalled is kept.",
    )


class WebSettings(Section):
    """The web page and the dashboard."""

    enabled: bool = Field(default=True, description="Whether there is a page.")
    host: Name = Field(
        "127.0.0.1",
        description="The address it listens on; 0.0.0.0 or :: opens it to the network, "
        "under this machine's names and addresses.",
    )
    port: int = Field(8484, ge=0, le=65535, description="Its port; 0 takes any free one.")

    hosts: tuple[Name, ...] = Field(
        (),
        description="Further names it answers to, as browsers write them; * is any.",
    )

    @property
    def address(self) -> str:
        """The page's address as a browser on this machine takes it."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(self.host, self.host)  # noqa: S104 - compared, not listened on
        return f"http://{host}:{self.port}"


class CapSettings(Section):
    """Tokens one purpose may use in a day."""

    daily_input_tokens: int | None = Field(None, ge=0, description="Fresh tokens sent, at most.")
    daily_output_tokens: int | None = Field(None, ge=0, description="Tokens received, at most.")


class BranchCapSettings(CapSettings):
    """Tokens deep recalls may use in a day: one takes as much as several answers."""

    daily_input_tokens: int | None = Field(
        1_000_000, ge=0, description="Fresh tokens sent, at most."
    )
    daily_output_tokens: int | None = Field(100_000, ge=0, description="Tokens received, at most.")


class JudgingCapSettings(CapSettings):
    """Tokens that comparing what was learnt with what is kept may use in a day."""

    daily_input_tokens: int | None = Field(500_000, ge=0, description="Fresh tokens sent, at most.")
    daily_output_tokens: int | None = Field(50_000, ge=0, description="Tokens received, at most.")


class BudgetSettings(Section):
    """What thinking may cost in a day; none means no cap."""

    per_person_turns: int | None = Field(
        500, ge=0, description="Answers one person gets in a day, at most."
    )
    turn: CapSettings = Field(CapSettings(), description="Answering people.")
    digest: CapSettings = Field(CapSettings(), description="Learning from the lobby.")
    compaction: CapSettings = Field(CapSettings(), description="Summarising conversations.")
    extraction: CapSettings = Field(
        CapSettings(), description="Learning from conversations with the pet."
    )
    evaluation: CapSettings = Field(CapSettings(), description="One run of `eko eval locomo --qa`.")
    branch: BranchCapSettings = Field(
        BranchCapSettings(), description="Deep recalls, besides the answers they are for."
    )
    judging: JudgingCapSettings = Field(
        JudgingCapSettings(),
        description="Comparing what was learnt in the background with what is kept; "
        "past it rules do that alone.",
    )


class ShutdownSettings(Section):
    """How long a stop waits."""

    turns_s: float = Field(20, ge=0, le=600, description="Seconds for answers under way.")
    posthooks_s: float = Field(30, ge=0, le=600, description="Seconds for what follows an answer.")


class LogSettings(Section):
    """What it says about its work; never what people say, above debug."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least important events that are written."
    )
    format: Literal["auto", "console", "json"] = Field(
        "auto", description="Auto writes for people in a terminal, and JSON elsewhere."
    )
    file: str | None = Field(None, min_length=1, description="A file that gets the same as JSON.")


class SeedSettings(Section):
    """What it is born with."""

    file: str | None = Field(None, min_length=1, description="The seed that `eko seed` plants.")


class RoomSettings(Section):
    """What the pet does in one room; rooms without an entry keep their platform's default."""

    platform: Literal["local", "discord"] = Field(
        description="The platform the room is on; local is the page's and the terminal's.",
        examples=["local"],
    )
    external_id: Annotated[str, StringConstraints(min_length=1)] = Field(
        description="The room's id there.", examples=["lobby"]
    )
    role: Literal["lobby", "pet", "mention", "ignored"] | None = Field(
        None,
        description="lobby: reads along; mention: hears only what calls it; pet: answers all.",
    )
    space: Name | None = Field(
        None, description="The community it belongs to; nothing crosses from one to another."
    )
    confidential: bool = Field(
        default=False, description="Whether what is said there never leaves it."
    )

    @field_validator("external_id")
    @classmethod
    def _has_the_form_of_its_platform(cls, external_id: str, info: ValidationInfo) -> str:
        on_discord = info.data.get("platform") == "discord"
        return channel_number(external_id) if on_discord else external_id
