"""What the owner was warned of, kept for a test to look at."""

from memory.model.notices import NoticeKind, OwnerNotice


class NotedNotices:
    """An owner who is told everything at once."""

    def __init__(self) -> None:
        self.told: list[OwnerNotice] = []

    def tell(self, notice: OwnerNotice) -> None:
        """Keep a warning."""
        self.told.append(notice)

    def of(self, kind: NoticeKind) -> list[tuple[str, str]]:
        """What the warnings of a kind are about, with their reasons, in order."""
        return [(one.about, one.reason) for one in self.told if one.kind is kind]
