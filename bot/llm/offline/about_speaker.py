"""What the offline pet knows of the person who asks, the main things first; pure."""

from collections.abc import Sequence

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.recalled_lines import RememberedLine, concerning, each_once, without_reply
from bot.llm.offline.turn_so_far import TurnSoFar
from memory.model.claims import Slot, Status

KNOWN_OF_ASKER = "known_of_asker"
"""The tool that lists what is kept of the person who asks."""

_FIRST = (Slot.NAME, Slot.HOME, Slot.WORK)
"""What people expect to be known first: their name, where they live, what they do."""


def known_of(asker: Asker, heard: TurnSoFar) -> list[RememberedLine]:
    """The lines about the asker or by them, each once, name, home and work first.

    What is kept now is listed with its age of now. Lines recalled earlier in the window may be
    outdated, so they are used only where nothing is listed.
    """
    listed = each_once(heard.listed(KNOWN_OF_ASKER))
    if not listed:
        recalled = [*heard.listed("search_memories"), *map(without_reply, heard.recalled)]
        listed = concerning(asker, recalled)
    return _main_first(listed, asker)


def _main_first(lines: Sequence[RememberedLine], asker: Asker) -> list[RememberedLine]:
    """The first line of each main slot, then the others in their order."""
    main: list[RememberedLine] = []
    for slot in _FIRST:
        told = (
            one
            for one in lines
            if asker.is_author(one.person, one.said_by or "") and not one.reported
        )
        found = next((one for one in told if _claims(one, slot)), None)
        if found is not None and found not in main:
            main.append(found)
    return [*main, *(one for one in lines if one not in main)]


def _claims(line: RememberedLine, slot: Slot) -> bool:
    """Whether a line claims this of its author."""
    said = line.content.removeprefix(f"{line.said_by}: ")
    claims = (one.read for one in claims_in(said))
    return any(one.slot is slot and one.status is Status.HOLDS for one in claims)
