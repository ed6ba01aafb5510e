"""Which statements say of their own speaker what people have one of at a time. Pure."""

from dataclasses import dataclass

from memory.alias_rules import name_key
from memory.attributes import Attribute, attribute_of, may_both_hold, spelling
from memory.model import NewMemory, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """A value of a key about somebody; `subject` is the folded name that the statement gives."""

    subject: str
    key: str
    value: str

    def is_value(self, value: str) -> bool:
        """Whether another value of the key is the same in other signs."""
        return spelling(self._attribute(self.value)) == spelling(self._attribute(value))

    def may_stand_beside(self, value: str) -> bool:
        """Whether another value of the key can be true as well."""
        return may_both_hold(self._attribute(self.value), self._attribute(value))

    def _attribute(self, value: str) -> Attribute:
        return Attribute(subject=self.subject, key=self.key, value=value)


def core_of(new: NewMemory) -> Core | None:
    """What a statement says of somebody that is always worth having before the pet, or None.

    Somebody must have said it, in so many words or as whoever read it found, and it must last.
    """
    if new.store is not Store.MEMORY or new.said_by is None or new.ttl is not None:
        return None
    attribute = attribute_of(new.content, new.said_by)
    if attribute is not None and attribute.subject:
        return Core(subject=attribute.subject, key=attribute.key, value=attribute.value)
    if new.core is None:
        return None
    key, value = new.core
    return Core(subject=name_key(new.said_by), key=key, value=value)
