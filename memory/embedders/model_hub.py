"""Fetches a local model from a hub: pinned files, checked, gone on with after a cut."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import httpx2

from memory.embedders.local_models import PinnedFile
from memory.embedders.model_folder import ModelFolder, Progress
from memory.model.errors import ModelFilesUnavailable

TRIES = 3
"""Connections that may break off in a row without a byte having come, before it is given up."""

_QUIET_S = 30.0
"""Seconds without a byte after which a connection counts as broken off."""

_PARTIAL, _UNSATISFIABLE = 206, 416
"""The answers to a range: here it is, and the file has no such range."""

_UNREACHABLE = (httpx2.RequestError, httpx2.InvalidURL, UnicodeError)
"""The last two are of an address that no host can have, as `http://hub..example` is."""


class ModelHub:
    """A server with the paths of the Hugging Face hub: `repository/resolve/revision/path`."""

    def __init__(self, url: str, *, quiet_s: float = _QUIET_S) -> None:
        self._url = url.rstrip("/")
        self._quiet_s = quiet_s

    def fetch(self, folder: ModelFolder, progress: Progress) -> None:
        """Bring every file that is missing; what came before a cut is not asked for again.

        Raises:
            ModelFilesUnavailable: with one sentence that says what to do.

        """
        with folder.filling(), self._client() as client:
            missing = list(folder.missing())
            there = folder.model.size - sum(each.size for each in missing)
            progress(there)
            for pinned in missing:
                self._fetch_file(client, folder, pinned, partial(_tell, progress, there))
                there += pinned.size

    def _client(self) -> httpx2.Client:
        try:
            return httpx2.Client(follow_redirects=True, timeout=self._quiet_s)
        except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
            raise ModelFilesUnavailable(
                "What the environment says of proxies and certificates (HTTPS_PROXY, ALL_PROXY, "
                f"SSL_CERT_FILE and the like) cannot be used: {error}"
            ) from error

    def _fetch_file(
        self, client: httpx2.Client, folder: ModelFolder, pinned: PinnedFile, progress: Progress
    ) -> None:
        tries = 0
        while (come := _come(folder, pinned)) < pinned.size:
            try:
                self._go_on(client, folder, pinned, progress)
            except _UNREACHABLE as error:
                tries = 1 if _come(folder, pinned) > come else tries + 1
                if tries == TRIES:
                    raise ModelFilesUnavailable(self._broken_off(folder, error)) from error
            else:
                break
        folder.keep(pinned)

    def _go_on(
        self, client: httpx2.Client, folder: ModelFolder, pinned: PinnedFile, progress: Progress
    ) -> None:
        """Ask for the rest of a file; a server that does not know ranges sends all of it again."""
        asked = _come(folder, pinned)
        progress(asked)
        with self._answer(client, folder, pinned, asked) as answer:
            start = asked if answer.status_code == _PARTIAL else 0
            with folder.writing(pinned, start) as file:
                come = start
                for chunk in answer.iter_raw():
                    come += len(chunk)
                    if come > pinned.size:
                        file.truncate(0)
                        raise ModelFilesUnavailable(
                            f"{self._url} sends more of {pinned.path} than {folder.model.name} "
                            "has: it is another file, and was not kept."
                        )
                    file.write(chunk)
                    progress(come)

    @contextmanager
    def _answer(
        self, client: httpx2.Client, folder: ModelFolder, pinned: PinnedFile, start: int
    ) -> Iterator[httpx2.Response]:
        model = folder.model
        address = f"{self._url}/{model.repository}/resolve/{model.revision}/{pinned.path}"
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
        with client.stream("GET", address, headers=headers) as answer:
            if answer.status_code == _UNSATISFIABLE or not _goes_on(answer, start):
                folder.begun(pinned).unlink(missing_ok=True)
                raise httpx2.RemoteProtocolError("The server has no such range.")
            if not answer.is_success:
                raise ModelFilesUnavailable(
                    f"{address} answers {answer.status_code} {answer.reason_phrase}".rstrip()
                    + ". Try later, or take the files from a folder: "
                    "eko embedder download --from FOLDER"
                )
            yield answer

    def _broken_off(self, folder: ModelFolder, error: Exception) -> str:
        if come := sum(_come(folder, each) for each in folder.model.files):
            return (
                f"The connection to {self._url} breaks off: {_reason(error)}. {come:,} "
                "bytes are there: the same command goes on after them."
            )
        return (
            f"{self._url} cannot be reached: {_reason(error)}. Without a network, fetch the "
            "files elsewhere and take them from a folder: eko embedder download --from FOLDER"
        )


def _tell(progress: Progress, before: int, come: int) -> None:
    progress(before + come)


def _reason(error: BaseException) -> str:
    """What went wrong, in the system's words where it was the system that said it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return str(error).rstrip(".") or type(error).__name__


def _come(folder: ModelFolder, pinned: PinnedFile) -> int:
    """How much of a file has come, of which a part that is too long is none."""
    begun = folder.begun(pinned)
    size = begun.stat().st_size if begun.is_file() else 0
    return size if size <= pinned.size else 0


def _goes_on(answer: httpx2.Response, start: int) -> bool:
    """Whether an answer to a range begins where it was asked to."""
    if answer.status_code != _PARTIAL:
        return True
    return answer.headers.get("Content-Range", "").startswith(f"bytes {start}-")
