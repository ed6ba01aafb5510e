"""How the command line tells what a reply rests on: a table on a terminal, lines elsewhere."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from rich.markup import escape
from rich.table import Table

from bot.surfaces.terminal.terminal import err, out
from memory.model.checkins import REASON
from memory.model.namesakes import AuthorName

Told = Mapping[str, Any]
"""A turn, or a row of it, as `eko why` answers it."""

SIGNALS = {
    "words": "words",
    "meaning": "close in meaning",
    "named": "about somebody who is named",
    "proper": "says a name of the question",
    "speaker": "about who asks",
    "period": "said in the time that is named",
    "recent": "said last in the talk",
    "tied": "tied to others that fit",
    "told": "speaks for what it was learnt from",
}
"""What each signal of recall says, in plain words; another is called by its name."""

SOURCES = {
    "speaker": "what matters about who asks",
    "recent": "recent in this room",
    "goals": "wishes about who asks",
    "limitation_text": "words of limitations",
    "capability_text": "words of capabilities",
    "memory_text": "words of statements",
    "memory_vector": "meaning of statements",
    "self_vector": "meaning of what it is",
    "goals_vector": "meaning of what it wants",
    "history_text": "words of exchanges",
    "history_vector": "meaning of exchanges",
    "live_text": "words of the lobby",
    "live_vector": "meaning of the lobby",
    "open_memories": "what was learnt in the time asked about",
    "open_lobby": "lobby talk of the time asked about",
    "open_turns": "exchanges of the time asked about",
    "open_journeys": "what is known to happen to whom it asks about",
    "open_person": "what is known about whom it asks",
    "open_self": "what the pet knows about itself",
    "open_goals": "what the pet wants",
}
"""The same for each source."""

LOOKED_UP = "looked up"
"""What recall gives as its reason when it had something to look up; any other says why not."""

_GONE = {
    "forgotten": "forgotten since",
    "replaced": "replaced by another statement since",
    "expired": "expired since",
    "withdrawn": "taken back since",
}


def print_answer(told: Told) -> None:
    """The reply, and on the error stream what was injected for it."""
    out.print(f"({told['expression']}) {told['reply']}", markup=False)
    recall = told["recall"]
    if recall is None:
        return
    if not recall["lines"]:
        err.print(f"Nothing injected: {_silence(recall)}.", style="dim", markup=False)
        return
    err.print(f"Injected, {recall['tokens']} tokens, {recall['took_ms']:.1f} ms:", style="dim")
    for row in recall["lines"]:
        said = f"  [{row['section']}] {sentence(row)}"
        text = f"{said} ({origin(row)}; {reason(row['why'])}, {row['confidence']:.2f})"
        err.print(text, style="dim", markup=False)


def _silence(recall: Told) -> str:
    """Why there is not a line: nothing was looked up, it is there already, or nothing fits."""
    if recall["reason"] != LOOKED_UP:
        return str(recall["reason"])
    if recall["standing"]:
        return "what fits is before the model already"
    if not recall["considered"]:
        return "nothing was found"
    return f"none of {recall['considered']} that were judged fits; see eko why --all"


def print_reasons(told: Told, *, everything: bool) -> None:
    """A turn, what its reply rests on, and with `everything` also what was dropped and why."""
    recall = told["recall"]
    for line in _heading(told):
        out.print(line, markup=False)
    _print_rows("Injected", recall["lines"])
    _print_room(told["room_lines"])
    _print_rows("Before the model already, from an earlier turn", recall["standing"])
    if everything:
        _print_rows("Dropped", recall["dropped"], dropped=True)
    out.print(_rest(recall, everything=everything), markup=False)


def reason(why: str) -> str:
    """What spoke most for a row, a signal or else a source, in plain words."""
    return SIGNALS.get(why) or SOURCES.get(why, why)


def sentence(row: Told) -> str:
    """What a row says now, or that it is gone."""
    if row["state"] in _GONE:
        return f"({_GONE[row['state']]})"
    notes = {"edited": "edited since", "spoken": "said by voice"}
    said = [told for key, told in notes.items() if row.get(key)]
    return f"{row['content']} ({', '.join(said)})" if said else str(row["content"])


def origin(row: Told) -> str:
    """Who said it, where and when, and from what it was learnt; only its name when it is gone."""
    if row["state"] in _GONE:
        return str(row["ref"])
    parts = (
        _author(row),
        row["where"],
        f"{row['age']}, {row['at'][:16]}",
        row["source"],
        f"contradicted by {' and '.join(row['against'])}" if row.get("against") else "",
    )
    return ", ".join(part for part in parts if part)


def _author(row: Told) -> str:
    author = AuthorName(row["said_by"] or "", row.get("then", ""))
    if row["kind"] == "exchange":
        return f"between {author} and the pet"
    if row.get("reported"):
        return f"{author} says so"
    return f"said by {author}" if row["said_by"] else ""


def because(row: Told) -> str:
    """What spoke for a row: each signal in plain words, with what it added to the score."""
    signals = sorted(row["signals"].items(), key=lambda one: -one[1])
    parts = [f"{_signal(name, row)} ({value:+.2f})" for name, value in signals]
    parts += ["another says the same"] * row["duplicate"]
    nothing = "needs no evidence" if row["proven"] else "nothing"
    return "; ".join(parts) or nothing


def found_by(row: Told) -> str:
    """Its rank in each source."""
    ranks = sorted(row["sources"].items(), key=lambda one: one[1])
    return "; ".join(f"{SOURCES.get(name, name)} #{rank}" for name, rank in ranks) or (
        "beside others that were found"
    )


def _signal(name: str, row: Told) -> str:
    if name == "words":
        return f"words: {', '.join(row['words'])}" if row["words"] else "words"
    return SIGNALS.get(name, name)


def _heading(told: Told) -> Iterator[str]:
    recall = told["recall"]
    yield f"{told['person']}, {told['age']} ({told['at'][:16]}), {told['where']}:"
    first = recall["reason"].startswith(REASON)
    unsaid = "(nothing: it wrote first)" if first else "(taken back since)"
    yield indent(told["asked"] or unsaid, "  ")
    yield f"The reply ({told['expression']}):"
    yield indent(told["reply"], "  ")
    late = f" Late: {', '.join(recall['late'])}." if recall["late"] else ""
    for process, lines in Counter(recall["elsewhere"]).items():
        late += f" Of {process}, which keep them: {lines}."
    yield (
        f"Turn {told['turn']}: {recall['reason']}; {recall['considered']} judged, "
        f"{len(recall['lines'])} injected, {recall['tokens']} tokens, "
        f"{recall['took_ms']:.1f} ms.{late}"
    )


def _rest(recall: Told, *, everything: bool) -> str:
    if recall["trimmed_at"]:
        return f"What was dropped was removed from the ledger on {recall['trimmed_at'][:10]}."
    dropped = len(recall["dropped"])
    if everything or not dropped:
        return "Nothing else was considered."
    return f"Considered and dropped: {dropped}; --all shows them."


def _print_rows(title: str, rows: Sequence[Told], *, dropped: bool = False) -> None:
    if not rows:
        return
    out.print(f"{title}:", style="bold")
    if out.is_terminal:
        out.print(_table(rows, dropped=dropped))
        return
    for row in rows:
        for line in _lines(row, dropped=dropped):
            out.print(line, markup=False)


def _print_room(lines: Sequence[Told]) -> None:
    """What the room had said, which the turn was told with its lines."""
    if lines:
        out.print("Said in the room before:", style="bold")
    for line in lines:
        out.print(f"- {line['author']} ({line['at'][:16]}): {line['text']}", markup=False)


def _table(rows: Sequence[Told], *, dropped: bool) -> Table:
    heads = ["what", "said", "because", "found", "sure"]
    table = Table(*heads, *(["dropped"] if dropped else []), header_style="bold")
    for row in rows:
        last = [row["why"]] if dropped else []
        what = "\n".join((sentence(row), *map(_told, row["told"])))
        cells = (what, origin(row), because(row), found_by(row), _sure(row), *last)
        table.add_row(*map(escape, cells))
    return table


def _lines(row: Told, *, dropped: bool) -> Iterator[str]:
    yield f"- [{row['section']}] {sentence(row)}"
    yield f"  {origin(row)}"
    yield from (f"  {_told(message)}" for message in row["told"])
    yield f"  because: {because(row)}"
    yield f"  found: {found_by(row)}"
    if dropped:
        yield f"  dropped: {row['why']}"
    yield f"  sure: {_sure(row)}"


def _told(message: Told) -> str:
    return f"from: {message['content']} ({origin(message)})"


def _sure(row: Told) -> str:
    return f"{row['confidence']:.2f} (score {row['score']:.2f}, worth {row['worth']:.2f})"
