"""How replies about what people claimed are judged."""

import pytest

from benchmarks.claims_entries import Ask, ClaimEntry, Kind
from benchmarks.claims_play import KeptMemory, PlayedEntry
from benchmarks.claims_verdicts import verdict_of_entry, verdict_of_reply


@pytest.mark.parametrize(
    ("kind", "answers", "misleading", "reply", "so"),
    [
        ("natural", ["5"], [], "Tom said 5 days ago: “at 3 then”", ["wrong unhedged"]),
        ("natural", ["leeds"], [], "I don't know exactly, I only remember this: Maya said: “Leeds”",
         ["right", "right hedged"]),
        ("natural", ["leeds"], [], "Maya said: “i don't know, maybe Hull”", ["wrong unhedged"]),
        ("traps", [], ["yes"], "Maya said yesterday: “a dog, one day”", []),
        ("traps", [], ["skye"], "Maya lives on Skye.", ["answered wrong"]),
        ("changes", [], ["ikea"], "Léa ne travaille plus chez Ikea.", ["right", "right unhedged"]),
        ("changes", ["hull"], ["leeds"], "Maya said: “Leeds forever”", ["former told"]),
        ("unknown", [], ["tulsa"], "I don't know: nobody has told me.", ["right"]),
        ("talks", ["tom"], [], "I don't know: ask tomorrow.", ["unknowing"]),
    ],
)  # fmt: skip
def test_a_reply_about_claims_is_judged(
    kind: Kind, answers: list[str], misleading: list[str], reply: str, so: list[str]
) -> None:
    """By the words in it, and by whether the pet itself doubts them."""
    ask = Ask(by="Tom", text="", answers=tuple(answers), misleading=tuple(misleading))
    entry = ClaimEntry(id="", language="en", kind=kind, lines=(), asks=(ask,))
    assert [name for name, is_so in verdict_of_reply(entry, ask, reply).items() if is_so] == so


@pytest.mark.parametrize(
    ("content", "is_current", "line", "so"),
    [
        ("Maya lives in Leeds", True, 1, ["learnt", "value learnt"]),
        ("Maya has no sofa", True, 1, ["learnt"]),
        ("Maya lives in Leeds", False, 1, []),
        ("Tom lives in Leeds", True, 0, ["value learnt"]),
    ],
)
def test_what_was_learnt_is_current_and_from_the_message(
    *, content: str, is_current: bool, line: int, so: list[str]
) -> None:
    """Its value is looked for in every current memory."""
    memory = KeptMemory(
        content=content,
        subjects=(),
        said_by="Maya",
        type="fact",
        source="digest",
        is_current=is_current,
        lines=(line,),
    )
    entry = ClaimEntry(
        id="",
        language="en",
        kind="natural",
        lines=(),
        asks=(),
        message=1,
        values=("a place in Leeds",),
    )
    played = PlayedEntry(entry=entry, replies=(), memories=(memory,), facts=())
    assert [name for name, is_so in verdict_of_entry(played).items() if is_so] == so
