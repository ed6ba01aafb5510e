"""`eko backup` and `eko restore`: a copy of all it remembers, and back again."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.surfaces.terminal.terminal import (
    Json,
    as_typed,
    err,
    fail,
    operate,
    operated,
    out,
    run_or_exit,
    settings_or_exit,
    several,
)

if TYPE_CHECKING:
    from config.settings import Settings

_PRIVATE = 0o600


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(backup)
    app.command()(restore)


def backup(
    target: Annotated[
        str | None,  # a Path would lose the slash that says that a folder is meant
        typer.Argument(help="A file that is not there yet; in [backup] folder if not given."),
    ] = None,
    secrets: Annotated[
        Path | None,
        typer.Option(help="Also write the keys of the data folder, which no backup holds, here."),
    ] = None,
    new_key: Annotated[
        Path | None,
        typer.Option(help="Only make a key: the secret half into this file, the public one shown."),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Copy all it remembers into one file, while it runs. What was forgotten is not in it."""
    if new_key is not None:
        _make_key(new_key)
        return
    if target is not None and (target.endswith("/") or Path(target).is_dir()):
        fail(f"{target} is a folder: name a file in it, such as {Path(target) / 'eko.tar.gz'}")
    path = None if target is None else str(Path(target).absolute())
    done = operate("backup", {"path": path}, as_json=as_json)
    if secrets is not None:
        _write_secrets(settings_or_exit(), secrets)
    if not as_json:
        counts = done["counts"]
        out.print(
            f"{done['path']}: {several(counts['messages'], 'message')}, "
            f"{several(counts['memories'], 'memory', 'memories')}, "
            f"{'encrypted' if done['encrypted'] else 'not encrypted'}.",
            markup=False,
        )
        out.print(f"Keep {done['journal']} beside it: no restore without it.", markup=False)


def restore(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A file made by: eko backup")
    ],
    key: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="The file of the secret key, if it is encrypted."
        ),
    ] = None,
    secrets: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Also put back what --secrets wrote."),
    ] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; otherwise it is only shown.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Set aside the database that is there.")
    ] = False,
    without_journal: Annotated[
        bool,
        typer.Option(
            "--without-journal", help="Even if nothing tells what was forgotten since it was made."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Put a backup in the place of the database, without what was forgotten since.

    The pet must not run. Without --yes it only says what would be done.
    """
    settings = settings_or_exit()
    asked = {"replace": replace, "unjournalled": without_journal, "yes": yes}
    folder = settings.backup.folder
    journals = () if folder is None else (Path(folder).expanduser().absolute(),)
    done = run_or_exit(_restored(settings, (file.absolute(), key), journals, asked))
    if as_json:
        out.print(json.dumps(done, ensure_ascii=False), markup=False)
    else:
        _print_restored(done)
    if not yes:
        return
    if secrets is not None:
        _read_secrets(settings, secrets)
    operated(settings, "verify", {"repair": True}, quietly=as_json)  # makes the vectors again
    if not as_json:
        out.print(
            f"{settings.data_dir} is ready. Start the pet with: {as_typed('run')}", markup=False
        )


async def _restored(
    settings: "Settings",
    backup_and_key: tuple[Path, Path | None],
    journals: tuple[Path, ...],
    asked: dict[str, bool],
) -> dict[str, Any]:
    from bot.lock import held, this_process
    from bot.transfer.restoring import BackupToRestore, discard, prepare, put_in_place
    from memory.clock import SystemClock

    clock, (file, key) = SystemClock(), backup_and_key
    request = BackupToRestore(
        archive=file,
        data_dir=settings.data_dir,
        key_file=key,
        journals=journals,
        unjournalled=asked["unjournalled"],
    )
    with held(settings.data_dir, this_process("eko restore", clock.now())):
        try:
            ready = await prepare(request, clock)
            aside = None
            if asked["yes"]:
                aside = put_in_place(
                    ready, settings.data_dir, clock.now(), replacing=asked["replace"]
                )
        finally:
            discard(settings.data_dir)
    return {
        "restored": asked["yes"],
        "folder": str(settings.data_dir),
        "made_at": ready.made.made_at.isoformat(),
        "counts": ready.made.copy.counts,
        "forgotten_since": ready.erased,
        "told_by": list(ready.sources),
        "let_go_since": list(ready.let_go),
        "replaces": ready.replaces,
        "set_aside": None if aside is None else str(aside),
    }


def _print_restored(done: dict[str, Any]) -> None:
    counts = done["counts"]
    out.print(
        f"Made {done['made_at'][:16]}: {several(counts['messages'], 'message')}, "
        f"{several(counts['memories'], 'memory', 'memories')}. Forgotten or taken back since: "
        f"{several(done['forgotten_since'], 'row')}."
    )
    if not done["told_by"]:
        err.print("Nothing tells what was forgotten since.", style="yellow")
    for space in done["let_go_since"]:
        out.print(
            f"{space} had moved away since. Once restored, let go of it again: eko forget --space "
            f'"{space}" --yes. If it has come back meanwhile, import its file after that.',
            markup=False,
        )
    if not done["restored"]:
        more = " --replace" if done["replaces"] else ""
        out.print(f"Nothing was changed. To restore it: eko restore FILE --yes{more}")
        return
    out.print(f"Restored into {done['folder']}.", markup=False)
    if done["set_aside"]:
        out.print(
            f"The database that was there is in {done['set_aside']}: remove it once all is well.",
            markup=False,
        )


def _make_key(path: Path) -> None:
    from bot.transfer.encryption import new_key

    secret, public = new_key()
    _write_new(path, f"# public key: {public}\n{secret}\n")
    out.print(f'[backup] recipients = ["{public}"]', markup=False)
    out.print(f"Keep {path} where the backups are not: without it none can be read.", markup=False)


def _write_secrets(settings: "Settings", path: Path) -> None:
    from bot.data_folder import SECRETS

    found = {one.name: one.read_text("utf-8") for one in settings.data_dir.glob(SECRETS)}
    _write_new(path, json.dumps(found, indent=2))


def _read_secrets(settings: "Settings", path: Path) -> None:
    from bot.data_folder import SECRETS

    try:
        found = json.loads(path.read_text("utf-8"))
        named = {name: text for name, text in found.items() if Path(name).match(SECRETS)}
    except (ValueError, AttributeError):
        fail(f"{path} was not written by: eko backup --secrets")
    for name, text in named.items():
        target = settings.data_dir / Path(name).name
        target.unlink(missing_ok=True)
        _write_new(target, text)


def _write_new(path: Path, text: str) -> None:
    try:
        path.touch(mode=_PRIVATE, exist_ok=False)
        path.write_text(text, "utf-8")
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}.")
