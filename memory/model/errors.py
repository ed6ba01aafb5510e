"""What can go wrong while keeping or finding, each with its sentence."""

from pathlib import Path


class EkoMemoryError(Exception):
    """Root of everything this package raises."""


class EmbeddingFailed(EkoMemoryError):
    """The embedder gave no usable vectors."""


class ModelFilesUnavailable(EkoMemoryError):
    """The files of a local model could not be fetched; the sentence says why, and what to do."""


class VectorStoreUnavailable(EkoMemoryError):
    """The vector store did not answer; the database is untouched."""


class HeldElsewhere(VectorStoreUnavailable):
    """Another folder of the same pet uses its entries; the sentence says which, and what to do."""

    def __init__(self, place: str) -> None:
        super().__init__(
            f"Another folder holds this pet on the Qdrant server ({place}). If this one is its "
            "copy, make it a pet of its own with: eko identity --new; if this one is the pet now, "
            "take over with: eko identity --keep"
        )
        self.place = place


class MoveRefused(EkoMemoryError, ValueError):
    """The index cannot be moved as asked; the sentence says why, and what to do."""


class VectorRefused(EkoMemoryError, ValueError):
    """A vector or its payload cannot be indexed as it is; trying again will not help."""


class DatabaseRefused(EkoMemoryError):
    """The database file cannot be used as it is."""


class DatabaseTooNew(DatabaseRefused):
    """A newer version wrote the database: this one does not know the number of its schema."""

    def __init__(self, path: Path, schema: int, known: int) -> None:
        super().__init__(
            f"{path} was written by a newer Eko (schema {schema}, this one knows {known}): upgrade "
            "Eko, or choose another data folder with EKO_DATA_DIR."
        )
        self.known = known


class InvalidTtl(EkoMemoryError, ValueError):
    """A time to live is not of the form 1h, 7d or 30d."""


class ForgottenBefore(EkoMemoryError):
    """What was to be kept says again what was forgotten; it is not kept."""


class UnknownCategory(EkoMemoryError, ValueError):
    """A category does not exist in the store it was given for."""


class UnknownSetting(EkoMemoryError, ValueError):
    """There is no setting of that name that can be changed while the pet runs."""


class WrongValue(EkoMemoryError, ValueError):
    """A setting cannot have this value; the sentence says which it can have."""


class NotArchived(EkoMemoryError, ValueError):
    """No single archived statement is meant."""


class NotProposed(EkoMemoryError, ValueError):
    """There is no open proposal of that number, or it can no longer be accepted."""


class StorageFailed(EkoMemoryError):
    """The database could not be read or written; nothing of that write was kept."""


class ReadTooLate(StorageFailed):
    """The database did not answer by the deadline; what was asked for is not known."""


class TooManyReactions(EkoMemoryError):
    """A message has as many reactions as it can have."""


class ScrubPostponed(EkoMemoryError):
    """A reader still has an older state of the database, so its log cannot be cleared yet."""


class NotesUnavailable(EkoMemoryError):
    """A vault cannot be read now; what was read of it before is still known."""


class NoteTooLarge(EkoMemoryError):
    """A note is larger than notes are read."""


class LinkRefused(EkoMemoryError, ValueError):
    """A one-time code joins nothing; the sentence says why."""


class UnknownCode(LinkRefused):
    """The code was never given out, or it was used, or it is too old."""


class OwnCode(LinkRefused):
    """The code was given to the very person who enters it."""


class AccountRefused(EkoMemoryError, ValueError):
    """An account cannot be taken out of its person or put to another; the sentence says why."""


class UnknownAccount(AccountRefused):
    """Nothing was ever said from the account."""


class AlreadyJoined(AccountRefused):
    """Both accounts are one person's."""


class OnlyAccount(AccountRefused):
    """The account is the only one of its person, so that there is nothing to split."""


class TooManyTries(LinkRefused):
    """An account has entered too many wrong codes lately."""


class HoldsNoMore(EkoMemoryError):
    """What a change was made for was forgotten, replaced or changed meanwhile."""


class NotTheirsToCorrect(EkoMemoryError):
    """A statement of another author, which the actor has no mandate over."""
