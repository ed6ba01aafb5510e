"""What the doctor says: on the machine in full, in a chat without its paths and addresses. Pure."""

from collections.abc import Mapping

from bot.diagnostics.findings import Finding
from bot.texts.catalogue import ENGLISH, say, texts_in

_ON_MACHINE: Mapping[str, str] = {
    "doctor.said.folder": "{folder}, {free} MB free",
    "doctor.said.read_by_others": "{path}: every account of this machine can read it",
    "doctor.todo.close_to_others": "Close it to them with: chmod {mode} {path}",
    "doctor.said.embedder_failed": "{name}: {error}",
    "doctor.said.vectors_failed": "{kind}: {error}",
    "doctor.said.vectors_elsewhere": "{kind}: another folder holds this pet there: {place}",
    "doctor.said.model": (
        "{name} at {address}, reachable (the key is only tried when someone speaks)"
    ),
    "doctor.said.model_failed": "{name} at {address} cannot be reached",
    "doctor.said.model_unanswered": "it was asked a question, and no answer came: {error}",
    "doctor.said.window_refused": "a prompt of {size} tokens is refused: {error}",
    "doctor.said.window_slow": "a prompt of {size} tokens was not answered in time: {error}",
    "doctor.said.voice": "{name} at {address} listened to a second of silence in {took} ms",
    "doctor.said.voice_spent": "not tried: {error}",
    "doctor.said.voice_failed": "{name} at {address}: {error}",
    "doctor.said.notes": "{vault}; notes: {notes}, changes waiting: {waiting}",
    "doctor.said.notes_never": "never read: {error}",
    "doctor.said.notes_stale": "not refreshed since {since}: {error}",
    "doctor.said.page": "{page}",
    "doctor.said.daemon": "process {pid}, since {since}",
    "doctor.said.backups": "the last one is of {at}, {age}: {path}",
    "doctor.said.backups_old": "the last one is of {at}, {age}: {path}",
    "doctor.said.backups_failed": "since {at} they fail: {reason}",
    "doctor.said.pauses": "paused: {spaces}",
    "doctor.todo.resume": "End it with: eko resume SPACE",
}
"""What the command line, which speaks English, says where a chat says less."""


def on_machine(finding: Finding) -> tuple[str, str | None]:
    """What was found and what there is to do, for the operator, in English."""
    said = _for_machine(f"doctor.said.{finding.said}", finding)
    return said, finding.todo and _for_machine(f"doctor.todo.{finding.todo}", finding)


def in_chat(finding: Finding, locale: str) -> str:
    """The same in a line or two, without what belongs to the machine."""
    mark = {"ok": "✓", "note": "•", "fail": "✗"}[finding.state]
    texts = texts_in(locale, finding.texts)
    part = texts.say(f"doctor.parts.{finding.part}")
    said = texts.say(f"doctor.said.{finding.said}", **finding.values)
    line = say("doctor.line", locale, mark=mark, part=part, said=said)
    if finding.todo is None:
        return line
    return f"{line}\n  {texts.say(f'doctor.todo.{finding.todo}', **finding.values)}"


def for_owner(finding: Finding, locale: str) -> tuple[str, str, str | None]:
    """The part, what was found and what there is to do, for its owner; in English in full."""
    texts = texts_in(locale, finding.texts)
    part = texts.say(f"doctor.parts.{finding.part}")
    if locale == ENGLISH:
        return part, *on_machine(finding)
    said = texts.say(f"doctor.said.{finding.said}", **finding.values)
    todo = finding.todo and texts.say(f"doctor.todo.{finding.todo}", **finding.values)
    return part, said, todo


def _for_machine(key: str, finding: Finding) -> str:
    full = _ON_MACHINE.get(key) if finding.texts is None else None
    if full is not None:
        return full.format(**finding.values)
    return texts_in(ENGLISH, finding.texts).say(key, **finding.values)
