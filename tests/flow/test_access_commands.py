"""`eko login`, `eko keys` and `eko sessions`, typed where no daemon runs."""

import json
from pathlib import Path

import pytest

from bot.wiring.app import open_app
from config.sections.vectors import EmbedderSettings
from config.sections.web import WebSettings
from config.settings import Settings
from memory.model.access import Visit
from memory.model.people import OPERATOR_ACTOR
from tests.processes import eko


def run(folder: Path, *command: str, status: int = 0) -> str:
    """What a command prints on a data folder."""
    done = eko(folder, *command, COLUMNS="200", EKO_EMBEDDER__KIND="none")
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_keys_are_made_listed_and_revoked(tmp_path: Path) -> None:
    """The key itself is printed once, and may read where nothing else is said."""
    made = run(tmp_path, "keys", "add", "home assistant", "--expires", "90d")
    key = made.splitlines()[-1]
    assert key.startswith("eko_")
    assert "Key 1 may read." in made
    listed = run(tmp_path, "keys", "list")
    assert "home assistant" in listed
    assert "never" in listed
    assert key not in listed
    assert run(tmp_path, "keys", "revoke", "1").strip() == "Key 1 is worthless now."
    assert "There is no key 1." in run(tmp_path, "keys", "revoke", "1", status=1)
    assert "There is no key." in run(tmp_path, "keys", "list")
    assert "operator" in run(tmp_path, "audit")


def test_links_are_printed(tmp_path: Path) -> None:
    """One for a manager names a community that there is; it is said that the pet must run."""
    done = eko(tmp_path, "login", "--json", EKO_EMBEDDER__KIND="none")
    link = json.loads(done.stdout)
    assert "The pet is not running, so the link leads nowhere yet." in done.stderr
    assert link["link"].endswith(f"/login#{link['code']}")
    assert "within 15 minutes" in run(tmp_path, "login", "--space", "home")
    assert 'no space "nowhere"' in run(tmp_path, "login", "--space", "nowhere", status=1)


async def test_sessions_are_listed_and_ended(tmp_path: Path) -> None:
    """By their number, or all of them."""
    async with open_app(Settings(data_dir=tmp_path, embedder=EmbedderSettings(kind="none"))) as app:
        for _ in range(3):
            code = await app.storage.login_links.make(None, by=OPERATOR_ACTOR)
            visit = Visit(address="192.0.2.9", agent="Firefox/140")
            await app.storage.web_sessions.begin(code, visit)
    assert run(tmp_path, "sessions", "list").count("192.0.2.9") == 3
    assert run(tmp_path, "sessions", "end", "2").strip() == "1 session ended."
    assert "There is no session 2." in run(tmp_path, "sessions", "end", "2", status=1)
    assert "Name a session" in run(tmp_path, "sessions", "end", status=2)
    assert run(tmp_path, "sessions", "end", "--all").strip() == "2 sessions ended."
    assert run(tmp_path, "sessions", "list").strip() == "No browser is logged in."


@pytest.mark.parametrize(
    ("host", "is_open"),
    [
        ("127.0.0.1", False),
        ("127.8.0.1", False),
        ("::1", False),
        ("localhost", False),
        ("0.0.0.0", True),  # noqa: S104 - nothing listens
        ("::", True),
        ("192.0.2.1", True),
        ("eko.example", True),
    ],
)
def test_a_host_is_of_this_machine_alone_or_open(host: str, *, is_open: bool) -> None:
    """A name that is not known for certain counts as open."""
    assert WebSettings(host=host).is_open is is_open
    assert WebSettings(host=host).serves_dashboard is not is_open
    assert WebSettings(host=host, insecure_dashboard=True).serves_dashboard
