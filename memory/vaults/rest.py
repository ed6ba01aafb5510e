"""A vault through Obsidian's plugin "Local REST API", as its published OpenAPI describes it.

The notes that are wanted are picked by one search with JsonLogic on the plugin's side, so that no
other note is ever sent; each that changed is then read as `application/vnd.olrapi.note+json`.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from ssl import SSLCertVerificationError, SSLContext, SSLError, create_default_context
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

from memory.model.errors import NotesUnavailable, NoteTooLarge
from memory.rules.notes.chunks import Note, NoteChoice, NoteEntry
from memory.rules.notes.markdown import tags_of
from memory.vaults.pinned_tls import OtherCertificate, pinned_context

NOTE = "application/vnd.olrapi.note+json"
JSON_LOGIC = "application/vnd.olrapi.jsonlogic+json"

MOST_LISTED_BYTES = 32_000_000
"""An answer to the search: some hundred bytes a note, for a hundred thousand of them and more."""

ROUND_NOTE_BYTES = 65_536
"""What an answer has around a note's text: its path, its tags, where it links to."""

SIDE_BY_SIDE = 4
"""Requests at once: the plugin answers in the thread that Obsidian draws its window in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestOptions:
    """Where the plugin listens, its key, and how its certificate is known.

    With a `fingerprint` no other certificate is accepted, with a `ca_file` those it vouches for,
    with neither those that this machine trusts.
    """

    url: str
    api_key: str
    fingerprint: str | None = None
    ca_file: Path | None = None
    timeout_s: float
    most_bytes: int


class ObsidianRest:
    """The notes of the vault that is open in Obsidian; there only while Obsidian runs."""

    def __init__(self, options: RestOptions) -> None:
        self._options = options
        self._client: httpx2.AsyncClient | None = None
        self._turns = asyncio.Semaphore(SIDE_BY_SIDE)

    @property
    def vault(self) -> str:
        """Which vault this is, by its address."""
        return f"rest:{self._place}"

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def entries(self, choice: NoteChoice) -> list[NoteEntry]:
        """Every wanted note, by one request.

        Raises:
            NotesUnavailable: Obsidian is away, refuses the key or is not who it should be.

        """
        query = _query(choice)
        if query is None:
            return []
        content = json.dumps(query).encode()
        body = await self._body(
            "POST", "/search/", MOST_LISTED_BYTES, content=content, content_type=JSON_LOGIC
        )
        if body is None:
            raise NotesUnavailable(f"{self._place} has no search: is it the plugin Local REST API?")
        try:
            return [_entry(one) for one in json.loads(body) if _is_note(one["filename"])]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise NotesUnavailable(f"{self._place} gave an answer that is no list.") from None

    async def read(self, path: str) -> Note | None:
        """A note, or None when there is none at this path (any more).

        Raises:
            NoteTooLarge: it is larger than notes are read.
            NotesUnavailable: see `entries`.

        """
        if not _is_note(path):
            return None
        most = 3 * self._options.most_bytes + ROUND_NOTE_BYTES  # escaped, and its properties again
        try:
            body = await self._body("GET", f"/vault/{quote(path)}", most)
        except _TooMuch:
            raise NoteTooLarge(f"{path} is larger than {self._options.most_bytes} bytes.") from None
        if body is None:
            return None
        try:
            note = _note(path, json.loads(body))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            raise NotesUnavailable(f"{self._place} gave an answer that is no note.") from None
        if (
            note is not None
            and len(note.text.encode("utf-8", "replace")) > self._options.most_bytes
        ):
            raise NoteTooLarge(f"{path} is larger than {self._options.most_bytes} bytes.")
        return note

    async def changes(self) -> AsyncIterator[None]:
        """Nothing: the plugin tells of no changes, so they are found by looking."""
        await asyncio.Event().wait()
        yield None

    @property
    def _place(self) -> str:
        address = urlsplit(self._options.url)
        return f"{address.scheme}://{address.netloc.rpartition('@')[2]}"

    async def _body(
        self, method: str, path: str, most: int, *, content: bytes = b"", content_type: str = ""
    ) -> bytes | None:
        """The body of an answer, None when there is nothing; one request in one time limit."""
        headers = {"accept": NOTE if method == "GET" else "application/json"}
        if content_type:
            headers["content-type"] = content_type
        try:
            async with self._turns, asyncio.timeout(self._options.timeout_s):
                client = await self._connected()
                async with client.stream(method, path, content=content, headers=headers) as answer:
                    self._check(answer.status_code)
                    found = answer.status_code != httpx2.codes.NOT_FOUND
                    return await _bounded(answer, most) if found else None
        except (TimeoutError, httpx2.TimeoutException):
            limit = f"{self._options.timeout_s:g} seconds"
            raise NotesUnavailable(f"{self._place} did not answer within {limit}.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise NotesUnavailable(self._sentence(error)) from error

    async def _connected(self) -> httpx2.AsyncClient:
        if self._client is None:
            verify = await asyncio.to_thread(self._context)
            self._client = httpx2.AsyncClient(
                base_url=self._options.url.rstrip("/"),
                headers={
                    "authorization": f"Bearer {self._options.api_key}",
                    "accept-encoding": "identity",  # what is packed may unpack without a bound
                },
                verify=verify,
                timeout=self._options.timeout_s,
                trust_env=False,  # the key is for this address and for no proxy on the way
            )
        return self._client

    def _context(self) -> SSLContext:
        options = self._options
        if options.fingerprint is not None:
            return pinned_context(options.fingerprint)
        try:
            return create_default_context(cafile=options.ca_file)
        except (OSError, SSLError) as error:
            raise NotesUnavailable(
                f"The certificate file {options.ca_file} cannot be read ({error.strerror})."
            ) from error

    def _check(self, status: int) -> None:
        if status in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}:
            raise NotesUnavailable(
                f"{self._place} does not accept the key: check [obsidian] api_key."
            )
        if status not in {httpx2.codes.OK, httpx2.codes.NOT_FOUND}:
            raise NotesUnavailable(f"{self._place} answered with an error ({status}).")

    def _sentence(self, error: Exception) -> str:
        causes = list(_causes(error))
        if any(isinstance(cause, OtherCertificate) for cause in causes):
            return (
                f"{self._place} shows another certificate than [obsidian] fingerprint names; "
                "nothing was sent to it."
            )
        if any(isinstance(cause, SSLCertVerificationError) for cause in causes):
            return (
                f"The certificate of {self._place} is vouched for by nobody: "
                "set [obsidian] fingerprint or ca_file."
            )
        if isinstance(error, httpx2.ConnectError):
            return f"{self._place} cannot be reached: is Obsidian running, with its plugin on?"
        return f"{self._place} broke off its answer."


class _TooMuch(NotesUnavailable):
    """An answer is longer than it may be."""


async def _bounded(answer: httpx2.Response, most: int) -> bytes:
    body = bytearray()
    async for chunk in answer.aiter_raw():
        body += chunk
        if len(body) > most:
            raise _TooMuch(f"The answer of {answer.url.host} is longer than {most} bytes.")
    return bytes(body)


def _causes(error: BaseException | None) -> list[BaseException]:
    found = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _query(choice: NoteChoice) -> Mapping[str, Any] | None:
    """JsonLogic that gives the `stat` of each wanted note and nothing of the others."""
    wanted: list[Mapping[str, Any]] = []
    if choice.enabled and choice.tag:
        tag = _either_case(choice.tag.removeprefix("#"))
        each = {"regexp": [f"^#?{tag}(/.*)?$", {"var": ""}]}
        # The plugin reads `tags: [eko]`; Obsidian itself takes `tags: eko, other` as well.
        text = {"regexp": [f"(^|[\\s,#]){tag}(/[^\\s,]*)?([\\s,]|$)", {"var": "frontmatter.tags"}]}
        wanted += [{"some": [{"var": "tags"}, each]}, text]
    if choice.always_at_hand:
        wanted.append({"in": [{"var": "path"}, list(choice.always_at_hand)]})
    return {"if": [{"or": wanted}, {"var": "stat"}, False]} if wanted else None


def _either_case(tag: str) -> str:
    """A pattern for a tag: JavaScript's patterns have no mark for either case inside them."""
    return "".join(
        f"[{char.lower()}{char.upper()}]"
        if char.isalpha()
        else f"\\{char}"
        if char in ".*+?^${}()|[]\\-"
        else char
        for char in tag
    )


def _entry(found: Mapping[str, Any]) -> NoteEntry:
    state = found["result"]
    return NoteEntry(path=found["filename"], etag=f"{int(state['mtime'])}-{int(state['size'])}")


def _note(path: str, read: Mapping[str, Any]) -> Note | None:
    """A note as the plugin tells it; None when it is another than was asked for."""
    if read["path"] != path:
        return None
    text = str(read["content"])
    told = {str(tag).removeprefix("#").casefold() for tag in read["tags"]}
    return Note(
        path=path,
        text=text,
        tags=tags_of(text) | told,
        written_at=datetime.fromtimestamp(read["stat"]["mtime"] / 1000, UTC),
    )


def _is_note(path: str) -> bool:
    """Whether a path is one of a note, nowhere hidden and inside the vault."""
    parts = path.split("/")
    return path.casefold().endswith(".md") and not any(
        not part or part.startswith(".") for part in parts
    )
