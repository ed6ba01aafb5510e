"""What people said is for the account that runs the pet alone; the doctor says where it is not."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.diagnostics.findings import Finding, PartState
from bot.diagnostics.report import on_machine
from bot.lock import held, this_process
from bot.wiring.app import open_app
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from tests.another_user import as_another_user, closed_folder
from tests.cast import NOON


async def found(folder: Path, part: str) -> Finding:
    """What the doctor finds of a part."""
    settings = Settings(data_dir=folder, embedder=EmbedderSettings(kind="none"))
    async with open_app(settings, FrozenClock(NOON)) as app:
        return next(one for one in await app.doctor.diagnose() if one.part == part)


@pytest.mark.parametrize(
    ("mode", "state"),
    [(0o755, PartState.NOTE), (0o700, PartState.OK), (0o1777, PartState.OK)],
    ids=["open", "closed", "a volume for any user"],
)
async def test_a_data_folder_that_others_may_read_is_told(
    tmp_path: Path, mode: int, state: PartState
) -> None:
    """With the command that mends it; nothing fails for it."""
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(mode)
    finding = await found(folder, "data folder")
    assert finding.state is state
    if state is PartState.NOTE:
        _, todo = on_machine(finding)
        assert todo == f"Close it to them with: chmod 700 {folder}"


@pytest.mark.parametrize(("mode", "state"), [(0o644, PartState.NOTE), (0o640, PartState.OK)])
async def test_a_file_of_keys_that_others_may_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, state: PartState
) -> None:
    """Where the pet looks for it, in the folder that it runs in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("ANTHROPIC_API_KEY=\n")
    (tmp_path / ".env").chmod(mode)
    finding = await found(tmp_path, "data folder")
    assert finding.state is state
    assert (finding.values.get("mode") == "600") is (state is PartState.NOTE)


async def test_the_doctor_looks_from_a_folder_that_the_pet_may_not_enter() -> None:
    """`sudo -u eko eko doctor`, typed in a home: a file of keys there is not the pet's."""
    with TemporaryDirectory() as name:
        os.chmod(name, 0o711)  # noqa: PTH101, S103 - others may pass through, not read
        settings = Settings(data_dir=Path(name), embedder=EmbedderSettings(kind="none"))
        with closed_folder():
            async with open_app(settings, FrozenClock(NOON)) as app:
                with as_another_user():
                    findings = await app.doctor.diagnose()
    assert [one.state for one in findings if one.part == "data folder"] == [PartState.OK]


def test_a_new_data_folder_is_closed_to_others(tmp_path: Path) -> None:
    """Whatever the mask of the account says."""
    folder = tmp_path / "new"
    with held(folder, this_process("a test", NOON)):
        assert folder.stat().st_mode & 0o077 == 0


async def test_an_old_sqlite_is_noted_and_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it could damage is not let happen."""
    for sound, state in (((99, 0, 0), PartState.NOTE), ((3, 0, 0), PartState.OK)):
        monkeypatch.setattr("bot.diagnostics.doctor.SOUND_SQLITE", sound)
        assert (await found(tmp_path, "database")).state is state
