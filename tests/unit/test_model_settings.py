"""Which provider is chosen, and whose key reaches it."""

from pathlib import Path

import pytest

from config.errors import SettingsRefused
from config.settings import load_settings

BOTH = {
    "ANTHROPIC_API_KEY": "of-anthropic",
    "ANTHROPIC_BASE_URL": "http://anthropic",
    "OPENAI_API_KEY": "of-openai",
    "OPENAI_BASE_URL": "http://openai/v1",
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without a settings file."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("provider", "key", "address"),
    [
        ({}, "of-anthropic", "http://anthropic"),
        ({"EKO_MODEL__PROVIDER": "anthropic"}, "of-anthropic", "http://anthropic"),
        (
            {"EKO_MODEL__PROVIDER": "openai", "EKO_MODEL__NAME": "m"},
            "of-openai",
            "http://openai/v1",
        ),
    ],
)
def test_no_key_reaches_the_service_of_another_vendor(
    provider: dict[str, str], key: str, address: str
) -> None:
    """A machine may have the variables of both."""
    chosen = load_settings(environ={**BOTH, **provider}).model
    assert chosen.api_key is not None
    assert (chosen.api_key.get_secret_value(), chosen.base_url) == (key, address)


def test_the_provider_of_the_file_decides_about_variables_too() -> None:
    """It need not be given where the keys are."""
    Path("eko.toml").write_text('[model]\nprovider = "openai"\nname = "m"\n')
    chosen = load_settings(environ=BOTH).model
    assert chosen.api_key is not None
    assert chosen.api_key.get_secret_value() == "of-openai"


def test_our_own_variable_is_for_whatever_provider_is_chosen() -> None:
    """EKO_MODEL__API_KEY names no vendor."""
    given = {"EKO_MODEL__PROVIDER": "openai", "EKO_MODEL__NAME": "m", "EKO_MODEL__API_KEY": "own"}
    chosen = load_settings(environ={**BOTH, **given}).model
    assert chosen.api_key is not None
    assert chosen.api_key.get_secret_value() == "own"


def test_another_provider_needs_the_name_of_a_model() -> None:
    """The default is one of Anthropic's, which no other service has."""
    with pytest.raises(SettingsRefused, match="needs the name of a model"):
        load_settings(environ={"EKO_MODEL__PROVIDER": "openai"})


@pytest.mark.parametrize(
    ("environ", "chosen"),
    [
        ({}, False),
        ({"OPENAI_API_KEY": "k"}, False),
        ({"ANTHROPIC_API_KEY": "k"}, True),
        ({"ANTHROPIC_BASE_URL": "http://x"}, True),
    ],
)
def test_a_key_or_an_address_chooses_a_model(environ: dict[str, str], *, chosen: bool) -> None:
    """Of the provider that is chosen; without either the pet answers by rules."""
    assert load_settings(environ=environ).model.is_chosen is chosen
