"""A local model is fetched from a hub: pinned, checked, gone on with after a cut."""

import json
import re
import resource
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnx", reason="the tiny model is made with it")

from typer.testing import CliRunner, Result

from bot.__main__ import app
from config.sections.vectors import EmbedderSettings
from memory.embedders.local_models import LOCAL_MODELS
from memory.embedders.model_folder import LEFT_FREE, ModelFolder
from memory.embedders.model_hub import ModelHub
from memory.model.errors import ModelFilesUnavailable
from tests.tiny_model import Hub, TinyModel, serving, tiny_model

MODEL = tiny_model(padding=600_000)

UNREADABLE = Path("/proc/self/mem")
"""A file that can be opened and whose beginning cannot be read, by nobody."""


@pytest.fixture
def hub() -> Iterator[Hub]:
    """A hub that behaves."""
    with serving(Hub(MODEL)) as one:
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    """Where the model is to be."""
    return MODEL.folder(tmp_path)


def fetch(hub: Hub, folder: ModelFolder) -> list[int]:
    """Fetch what is missing; the progress that was told."""
    told: list[int] = []
    ModelHub(hub.url, quiet_s=5).fetch(folder, told.append)
    return told


def held(folder: ModelFolder) -> dict[str, bytes]:
    """The files there, by their paths at the hub."""
    return {
        each.path: folder.file(each).read_bytes()
        for each in folder.model.files
        if folder.file(each).exists()
    }


def left(folder: ModelFolder) -> list[str]:
    """What was begun and not finished."""
    return sorted(path.name for path in folder.path.glob("*.part"))


@contextmanager
def limited_files(size: int) -> Iterator[None]:
    """No file can be made longer, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_every_file_is_fetched_at_its_revision(hub: Hub, folder: ModelFolder) -> None:
    """By the hub's paths, once each; the progress ends at the whole."""
    told = fetch(hub, folder)
    assert folder.is_complete
    assert held(folder) == MODEL.contents
    assert left(folder) == []
    begin = f"/{MODEL.pinned.repository}/resolve/{MODEL.pinned.revision}/"
    assert [path for path, _ in hub.asked] == [f"{begin}tokenizer.json", f"{begin}onnx/model.onnx"]
    assert told == sorted(told)
    assert told[-1] == MODEL.pinned.size


def test_what_is_there_is_not_fetched_again(hub: Hub, folder: ModelFolder) -> None:
    """The same command again looks, and asks nothing."""
    fetch(hub, folder)
    asked = len(hub.asked)
    fetch(hub, folder)
    assert len(hub.asked) == asked


def test_large_files_that_are_elsewhere_are_found(hub: Hub, folder: ModelFolder) -> None:
    """The hub sends on to the server that has them."""
    hub.elsewhere = True
    fetch(hub, folder)
    assert held(folder) == MODEL.contents


def test_a_cut_is_made_up_for_at_once(hub: Hub, folder: ModelFolder) -> None:
    """The rest is asked for, and what had come is not sent again."""
    hub.cut_after, hub.cuts = 100_000, 3
    fetch(hub, folder)
    assert held(folder) == MODEL.contents
    assert hub.sent == MODEL.pinned.size
    assert [asked for _, asked in hub.asked if asked] == [
        "bytes=100000-",
        "bytes=200000-",
        "bytes=300000-",
    ]


def test_the_same_command_goes_on_after_a_cut(hub: Hub, folder: ModelFolder) -> None:
    """What came before the network went away is kept, and said."""
    hub.cut_after, hub.cuts, hub.gone_after = 150_000, 1, 150_000
    with pytest.raises(ModelFilesUnavailable, match=r"breaks off: .* goes on after them"):
        fetch(hub, folder)
    assert left(folder) == ["model.part"]
    assert not folder.is_complete
    with serving(Hub(MODEL)) as again:
        fetch(again, folder)
        assert hub.sent + again.sent == MODEL.pinned.size
    assert held(folder) == MODEL.contents


def test_a_server_without_ranges_sends_all_of_it_again(hub: Hub, folder: ModelFolder) -> None:
    """The file is whole in the end, and not the half with the whole after it."""
    hub.cut_after, hub.cuts, hub.ranges = 100_000, 1, False
    fetch(hub, folder)
    assert held(folder) == MODEL.contents


@pytest.mark.parametrize("change", ["other", "shorter", "longer"])
def test_another_file_is_not_kept(hub: Hub, folder: ModelFolder, change: str) -> None:
    """A checksum that is wrong is said, nothing stays, and a hub that has the right one helps."""
    right = MODEL.contents["onnx/model.onnx"]
    wrong = {"other": b"x" * len(right), "shorter": right[:-1], "longer": right + b"x"}
    hub.replaced["onnx/model.onnx"] = wrong[change]
    with pytest.raises(ModelFilesUnavailable, match=r"not the file that was meant|another file"):
        fetch(hub, folder)
    assert not folder.is_complete
    assert [folder.begun(each) for each in MODEL.pinned.files if _bytes(folder.begun(each))] == []
    hub.replaced.clear()
    fetch(hub, folder)
    assert held(folder) == MODEL.contents


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def test_a_damaged_file_is_fetched_anew(hub: Hub, folder: ModelFolder) -> None:
    """One that has its size and another content; the other is left alone."""
    fetch(hub, folder)
    weights = folder.file(MODEL.pinned.weights)
    weights.write_bytes(b"\0" * MODEL.pinned.weights.size)
    hub.asked.clear()
    fetch(hub, folder)
    assert held(folder) == MODEL.contents
    assert [path.rpartition("/")[2] for path, _ in hub.asked] == ["model.onnx"]


def test_without_room_nothing_is_asked_for(
    hub: Hub, folder: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database needs what is left more than the model does."""
    usage = shutil.disk_usage(folder.path.parents[1])._replace(free=LEFT_FREE + 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ModelFilesUnavailable, match=r"no room .* 200 MB must stay free"):
        fetch(hub, folder)
    assert hub.asked == []


def test_a_disk_that_fills_up_is_given_back(hub: Hub, folder: ModelFolder) -> None:
    """What had come is in the way of what the pet writes, so it goes."""
    with limited_files(200_000), pytest.raises(ModelFilesUnavailable, match=r"The disk is full"):
        fetch(hub, folder)
    assert left(folder) == []
    fetch(hub, folder)
    assert folder.is_complete


def test_without_a_network_it_says_what_else_there_is(folder: ModelFolder) -> None:
    """The sentence names the way without."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{reserved.getsockname()[1]}"
        with pytest.raises(
            ModelFilesUnavailable, match=r"reached: Connection refused\. .* --from FOLDER"
        ):
            ModelHub(url).fetch(folder, lambda _: None)


def test_a_hub_that_sends_in_circles_is_told(hub: Hub, folder: ModelFolder) -> None:
    """As some doors of foreign networks do."""
    hub.astray = True
    with pytest.raises(ModelFilesUnavailable, match=r"reached: Exceeded maximum allowed redirects"):
        fetch(hub, folder)


@pytest.mark.parametrize("url", ["http://hub..example", "http://hub:port"])
def test_an_address_that_no_host_can_have_is_told(folder: ModelFolder, url: str) -> None:
    """The settings take it, since it begins as an address does."""
    with pytest.raises(ModelFilesUnavailable, match=rf"^{re.escape(url)} cannot be reached: "):
        ModelHub(url).fetch(folder, lambda _: None)


@pytest.mark.parametrize(
    ("name", "value"), [("ALL_PROXY", "foo://proxy"), ("SSL_CERT_FILE", "/nowhere/ca.pem")]
)
def test_an_environment_that_no_network_can_be_reached_by_is_told(
    hub: Hub, folder: ModelFolder, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """A proxy of a kind that does not exist, certificates that are not there."""
    monkeypatch.setenv(name, value)
    with pytest.raises(ModelFilesUnavailable, match=rf"environment says of proxies .*{name}"):
        fetch(hub, folder)


def test_two_commands_do_not_write_into_one_file(
    hub: Hub, folder: ModelFolder, tmp_path: Path
) -> None:
    """The second one is told to wait, and has nothing left to fetch afterwards."""

    def meanwhile(_: int) -> None:
        for second in (fetch, _taken_from_a_stick):
            with pytest.raises(ModelFilesUnavailable, match=r"Another command fetches a model"):
                second(hub, MODEL.folder(tmp_path))

    ModelHub(hub.url).fetch(folder, meanwhile)
    asked = len(hub.asked)
    fetch(hub, MODEL.folder(tmp_path))
    assert len(hub.asked) == asked
    assert held(folder) == MODEL.contents


def _taken_from_a_stick(_: Hub, folder: ModelFolder) -> None:
    folder.copy_from(folder.path, lambda _: None)


def test_what_is_in_the_way_is_told(hub: Hub, folder: ModelFolder) -> None:
    """With its place and what the system says of it."""
    weights = folder.file(MODEL.pinned.weights)
    weights.mkdir(parents=True)
    with pytest.raises(ModelFilesUnavailable, match=rf"cannot be kept in .* \({weights}\)"):
        fetch(hub, folder)


def test_a_folder_is_complete_once_all_is_written(hub: Hub, folder: ModelFolder) -> None:
    """A disk that is full at the very end leaves no half of the last file."""
    fetch(hub, folder)
    options = folder.path / "tokenizer_config.json"
    options.unlink()
    with limited_files(10), pytest.raises(ModelFilesUnavailable, match=r"The disk is full"):
        fetch(hub, folder)
    assert not folder.is_complete
    assert left(folder) == []
    fetch(hub, folder)
    assert folder.is_complete


@pytest.mark.parametrize("status", [401, 404, 429, 503])
def test_a_refusal_is_told(hub: Hub, folder: ModelFolder, status: int) -> None:
    """With the address and what the hub answered."""
    hub.status = status
    with pytest.raises(ModelFilesUnavailable, match=rf"tokenizer.json answers {status}"):
        fetch(hub, folder)


def test_other_revisions_go(hub: Hub, folder: ModelFolder) -> None:
    """Nothing is left of a model that can no longer be chosen; other models stay."""
    old = folder.path.with_name("tiny-0123456789ab")
    other = folder.path.with_name("great-0123456789ab")
    for each in (old, other):
        each.mkdir(parents=True)
    fetch(hub, folder)
    assert not old.exists()
    assert other.exists()


def test_files_are_taken_from_a_folder(folder: ModelFolder, tmp_path: Path) -> None:
    """As the hub has them, or as another pet has them; a network is not asked."""
    told: list[int] = []
    folder.copy_from(MODEL.write(tmp_path / "stick"), told.append)
    assert folder.is_complete
    assert told[-1] == MODEL.pinned.size
    second = MODEL.folder(tmp_path / "second")
    second.copy_from(folder.path, lambda _: None)
    assert held(second) == MODEL.contents


def test_a_folder_without_the_files_is_told_which(folder: ModelFolder, tmp_path: Path) -> None:
    """With their sizes, the repository and the revision."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelFilesUnavailable, match=r"onnx/model.onnx .* someone/tiny at revision"):
        folder.copy_from(tmp_path / "empty", lambda _: None)


def test_a_folder_with_another_file_is_refused(folder: ModelFolder, tmp_path: Path) -> None:
    """Checked like what a hub sends."""
    stick = MODEL.write(tmp_path / "stick")
    (stick / "onnx" / "model.onnx").write_bytes(b"another")
    with pytest.raises(ModelFilesUnavailable, match=r"not the file that was meant"):
        folder.copy_from(stick, lambda _: None)
    assert not folder.is_complete


@pytest.mark.skipif(not UNREADABLE.exists(), reason="there is no file here that cannot be read")
def test_a_folder_that_cannot_be_read_is_told(folder: ModelFolder, tmp_path: Path) -> None:
    """A stick that is broken is not taken for a disk that is."""
    stick = MODEL.write(tmp_path / "stick")
    weights = stick / "onnx" / "model.onnx"
    weights.unlink()
    weights.symlink_to(UNREADABLE)
    with pytest.raises(ModelFilesUnavailable, match=rf"{weights} cannot be read: Input/output"):
        folder.copy_from(stick, lambda _: None)


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyModel:
    """A data folder of its own, whose settings choose the tiny model under a real one's name."""
    model = tiny_model(name="bekko-v1-a8m")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.wiring.spaces.LOCAL_MODELS", {"bekko-v1-a8m": model.pinned})
    return model


def eko(*words: str) -> Result:
    """Run the command line."""
    return CliRunner().invoke(app, list(words))


def test_the_command_fetches_the_chosen_model(
    chosen: TinyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says where it is, its licence, and what is still to be chosen."""
    with serving(Hub(chosen)) as hub:
        monkeypatch.setenv("EKO_EMBEDDER__HUB_URL", hub.url)
        done = eko("embedder", "download")
    assert done.exit_code == 0
    assert "bekko-v1-a8m (MIT, revision" in done.output
    assert 'once [embedder] has kind = "local"' in done.output
    assert chosen.folder(Path("data")).is_complete


def test_the_command_takes_a_folder(chosen: TinyModel, tmp_path: Path) -> None:
    """As JSON too."""
    stick = chosen.write(tmp_path / "stick")
    done = eko("embedder", "download", "--from", str(stick), "--json")
    told: dict[str, Any] = json.loads(done.output)
    assert (told["model"], told["licence"]) == ("bekko-v1-a8m", "MIT")
    assert told["bytes"] == chosen.pinned.size


@pytest.mark.usefixtures("chosen")
def test_the_command_fails_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """And with status 1, not with a traceback."""
    monkeypatch.setenv("EKO_EMBEDDER__HUB_URL", "http://127.0.0.1:9")
    done = eko("embedder", "download")
    assert done.exit_code == 1
    assert "cannot be reached" in done.output


def test_the_models_of_the_settings_are_those_there_are() -> None:
    """Settings know nothing of the pet, so the names stand in both."""
    schema = EmbedderSettings.model_json_schema()["properties"]["local_model"]
    assert set(schema["enum"]) == set(LOCAL_MODELS)


@pytest.mark.parametrize("name", LOCAL_MODELS)
def test_every_model_is_pinned(name: str) -> None:
    """By a commit, sizes and checksums, with its licence."""
    model = LOCAL_MODELS[name]
    assert model.name == name
    assert len(bytes.fromhex(model.revision)) == 20
    assert all(len(bytes.fromhex(each.sha256)) == 32 and each.size > 0 for each in model.files)
    assert model.licence in {"MIT", "Apache-2.0"}
