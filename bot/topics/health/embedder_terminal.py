"""`eko embedder`: the model that `[embedder] kind = "local"` runs on this machine."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.surfaces.terminal.terminal import Json, err, fail, out, settings_or_exit
from memory.model.errors import ModelFilesUnavailable

if TYPE_CHECKING:
    from memory.embedders.model_folder import ModelFolder

app = typer.Typer(
    help="Fetch the multilingual model that the local embedder runs.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="embedder")


@app.callback()
def _embedder() -> None:
    """Fetch the multilingual model that the local embedder runs."""


@app.command()
def download(
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            exists=True,
            file_okay=False,
            help="Take the files from this folder; nothing is asked of a network.",
        ),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Fetch the model of `[embedder] local_model`, checked; again goes on after a cut.

    What is there already is checked, and fetched anew where it is damaged.
    """
    from bot.wiring.spaces import model_folder

    settings = settings_or_exit()
    folder = model_folder(settings)
    try:
        _fetch(folder, settings.embedder.hub_url, source, quietly=as_json)
    except ModelFilesUnavailable as unavailable:
        fail(str(unavailable))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    model = folder.model
    if as_json:
        told = {
            "model": model.name,
            "revision": model.revision,
            "licence": model.licence,
            "bytes": model.size,
            "folder": str(folder.path),
        }
        out.print(json.dumps(told, ensure_ascii=False), markup=False)
        return
    out.print(
        f"{model.name} ({model.licence}, revision {model.revision[:12]}) is in {folder.path}: "
        f"{model.size / 1_000_000:.0f} MB, checked.",
        markup=False,
    )
    if settings.embedder.kind != "local":
        out.print('It is used once [embedder] has kind = "local".', markup=False)


def _fetch(folder: "ModelFolder", hub_url: str, source: Path | None, *, quietly: bool) -> None:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from memory.embedders.model_hub import ModelHub

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(
        *columns,
        TransferSpeedColumn(),
        console=err,
        transient=True,
        disable=quietly or not err.is_terminal,
    ) as bar:
        task = bar.add_task(folder.model.name, total=folder.model.size)

        def show(there: int) -> None:
            bar.update(task, completed=there)

        if source is None:
            ModelHub(hub_url).fetch(folder, show)
        else:
            folder.copy_from(source, show)
