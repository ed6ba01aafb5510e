"""Forty statements about a town that nobody in a test asks about, and a pet that knows them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memory.clock import FrozenClock
from memory.vectorstores.in_memory import InMemoryIndex
from tests.cast import NOON
from tests.embedder import HashingEmbedder
from tests.flow.pet import Pet, awake
from tests.storage import open_truth, statement

TOWN = (
    "Paul collectionne les timbres",
    "Zoé est chirurgienne à Rennes",
    "Marc répare des motos dans un garage",
    "Inès élève des abeilles sur son toit",
    "Hugo prépare un marathon pour avril",
    "Nora parle couramment le japonais",
    "Louis déteste les champignons",
    "Emma a peint sa cuisine en jaune",
    "Karim vend des tapis au marché",
    "Julie a adopté deux tortues",
    "Antoine fait son pain lui-même",
    "Clara chante dans une chorale le mardi",
    "Bastien a cassé sa guitare en tournée",
    "Manon apprend à coudre des rideaux",
    "Théo travaille de nuit à l'hôpital",
    "Lucie a peur des araignées",
    "Simon a planté un cerisier",
    "Chloé voyage souvent à Bruxelles",
    "Adam est allergique aux arachides",
    "Sarah écrit des romans policiers",
    "Gabriel a eu son permis de conduire",
    "Alice tient une librairie près du port",
    "Romain fait de la plongée en Bretagne",
    "Camille a deux sœurs jumelles",
    "Victor pilote un planeur",
    "Jeanne n'aime pas le fromage de chèvre",
    "Oscar a un rendez-vous chez le dentiste",
    "Elsa dessine des bandes dessinées",
    "Martin cherche un appartement à Lille",
    "Rose a gagné un concours de pétanque",
    "Tom is learning to play the trumpet",
    "Grace moved to Edinburgh last spring",
    "Henry keeps three parrots",
    "Olivia bakes cookies every Sunday",
    "Jack broke his ankle while skiing",
    "Emily works for a newspaper",
    "Oliver dreams of sailing around Iceland",
    "Sophie hates getting up early",
    "Daniel is allergic to cats",
    "Lily has started a pottery class",
)


@dataclass(frozen=True, slots=True)
class Town:
    """The file and the index of a pet that has learnt all of it."""

    database: bytes
    index: InMemoryIndex


_towns: dict[datetime, Town] = {}


@asynccontextmanager
async def in_town(folder: Path, learnt: datetime = NOON, **options: Any) -> AsyncIterator[Pet]:
    """The pet of a new folder that learnt all of it at a moment.

    It is learnt once and then copied: forty statements take a tenth of a second.
    """
    if learnt not in _towns:
        _towns[learnt] = await _learnt(learnt)
    town = _towns[learnt]
    (folder / "eko.sqlite3").write_bytes(town.database)
    async with awake(folder, index=deepcopy(town.index), **options) as pet:
        yield pet


async def _learnt(at: datetime) -> Town:
    index = InMemoryIndex(HashingEmbedder().fingerprint)
    with TemporaryDirectory() as folder:
        async with open_truth(Path(folder), clock=FrozenClock(at), index=index) as storage:
            for content in TOWN:
                await storage.remember.store(statement(content))
            await storage.indexer.settle()
        return Town((Path(folder) / "eko.sqlite3").read_bytes(), index)
