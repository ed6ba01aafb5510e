"""Options that several commands have."""

from typing import Annotated, Literal

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of words.")]
StoreName = Annotated[
    Literal["memory", "self", "goals"] | None, typer.Option("--store", help="Only this store.")
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, at most.")]
