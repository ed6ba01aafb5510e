"""What the doctor found, as the command line and a chat are told."""

from collections.abc import Mapping
from string import Formatter

import pytest

from bot.diagnostics import report as doctor_words
from bot.diagnostics.findings import Finding, PartState
from bot.diagnostics.report import in_chat, on_machine
from bot.texts.catalogue import texts_in

TOLD = {
    key: entry["other"] if isinstance(entry, Mapping) else str(entry)
    for key, entry in texts_in("en").entries.items()
    if key.startswith(("doctor.said.", "doctor.todo."))
}


def fields(sentence: str) -> set[str]:
    """What a sentence leaves to be filled in."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("key", TOLD)
def test_a_chat_is_told_no_more_than_the_machine(key: str) -> None:
    """Nothing that the command line does not say."""
    machine = doctor_words._ON_MACHINE.get(key, TOLD[key])
    assert fields(TOLD[key]) <= fields(machine) | {"count", "free", "since"}
    hidden = {"folder", "address", "page", "vault", "pid", "error", "spaces"}
    assert not fields(TOLD[key]) & hidden


def test_the_machine_is_told_more_of_what_a_chat_is_told() -> None:
    """A sentence for the command line belongs to one of the texts."""
    assert doctor_words._ON_MACHINE.keys() <= TOLD.keys()


def test_a_finding_is_told_with_what_there_is_to_do() -> None:
    """In a chat on a line of its own; on the machine apart."""
    finding = Finding(
        part="data folder",
        state=PartState.FAIL,
        said="folder",
        todo="free_disk",
        values={"folder": "/home/eko", "free": 12},
    )
    assert on_machine(finding) == ("/home/eko, 12 MB free", "Free some disk space.")
    chat = "✗ dossier des données : 12 Mo libres\n  Libère de la place sur le disque."
    assert in_chat(finding, "fr") == chat
