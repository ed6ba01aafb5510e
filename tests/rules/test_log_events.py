import ast
import re

from bot.texts.catalogue import texts_in
from bot.texts.commands import OWN
from bot.texts.log_sentences import TOLD, UNTOLD, fields_of

_LEVELS = {"debug", "info", "warning", "warn", "error", "critical", "exception", "fatal"}
_LOGGERS = {"log", "logger"}

_FORM = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?\.([a-z][a-z_]*)")
"""noun.past_participle, where a noun may have one noun before it: `turn.replied`."""

_IRREGULAR = frozenset(
    """
    begun bound broken brought built caught chosen cut done drawn driven fallen fed felt
    forgotten found frozen given gone grown heard held hidden hit hung kept known laid learnt
    led left lost made meant met misread paid put quit read rebuilt redone rerun rewritten run said
    seen sent set shown shut slept split spent spoken stuck struck sung swept taken thrown told
    understood undone unset withdrawn woken won worn written
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)
"""Past participles that do not end in -ed."""


NAMED_ELSEWHERE = {
    "memory/tasks.py": "logs the events that users of a boundary name, which are held there",
    "bot/platforms/channel_elsewhere.py": "the same three events of every platform, by its name",
}


def misnamed(path: str, tree: ast.Module) -> list[str]:
    """Log calls whose event is no constant, or no noun and past participle."""
    return [
        f"{path}:{node.lineno} {ast.unparse(node.args[0]) if node.args else 'no event'}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _is_log_call(node) and not _well_named(node)
    ]


def _is_log_call(call: ast.Call) -> bool:
    """Whether a call logs an event, by a logger or as the boundary that logs what fails in it."""
    function = call.func
    if isinstance(function, ast.Name) and function.id == "Boundary":
        return True
    if not isinstance(function, ast.Attribute) or function.attr.lstrip("a") not in {
        level.lstrip("a") for level in _LEVELS
    }:
        return False
    owner = function.value
    while isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
        if owner.func.attr == "get_logger":
            return True
        owner = owner.func.value
    name = owner.attr if isinstance(owner, ast.Attribute) else ast.unparse(owner)
    return name.strip("_").lower() in _LOGGERS


def _well_named(call: ast.Call) -> bool:
    event = call.args[0] if call.args else None
    if not isinstance(event, ast.Constant) or not isinstance(event.value, str):
        return False
    found = _FORM.fullmatch(event.value)
    words = found[1].split("_") if found else []
    return any(word.endswith("ed") or word in _IRREGULAR for word in words)


def fields_logged(sources: dict[str, ast.Module]) -> dict[str, list[set[str]]]:
    """The names of the fields with which each event is logged, call by call."""
    calls: dict[str, list[set[str]]] = {}
    for tree in sources.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_log_call(node) and _well_named(node):
                event = ast.literal_eval(node.args[0])
                calls.setdefault(event, []).append({one.arg or "" for one in node.keywords})
    return calls


def test_sentences_are_of_events_that_are_logged(sources: dict[str, ast.Module]) -> None:
    """An event that is renamed, or loses a field, takes its sentence along."""
    logged = fields_logged(sources)
    assert logged.keys() >= UNTOLD
    assert [
        key
        for key in TOLD
        if not any(
            fields_of(key, texts_in(OWN)) <= fields
            for fields in logged.get(key.removeprefix("log."), [])
        )
    ] == []


def test_log_events_are_a_noun_and_a_past_participle(sources: dict[str, ast.Module]) -> None:
    """`turn.replied` can be searched for; prose cannot."""
    named = {path: tree for path, tree in sources.items() if path not in NAMED_ELSEWHERE}
    assert [hit for path, tree in named.items() for hit in misnamed(path, tree)] == []


def test_the_rule_sees_prose_and_made_up_names() -> None:
    """Prose, formatted text, a missing or a differently formed event."""
    good = ["turn.replied", "embedder.timed_out", "index.outbox.applied", "reply.sent"]
    bad = ["Turn replied", "turn replied", "turn", "turn.reply", "turn.Replied", "replied"]
    code = "".join(f'log.info("{event}", took_ms=1)\n' for event in [*good, *bad])
    code += 'self._log.exception(f"turn.{x}")\nstructlog.get_logger().bind(a=1).awarning("oops")\n'
    code += "LOGGER.error()\nmath.log.info\nconsole.info('prose is fine here')\n"
    lines = [int(hit.removeprefix("x:").split()[0]) for hit in misnamed("x", ast.parse(code))]
    assert lines == list(range(len(good) + 1, len(good) + len(bad) + 4))
