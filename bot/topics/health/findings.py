"""What the doctor finds: for pages in the reader's language, and for the command line."""

from bot.diagnostics.findings import Finding
from bot.diagnostics.report import for_owner, on_machine
from bot.surfaces.values import Event
from bot.texts.catalogue import Texts


def finding_told(finding: Finding, texts: Texts) -> Event:
    """How a part is, what was found, and what there is to do."""
    part, said, todo = for_owner(finding, texts.language)
    return {"part": part, "state": finding.state.value, "said": said, "todo": todo}


def finding_json(finding: Finding) -> Event:
    """How a part of the pet is, in words."""
    detail, todo = on_machine(finding)
    return {"name": finding.part, "status": finding.state.value, "detail": detail, "todo": todo}
