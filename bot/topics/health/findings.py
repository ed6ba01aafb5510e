"""What the doctor finds, as pages tell it: in the reader's language."""

from bot.diagnostics.findings import Finding
from bot.diagnostics.report import for_owner
from bot.surfaces.json import Event
from bot.texts.catalogue import Texts


def finding_told(finding: Finding, texts: Texts) -> Event:
    """How a part is, what was found, and what there is to do."""
    part, said, todo = for_owner(finding, texts.language)
    return {"part": part, "state": finding.state.value, "said": said, "todo": todo}
