"""TLS that accepts one certificate, known by its fingerprint, and no other."""

import ssl
from hashlib import sha256
from hmac import compare_digest


class OtherCertificate(ssl.SSLCertVerificationError):
    """A server shows another certificate than the one that is pinned."""


def pinned_context(fingerprint: str) -> ssl.SSLContext:
    """A context that ends a connection before anything is sent, unless it is with that certificate.

    `fingerprint` is the SHA-256 of the certificate (DER) in hexadecimal, with or without colons.
    The certificate of the connection itself is compared, at the end of its handshake.
    """
    wanted = bytes.fromhex(fingerprint.replace(":", ""))

    class Checked(ssl.SSLObject):
        """A connection that ends with its handshake when the certificate is another one."""

        def do_handshake(self) -> None:
            """Shake hands, then compare.

            Raises:
                OtherCertificate: it is another one.

            """
            super().do_handshake()
            shown = self.getpeercert(binary_form=True) or b""
            if not compare_digest(sha256(shown).digest(), wanted):
                raise OtherCertificate("the certificate is not the pinned one")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Who vouches for a self-signed certificate, and for which name, means nothing here: it is
    # this one or none, which says more than both.
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.sslobject_class = Checked
    return context
