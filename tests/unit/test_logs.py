import io
import json
import logging
import re
import warnings
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
import structlog
from pydantic import BaseModel, SecretStr, ValidationError

from bot.texts.catalogue import texts_in
from bot.texts.log_sentences import LogSentences
from config.logs import set_up_logs
from config.recent_logs import event_counts
from config.redaction import masked
from config.sections.daemon import LogSettings

KEY = "sk-ant-api03-abcdefghijklmnop"
ODD_KEY = "a key of no known shape"
WORDS = "je pars en Grèce demain"


def _set_up(*, locale: str = "en", **chosen: Any) -> io.StringIO:
    """Logs as chosen, in a text to look at."""
    stream = io.StringIO()
    log, sentences = LogSettings(**chosen), LogSentences(texts_in(locale), UTC)
    set_up_logs(log, sentences, secrets=[SecretStr(ODD_KEY)], stream=stream)
    return stream


def test_json_has_the_event_its_level_its_time_and_its_fields() -> None:
    """One object a line, for machines."""
    out = _set_up(format="json")
    structlog.get_logger().info("turn.replied", took_ms=12)
    line = json.loads(out.getvalue())
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "turn.replied", "level": "info", "took_ms": 12}


def test_events_are_counted_by_level() -> None:
    """A repetition that is left out of the log is left out of the count; a new log begins at 0."""
    _set_up()
    for _ in range(3):
        structlog.get_logger().warning("index.paused", error="x")
    structlog.get_logger().error("job.failed", job="digest")
    assert event_counts() == {"warning": 1, "error": 1}
    _set_up()
    assert event_counts() == {}


def _said(out: io.StringIO) -> str:
    """What a terminal shows behind the time of day."""
    time, _, said = out.getvalue().partition(" ")
    assert re.fullmatch(r"\d\d:\d\d:\d\d", time)
    return said


@pytest.mark.parametrize(
    ("locale", "sentence"),
    [
        ("en", "Digest finished; messages read: 3, memories kept: 1.\n"),
        ("fr", "Condensé terminé ; messages lus : 3, souvenirs gardés : 1.\n"),
    ],
)
def test_the_console_has_a_sentence(locale: str, sentence: str) -> None:
    """For people: the time and a sentence of their language, no JSON and no colour codes."""
    out = _set_up(format="console", locale=locale)
    structlog.get_logger().info("digest.finished", messages=3, facts=1, quarantined=0)
    assert _said(out) == sentence


def test_the_console_adds_what_a_sentence_does_not_tell() -> None:
    """A digest that was interrupted does not read like one that was not."""
    out = _set_up(format="console")
    structlog.get_logger().info(
        "digest.finished", messages=3, facts=1, quarantined=0, interrupted=True
    )
    assert _said(out) == "Digest finished; messages read: 3, memories kept: 1. (interrupted True)\n"


def test_the_console_says_other_events_by_their_names() -> None:
    """The name stays, since the manual is searched by it."""
    out = _set_up(format="console")
    structlog.get_logger().warning("reply.refused", reason="no such room", room="7")
    assert _said(out) == "Warning: Reply refused: no such room (room 7) [reply.refused]\n"


@pytest.mark.parametrize("event", ["stop.asked", "turn.replied"])
def test_the_console_leaves_out_what_is_no_news(event: str) -> None:
    """JSON has it all the same."""
    out = _set_up(format="console")
    structlog.get_logger().info(event)
    assert out.getvalue() == ""
    whole = _set_up(format="json")
    structlog.get_logger().info(event)
    assert event in whole.getvalue()


def test_nothing_in_an_event_commands_the_terminal_or_poses_as_another() -> None:
    """Names and reasons come from outside."""
    out = _set_up(format="console")
    hostile = "a\x1b[2J\n12:00:00 Eko is asleep."
    structlog.get_logger().warning("room.postponed", room=hostile, reason=hostile)
    logging.getLogger("some.library").warning(hostile)
    assert "\x1b" not in out.getvalue()
    assert out.getvalue().count("\n") == 2


def test_auto_writes_json_where_nobody_watches() -> None:
    """A stream that is no terminal gets JSON."""
    out = _set_up()
    structlog.get_logger().info("turn.replied")
    assert json.loads(out.getvalue())["event"] == "turn.replied"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Whether somebody watches: yes."""
        return True


def test_auto_writes_for_people_in_a_terminal() -> None:
    """A terminal gets lines to read."""
    out = Terminal()
    set_up_logs(LogSettings(), LogSentences(texts_in("en"), UTC), stream=out)
    structlog.get_logger().info("turn.replied")
    assert not out.getvalue().startswith("{")


@pytest.mark.parametrize("level", ["info", "warning", "error"])
@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("field", ["text", "content", "message_text", "injection", "prompt"])
def test_what_people_write_stays_out_above_debug(level: str, form: str, field: str) -> None:
    """Only its length is told, also inside another field."""
    out = _set_up(format=form)
    write = getattr(structlog.get_logger(), level)
    write("message.received", **{field: WORDS}, inside={field: WORDS})
    assert "Grèce" not in out.getvalue()
    assert "Gr\\u00e8ce" not in out.getvalue()
    assert f"{field}_chars" in out.getvalue()


def test_what_people_write_is_there_at_debug() -> None:
    """Debug is for looking closely, and says so in its settings."""
    out = _set_up(level="debug", format="json")
    structlog.get_logger().debug("message.received", text=WORDS)
    assert json.loads(out.getvalue())["text"] == WORDS


def test_debug_events_are_not_written_at_info() -> None:
    """The chosen level holds for ours and for libraries."""
    out = _set_up(format="json")
    structlog.get_logger().debug("message.received", text=WORDS)
    logging.getLogger("some.library").debug(WORDS)
    assert out.getvalue() == ""


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("level", ["debug", "info"])
def test_secrets_are_masked_wherever_they_stand(form: str, level: str) -> None:
    """In a value, inside a list, in an object's repr, in a field that is secret by name."""
    out = _set_up(format=form, level=level)
    structlog.get_logger().info(
        "model.called",
        url=f"https://u:pass-word@host/?key={KEY}",
        headers=["Authorization: Bearer abc.def-123"],
        error=ValueError(f"refused {KEY}"),
        api_key="short",
        options={"token": "short", "odd": ODD_KEY},
    )
    said = out.getvalue()
    hidden = [KEY, ODD_KEY, "abc.def-123", "pass-word", "short"]
    assert not [secret for secret in hidden if secret in said]
    assert said.count("***") >= 6


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_shows_no_locals_and_no_secret(form: str) -> None:
    """The variables around an error stay inside, and its sentence is masked."""
    out = _set_up(format=form)
    _fail_with(WORDS, ODD_KEY)
    said = out.getvalue()
    assert "Traceback" in said
    assert "RuntimeError" in said
    assert not [secret for secret in (WORDS, "Gr", KEY, ODD_KEY) if secret in said]


def _fail_with(words: str, key: str) -> None:
    try:
        _refuse(words, key)
    except RuntimeError:
        structlog.get_logger().exception("turn.failed", words_kept=len(words))


def _refuse(words: str, key: str) -> None:
    spoken = words + words
    raise RuntimeError(f"the service refused {KEY} and {key}") from KeyError(len(spoken))


class Answer(BaseModel):
    """Something a model should have said."""

    message: int


def test_what_a_validation_error_quotes_is_masked() -> None:
    """Pydantic quotes the refused input, which may be what somebody wrote."""
    out = _set_up(format="json")
    try:
        Answer.model_validate({"message": WORDS})
    except ValidationError:
        structlog.get_logger().exception("reply.refused")
    assert "input_value=***" in out.getvalue()
    assert "Gr" not in out.getvalue()


def test_libraries_are_written_in_the_same_form_and_masked() -> None:
    """Standard logging goes the same way."""
    out = _set_up(format="json")
    logging.getLogger("some.library").warning("key %s refused", KEY)
    line = json.loads(out.getvalue())
    assert (line["event"], line["level"]) == ("key *** refused", "warning")


@pytest.mark.parametrize("name", ["uvicorn.access", "apscheduler.scheduler", "httpx2"])
@pytest.mark.parametrize("level", ["debug", "info"])
def test_talkative_libraries_are_heard_from_warnings_up(name: str, level: str) -> None:
    """Each request and each job would drown the rest."""
    out = _set_up(format="json", level=level)
    logging.getLogger(name).info("GET /")
    assert out.getvalue() == ""
    logging.getLogger(name).warning("trouble")
    assert "trouble" in out.getvalue()


def test_python_warnings_are_written_too() -> None:
    """A deprecation is an event like any other."""
    out = _set_up(format="json")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        logging.captureWarnings(capture=True)
        warnings.warn("soon gone", UserWarning, stacklevel=1)
    assert "soon gone" in json.loads(out.getvalue())["event"]


def test_the_file_gets_json_whatever_the_stream_gets(tmp_path: Path) -> None:
    """Its folder is made, and it is masked as well."""
    path = tmp_path / "logs" / "eko.log"
    out = _set_up(format="console", file=str(path))
    structlog.get_logger().info("store.opened", note=KEY, who="Zoé")
    line = json.loads(path.read_text(encoding="utf-8"))
    assert (line["event"], line["note"], line["who"]) == ("store.opened", "***", "Zoé")
    assert "store.opened" in out.getvalue()


def test_setting_up_again_replaces_what_was_there() -> None:
    """No event is written twice."""
    first = _set_up(format="json")
    second = _set_up(format="json")
    structlog.get_logger().info("store.opened")
    assert first.getvalue() == ""
    assert len(second.getvalue().splitlines()) == 1


def test_context_bound_elsewhere_is_written() -> None:
    """A turn binds its id once."""
    out = _set_up(format="json")
    with structlog.contextvars.bound_contextvars(turn="t1"):
        structlog.get_logger().info("turn.replied")
    assert json.loads(out.getvalue())["turn"] == "t1"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("sk-ant-abc123def", "***"),
        ("pa-abcdefghijklmnop", "***"),
        ("Bearer abc", "Bearer ***"),
        ("eyJhbGciOiJI.eyJzdWIi.c2ln", "***"),
        ("at /bot123456789:AAabcdefghijklmnopqrstuvwxyz-_12345/getMe", "at /bot***/getMe"),
        ("https://me:word@host", "https://***@host"),
        (
            "a task-force of 12, see https://host/pa-ge",
            "a task-force of 12, see https://host/pa-ge",
        ),
        ("key=sk-abc123def,next", "key=***,next"),
    ],
)
def test_what_looks_like_a_secret_is_masked_and_words_are_not(text: str, left: str) -> None:
    """Shapes of known services are hidden; ordinary words stay."""
    assert masked(text) == left


def test_known_secrets_are_masked_unless_they_are_shorter_than_words() -> None:
    """A key of any shape is hidden when it is known; "eko" would blank half the sentences."""
    assert masked("the odd one and eko", ["odd one", "eko"]) == "the *** and eko"
