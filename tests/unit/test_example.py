from pathlib import Path

import pytest

from config import schema
from config.example import example
from config.sections.rooms import RoomSettings
from config.settings import Settings, load_settings

ROOT = Path(__file__).parents[2]


def test_the_example_file_is_the_one_that_would_be_written() -> None:
    """`make example` was run after the last change."""
    assert (ROOT / "eko.example.toml").read_text(encoding="utf-8") == example()


def test_the_example_file_uncommented_means_the_defaults(tmp_path: Path) -> None:
    """Every key in it is valid, and none changes anything but the room it shows."""
    lines = [
        line[1:] if line.startswith("#") and not line.startswith(("# ", "#\n")) else line
        for line in example().splitlines(keepends=True)
    ]
    path = tmp_path / "eko.toml"
    path.write_text("".join(lines), encoding="utf-8")
    settings = load_settings(path, environ={}, dotenv=tmp_path / ".env")
    assert settings.rooms == (RoomSettings(platform="local", external_id="lobby"),)
    assert settings.model_copy(update={"rooms": ()}) == Settings()


@pytest.mark.parametrize(("path", "field"), list(schema.leaves(Settings)))
def test_every_setting_says_what_it_is_for(path: tuple[str, ...], field: object) -> None:
    """The example file has a sentence for each key."""
    description = getattr(field, "description", None)
    assert path == ("rooms",) or (description and description.endswith("."))
