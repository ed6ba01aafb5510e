"""On whose behalf operations run: what they may know and change, and what the audit log says."""

from dataclasses import dataclass

from memory.model.audience import OPERATOR, Scope
from memory.model.authority import BY_OPERATOR, Actor
from memory.model.people import Signature
from memory.rules.forgetting.selector import Requester
from memory.storage.sqlite.audit import signature_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCaller:
    """What the operations of one request may show, and by whose authority they change rows."""

    scope: Scope
    actor: Actor

    @property
    def signature(self) -> Signature:
        """The name of the caller in the audit log."""
        return signature_of(self.actor)

    @property
    def requester(self) -> Requester:
        """The caller as the one who has something forgotten."""
        return Requester(scope=self.scope, actor=self.actor)


COMMAND_LINE = OperationCaller(scope=OPERATOR, actor=BY_OPERATOR)
"""The operator at the machine of the pet."""
