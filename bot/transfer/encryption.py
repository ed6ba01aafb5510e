"""Encrypts files for public keys with age (https://age-encryption.org/v1), by `pyrage`.

The machine that makes backups holds no key that reads them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

import pyrage
from pyrage import x25519

from bot.errors import BotError

_INTRO = b"age-encryption.org/"
"""The first bytes of an encrypted file."""


class EncryptionFailed(BotError):
    """A file cannot be encrypted or decrypted; the sentence says why."""


class ByteSink(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> int:
        """Take these."""
        ...

    def flush(self) -> None:
        """Have taken them."""
        ...


def new_key() -> tuple[str, str]:
    """A secret key, and the public one that backups are encrypted for."""
    identity = x25519.Identity.generate()
    return str(identity), str(identity.to_public())


def is_encrypted(path: Path) -> bool:
    """Whether a file is encrypted with age."""
    with path.open("rb") as file:
        return file.read(len(_INTRO)) == _INTRO


def encrypt(plain: BinaryIO, sink: ByteSink, recipients: Sequence[str]) -> None:
    """Encrypt a file for these public keys.

    Raises:
        EncryptionFailed: one of them is no public key.

    """
    try:
        keys = [x25519.Recipient.from_str(one) for one in recipients]
        pyrage.encrypt_io(plain, sink, keys)
    except (pyrage.RecipientError, pyrage.EncryptError) as error:
        raise EncryptionFailed(f"The backup cannot be encrypted: {error}.") from error


def decrypt(encrypted: BinaryIO, sink: ByteSink, key_file: Path) -> None:
    """Decrypt a file with the secret keys of another one, as age-keygen writes it.

    Raises:
        EncryptionFailed: no key of it fits, or the file was changed.

    """
    lines = key_file.read_text("utf-8").splitlines()
    try:
        keys = [
            x25519.Identity.from_str(line.strip())
            for line in lines
            if line.strip() and not line.startswith("#")
        ]
        pyrage.decrypt_io(encrypted, sink, keys)
    except (pyrage.IdentityError, pyrage.DecryptError) as error:
        raise EncryptionFailed(f"{key_file} does not open this backup: {error}.") from error
