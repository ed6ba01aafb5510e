import re
import subprocess
import sys
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from bot.release import DISTRIBUTION
from config.schema import plain_names
from config.settings import Settings, load_settings

IMAGE_NAME = re.compile(r"[a-z0-9./-]+:v?\d+\.\d+(\.\d+)?[a-z0-9.-]*")
"""An image with a version, since `latest` is another one tomorrow."""

QDRANT = "http://qdrant:6333"
"""The server beside the pet, as .env says with the profile of that name."""

CODE = ("bot", "memory", "observers", "config")
"""What the wheel is made of."""


@pytest.fixture(scope="module")
def compose(root: Path) -> dict[str, Any]:
    """The compose file as it is read."""
    read: dict[str, Any] = yaml.safe_load((root / "docker-compose.yml").read_text("utf-8"))
    return read


def _instructions(root: Path, name: str) -> list[str]:
    """The arguments of one kind of instruction in the Dockerfile, continued lines joined."""
    text = (root / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    return [
        line[len(name) + 1 :].strip() for line in text.splitlines() if line.startswith(f"{name} ")
    ]


def test_compose_has_nothing_it_does_not_know(compose: dict[str, Any]) -> None:
    """No key is misspelt, at the top and in a service."""
    known = {
        "build", "image", "init", "restart", "stop_grace_period", "environment", "ports",
        "volumes", "depends_on", "healthcheck", "env_file", "user", "read_only", "tmpfs",
        "cap_drop", "security_opt", "profiles", "command",
    }  # fmt: skip
    assert set(compose) == {"services", "volumes"}
    assert {key for service in compose["services"].values() for key in service} <= known


def test_compose_publishes_the_page_on_loopback_only(compose: dict[str, Any]) -> None:
    """Docker's published ports go around the firewall; what stands beside the pet has none."""
    services = compose["services"]
    assert services["eko"]["ports"] == ["127.0.0.1:8484:8484"]
    assert [name for name, service in services.items() if "ports" in service] == ["eko"]


def test_compose_starts_the_pet_alone(compose: dict[str, Any]) -> None:
    """Whatever is beside it is a profile, which it waits for where it is chosen."""
    services = compose["services"]
    profiles = {name: service.get("profiles") for name, service in services.items()}
    assert profiles == {"eko": None, "qdrant": ["qdrant"], "ollama": ["local-model"]}
    assert set(services["eko"]["depends_on"]) == {"qdrant", "ollama"}


def test_the_server_beside_it_asks_for_the_pets_key(compose: dict[str, Any]) -> None:
    """One key is given to both, and without one the server does not start."""
    qdrant = compose["services"]["qdrant"]
    assert qdrant["environment"]["QDRANT__SERVICE__API_KEY"] == "${QDRANT_API_KEY:-}"
    script = qdrant["command"][-1].replace("$$", "$")
    done = subprocess.run(
        ["bash", "-c", script], env={}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (
        1, "Qdrant is not started without a key: set QDRANT_API_KEY in .env.\n",
    )  # fmt: skip


def test_any_user_runs_the_container_and_writes_its_volume_alone(compose: dict[str, Any]) -> None:
    """As compose starts it: no rights, a root that is read, and whose files they are by name."""
    eko = compose["services"]["eko"]
    assert eko["user"] == "${PUID:-10001}:${PGID:-10001}"
    assert (eko["read_only"], eko["tmpfs"], eko["cap_drop"]) == (True, ["/tmp"], ["ALL"])  # noqa: S108 - the container's own


def test_compose_keeps_data_in_volumes_it_declares(compose: dict[str, Any]) -> None:
    """What is remembered outlives its container."""
    mounted = {v.split(":")[0] for s in compose["services"].values() for v in s["volumes"]}
    assert mounted == set(compose["volumes"])


def test_compose_checks_health_and_waits_for_it(compose: dict[str, Any]) -> None:
    """Each service says when it is well, and whoever depends on it waits for that."""
    services = compose["services"]
    for service in services.values():
        assert {"test", "interval", "timeout", "retries"} <= set(service["healthcheck"])
        kind, *words = service["healthcheck"]["test"]
        assert kind == "CMD-SHELL" or (kind == "CMD" and not any(" " in word for word in words))
        for name, wait in service.get("depends_on", {}).items():
            assert wait == {"condition": "service_healthy", "required": False}
            assert name in services


def test_images_are_pinned(compose: dict[str, Any], root: Path) -> None:
    """The same image tomorrow as today."""
    images = [s["image"] for s in compose["services"].values() if "image" in s]
    images += [one.removeprefix("BASE=") for one in _instructions(root, "ARG") if "BASE" in one]
    assert _instructions(root, "FROM") == ["${BASE}"]
    assert len(images) == 3
    assert [image for image in images if not IMAGE_NAME.fullmatch(image)] == []


def test_the_container_stops_later_than_the_pet(compose: dict[str, Any]) -> None:
    """It is given the time its own limits ask for."""
    shutdown = Settings().shutdown
    grace = int(compose["services"]["eko"]["stop_grace_period"].removesuffix("s"))
    assert grace > shutdown.turns_s + shutdown.posthooks_s


def test_what_the_containers_are_given_are_settings(
    compose: dict[str, Any], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variables of the image and of compose are accepted together, and mean what they say."""
    monkeypatch.chdir(tmp_path)
    pairs = [pair.split("=") for line in _instructions(root, "ENV") for pair in line.split()]
    environ = dict((name, value) for name, value in pairs)  # noqa: C402 - lists are not pairs to mypy
    given = {k: re.sub(r"\$\{\w+:-(.*)\}", r"\1", v) for k, v in _environment(compose).items()}
    settings = load_settings(environ=environ | given)
    assert settings.vectors.url is None
    beside = load_settings(environ=environ | given | {"QDRANT_URL": QDRANT})
    assert beside.vectors.url == QDRANT
    assert (settings.web.host, settings.web.port) == (environ["EKO_WEB__HOST"], 8484)
    assert settings.data_dir == Path("/data")
    assert settings.web.serves_dashboard, "compose publishes it to this machine only"


def test_what_compose_reads_of_dotenv_the_pet_takes(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of `.env` is passed on to the pet, which refuses a name of ours that it does not know."""
    monkeypatch.chdir(tmp_path)
    text = (root / "docker-compose.yml").read_text("utf-8")
    read = dict.fromkeys(re.findall(r"\$\{(\w+):-", text), "") | {"EKO_EXTRAS": "matrix local"}
    load_settings(environ=read | {"COMPOSE_PROFILES": "qdrant", "PUID": "1000"})


def test_compose_passes_on_every_key_that_settings_have(compose: dict[str, Any]) -> None:
    """From the environment or `.env`, by the names that the services' own tools use."""
    passed = _environment(compose)
    assert set(plain_names(Settings)) <= set(passed)
    assert [k for k in plain_names(Settings) if passed[k] != f"${{{k}:-}}"] == []


def _environment(compose: dict[str, Any]) -> dict[str, str]:
    environment: dict[str, str] = compose["services"]["eko"]["environment"]
    return environment


def test_the_image_is_built_from_every_package_and_not_run_as_root(root: Path) -> None:
    """What the wheel is made of is not ignored, and the user is a number that needs no name."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    kept = set((root / ".dockerignore").read_text("utf-8").splitlines())
    needed = {*CODE, "pyproject.toml", "constraints.txt", "deploy/import_everything.py"}
    assert packages == set(CODE)
    assert {f"!{name}" for name in needed} <= kept
    assert _instructions(root, "USER") == ["10001:10001"]


def test_the_wheel_holds_all_of_its_packages_and_no_tests(root: Path, tmp_path: Path) -> None:
    """Prompts, queries, tables and pictures too: whatever is kept in their folders."""
    uv = str(Path(sys.executable).with_name("uv"))  # also where it is not on the path
    build = [uv, "build", "--quiet", "--offline", "--no-build-isolation", "--wheel"]
    subprocess.run([*build, "--out-dir", tmp_path, root], check=True)
    (wheel,) = tmp_path.glob(f"{DISTRIBUTION.replace('-', '_')}-*.whl")
    with zipfile.ZipFile(wheel) as read:
        held = set(read.namelist())
        starts = ConfigParser()
        starts.read_string(
            read.read(
                f"{wheel.name.removesuffix('-py3-none-any.whl')}.dist-info/entry_points.txt"
            ).decode()
        )
    there = {
        path.relative_to(root).as_posix()
        for package in CODE
        for path in (root / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert there - held == set()
    assert {name.split("/")[0] for name in held if ".dist-info/" not in name} == set(CODE)
    assert dict(starts["console_scripts"]) == {"eko": "bot.__main__:main"}


def test_the_unit_and_the_templates_start_what_there_is(root: Path) -> None:
    """The command, the folder, the port and the settings that they name."""
    unit = (root / "deploy/systemd/eko.service").read_text("utf-8")
    assert "ExecStart=/usr/local/bin/eko run\n" in unit
    template = ET.parse(root / "deploy/unraid/eko.xml").getroot()  # noqa: S314 - our own file
    variables = {
        one.get("Target") for one in template.iter("Config") if one.get("Type") == "Variable"
    }
    casaos = yaml.safe_load((root / "deploy/casaos/docker-compose.yml").read_text("utf-8"))
    variables |= set(casaos["services"]["eko"]["environment"])
    plain = set(plain_names(Settings))
    load_settings(environ={str(name): "" for name in variables})
    assert {
        name for name in variables if name not in plain and not str(name).startswith("EKO_")
    } == set()


def test_the_templates_agree_with_the_image(root: Path) -> None:
    """Its port, its folder, its name and its picture; CasaOS, which makes the folder, is root."""
    (port,), (folder,) = _instructions(root, "EXPOSE"), _instructions(root, "VOLUME")
    template = ET.parse(root / "deploy/unraid/eko.xml").getroot()  # noqa: S314 - our own file
    targets = {one.get("Type"): one.get("Target") for one in template.iter("Config")}
    assert (targets["Port"], targets["Path"]) == (port, folder)
    read = yaml.safe_load((root / "deploy/casaos/docker-compose.yml").read_text("utf-8"))
    casaos, shown = read["services"]["eko"], read["services"]["eko"]["x-casaos"]
    assert (str(casaos["ports"][0]["target"]), casaos["volumes"][0]["target"]) == (port, folder)
    assert (casaos["user"], casaos["cap_drop"]) == ("0:0", ["ALL"])
    described = {one["container"] for one in shown["envs"]}
    assert set(casaos["environment"]) - described == {"EKO_TIMEZONE"}, "which CasaOS knows itself"
    assert casaos["image"].split(":")[0] == str(template.findtext("Repository")).split(":")[0]
    for icon in (read["x-casaos"]["icon"], str(template.findtext("Icon"))):
        assert (root / icon.partition("/main/")[2]).is_file()


def test_a_tag_publishes_what_was_checked(root: Path) -> None:
    """By the same command as ever, without a token, and each job with the rights it needs."""
    jobs = yaml.safe_load((root / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    assert jobs["check"]["steps"][-1] == {"run": ".ci/run"}
    assert {name: job.get("needs") for name, job in jobs.items()} == {
        "check": None, "wheel": "check", "image": "check",
    }  # fmt: skip
    assert jobs["wheel"]["permissions"] == {"contents": "read", "id-token": "write"}
    assert jobs["image"]["permissions"] == {"contents": "read", "packages": "write"}


def test_constraints_are_plain_pins(root: Path) -> None:
    """Names and versions only: no index, no address, no path."""
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    assert [
        line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9._!]+", line)
    ] == []


def test_every_declared_dependency_is_pinned(root: Path) -> None:
    """What is tested is what is installed."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = {
        re.split(r"[^A-Za-z0-9._-]", entry)[0].lower().replace("_", "-")
        for entry in [*project["dependencies"], *(e for extra in extras for e in extra)]
    }
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in lines}
    assert wanted - pinned == set()


@pytest.mark.parametrize("script", [".ci/run", ".ci/wheel", ".ci/image"])
def test_scripts_are_executable_bash_that_parses(root: Path, script: str) -> None:
    """A slip in a script is found here and not in CI."""
    assert (root / script).stat().st_mode & 0o111
    assert (root / script).read_text("utf-8").startswith("#!/usr/bin/env bash\n")
    done = subprocess.run(
        ["bash", "-n", root / script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_make_says_which_python_it_needs(root: Path, tmp_path: Path) -> None:
    """An old Python is refused with a sentence, before anything is made."""
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && { echo "Python 3.9.1"; exit 0; }\nexit 1\n')
    old.chmod(0o755)
    done = subprocess.run(
        ["make", "run", f"PYTHON={old}", f"VENV={tmp_path}/venv"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "needs Python 3.11 or newer: Python 3.9.1 is too old" in done.stdout
    assert not (tmp_path / "venv").exists()


def test_make_says_what_it_installs_and_what_to_do_when_it_cannot(
    root: Path, tmp_path: Path
) -> None:
    """What pip says is shown, and after a failure there is a sentence and no broken start."""
    python = tmp_path / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "pip: $*"\necho "ERROR: no network" >&2\nexit 1\n')
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "run", f"VENV={tmp_path}/venv"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert f"Installing Eko into {tmp_path}/venv: " in done.stdout
    assert "install -c constraints.txt -e ." in done.stdout
    assert "--quiet" not in done.stdout
    assert "ERROR: no network" in done.stderr
    assert "Eko is not installed" in done.stdout
    assert not (tmp_path / "venv" / ".installed").exists()


def test_make_help_names_every_target(root: Path) -> None:
    """Whoever types `make` sees what there is."""
    done = subprocess.run(["make"], cwd=root, capture_output=True, text=True, check=True)
    for target in ("run", "test", "format", "clean", "constraints", "example", "wheel", "help"):
        assert f"make {target} " in done.stdout
