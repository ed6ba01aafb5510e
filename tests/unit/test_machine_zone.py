import pytest

from config.machine_zone import machine_zone
from config.settings import Settings


@pytest.mark.parametrize(
    ("machine", "chosen", "own", "digests"),
    [
        ("America/Montreal", None, "America/Montreal", "Europe/Paris"),
        (None, None, "Europe/Paris", "Europe/Paris"),
        ("America/Montreal", "Asia/Tokyo", "Asia/Tokyo", "Asia/Tokyo"),
        ("America/Montreal", "UTC", "UTC", "UTC"),
    ],
)
def test_the_pet_lives_where_its_owner_or_the_machine_says(
    monkeypatch: pytest.MonkeyPatch,
    machine: str | None,
    chosen: str | None,
    own: str,
    digests: str,
) -> None:
    """Digests keep their hours wherever the machine stands, unless its owner chose a zone."""
    monkeypatch.setattr("config.settings.machine_zone", lambda: machine)
    settings = Settings(timezone=chosen)
    assert (settings.zone.key, settings.digest_zone.key) == (own, digests)


@pytest.mark.parametrize(
    ("local", "zone"),
    [("Asia/Tokyo", "Asia/Tokyo"), ("UTC", None), ("Etc/UTC", None), ("no/where", None)],
)
def test_a_machine_that_only_knows_utc_is_nowhere(
    monkeypatch: pytest.MonkeyPatch, local: str, zone: str | None
) -> None:
    """So are servers and containers, wherever they stand."""
    machine_zone.cache_clear()
    monkeypatch.setattr("config.machine_zone.get_localzone_name", lambda: local)
    assert machine_zone() == zone
    machine_zone.cache_clear()
