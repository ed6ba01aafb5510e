"""Notes: which are wanted, how one is cut into pieces, and what of a piece answers. Pure."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import PurePosixPath
from uuid import NAMESPACE_URL, uuid5

from memory.language.excerpts import excerpt
from memory.model.audience import Audience
from memory.model.knowledge import KnowledgeId, Piece
from memory.rules.notes.markdown import Frontmatter, Passage, frontmatter_of, is_tagged, passages_of

PIECE = 500
"""Characters of a piece at most, and of the line that is made of it: a paragraph or two."""

LONGEST_TITLE = 120
"""Characters: a path is as long as its folders are deep, and only its end says what it is."""

CHANNEL = "obsidian"
"""What a row of knowledge that is a piece of a note has for a channel."""

CUTTING = "1"
"""How notes are cut; another way counts as a change of every note."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n")

_NAMESPACE = uuid5(NAMESPACE_URL, "eko:notes")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChoice:
    """Which notes are for the pet: these paths, always at hand, and whatever has the tag."""

    enabled: bool = True
    paths: tuple[str, ...] = ()
    tag: str = ""

    @property
    def always_at_hand(self) -> tuple[str, ...]:
        """The paths as a vault spells them, none when notes are switched off."""
        return tuple(dict.fromkeys(map(path_of, self.paths))) if self.enabled else ()

    def wants(self, path: str, tags: frozenset[str]) -> bool:
        """Whether a note is one of them."""
        return self.enabled and (path in self.always_at_hand or is_tagged(tags, self.tag))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEntry:
    """A wanted note as its source lists it; another `etag` says that it was written to."""

    path: str
    etag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note as it is read. `tags` are folded, without their sign."""

    path: str
    text: str
    tags: frozenset[str]
    written_at: datetime


def path_of(chosen: str) -> str:
    """A path as it is written in settings, as a vault spells it: "/Home" is "Home.md"."""
    path = str(PurePosixPath(chosen.strip().replace("\\", "/").lstrip("/")))
    return path if path.casefold().endswith(".md") else f"{path}.md"


def pieces_of(note: Note, vault: str, audience: Audience) -> list[Piece]:
    """A note in pieces, cut at its headings, its paragraphs, its sentences.

    The id is of the piece's own words, so that an edit changes only the pieces it touches, and of
    who may know it, so that another audience makes other pieces.
    """
    front = frontmatter_of(note.text)
    at = front.date or note.written_at
    name = _name(note.path, front)
    seen: dict[str, int] = {}
    made = []
    for passage in passages_of(note.text):
        title = " › ".join((name, *passage.trail))[:LONGEST_TITLE]
        for content in _packed(passage):
            key = "\n".join((vault, note.path, audience, str(front.date), title, content))
            seen[key] = seen.get(key, 0) + 1
            id_ = KnowledgeId(uuid5(_NAMESPACE, f"{seen[key]}\n{key}"))
            made.append(Piece(id=id_, title=title, content=content, at=at))
    return made


def as_told(title: str, content: str, wanted: Collection[str]) -> str:
    """A piece of a note with where it stands, as long as a line of notes may be."""
    head = f"{title}: " if title else ""
    return head + excerpt(content, [{stem: 1.0} for stem in wanted], PIECE - len(head))


def _name(path: str, front: Frontmatter) -> str:
    name = " ".join(path.removesuffix(".md").split())
    name = name if len(name) <= LONGEST_TITLE // 2 else "…" + name[-LONGEST_TITLE // 2 :]
    return f"{name} ({', '.join(front.aliases)})" if front.aliases else name


def _packed(passage: Passage) -> Iterator[str]:
    """The paragraphs put together as long as they fit."""
    piece = ""
    for part in chain.from_iterable(map(_cut, passage.paragraphs)):
        joined = f"{piece}\n{part}" if piece else part
        if len(joined) > PIECE:
            yield piece
            joined = part
        piece = joined
    if piece:
        yield piece


def _cut(paragraph: str) -> Iterator[str]:
    """A paragraph that fits, or its sentences put together as long as they fit."""
    if len(paragraph) <= PIECE:
        yield paragraph
        return
    piece = ""
    for sentence in chain.from_iterable(map(_slices, _SENTENCE_END.split(paragraph))):
        joined = f"{piece} {sentence}".strip()
        if len(joined) > PIECE:
            yield piece
            joined = sentence
        piece = joined
    if piece:
        yield piece


def _slices(sentence: str) -> Iterator[str]:
    """A sentence in slices that fit, cut between words where there are any."""
    while len(sentence) > PIECE:
        at = sentence.rfind(" ", PIECE // 2, PIECE)
        at = PIECE if at < 0 else at
        yield sentence[:at].rstrip()
        sentence = sentence[at:].lstrip()
    if sentence:
        yield sentence
