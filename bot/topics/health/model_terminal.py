"""`eko model`: whether a language model can do what the pet needs."""

from typing import Any

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, several
from bot.topics.health.terminal import print_checks

app = typer.Typer(
    help="Look for models on this machine, and try the one that is chosen.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_NAMES = {
    "ollama": "Ollama",
    "llama_cpp": "llama.cpp",
    "lm_studio": "LM Studio",
    "vllm": "vLLM",
    "other": "A server of models",
}


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="model")


@app.callback()
def _model() -> None:
    """Look for models on this machine, and try the one that is chosen."""


@app.command()
def check(*, as_json: Json = False) -> None:
    """Find local servers, and ask the model for a tool, a long prompt's front and a form.

    Asks the chosen model, which its service may charge for: about two long answers. Where none is
    chosen, the first model of each server of this machine is asked.
    """
    found = operate("model_check", {}, as_json=as_json)
    if not as_json:
        _print(found)
    if not found["able"]:
        raise typer.Exit(1)


def _print(found: dict[str, Any]) -> None:
    for server in found["servers"]:
        models = server["models"]
        named = f"{several(len(models), 'model')}: {', '.join(models)}" if models else "no model"
        out.print(f"{_NAMES[server['kind']]} at {server['url']}, {named}", markup=False)
    if not found["servers"]:
        out.print("No server of models answers on the usual ports of this machine.")
    for tried in found["tried"]:
        out.print(f"\n{tried['model']}", style="bold", markup=False)
        print_checks(tried["checks"])
        if tried["choose"]:
            out.print("To choose it, put into .env:", markup=False)
            for line in tried["choose"]:
                out.print(f"  {line}", markup=False)
    if not found["tried"]:
        out.print("No model is chosen: docs/models.md says which there are.")
