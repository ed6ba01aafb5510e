"""A hook of mkdocs: brings the files that `docs/` links to into the site, and loads nothing else.

`mkdocs.yml` names this file. Pages of the project outside `docs/` (README.md, SECURITY.md, those of
the benchmarks) become pages below `project/`, other files are copied there, and links are rewritten
to match, so that each link of the site leads somewhere in it and mkdocs can check it.
"""
# ruff: noqa: INP001 - a hook is one file, loaded by its path

import logging
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

log = logging.getLogger("mkdocs.hooks.site")

ALWAYS = ("README.md", "CHANGELOG.md", "SECURITY.md")
"""Pages of the project that are in the site even where no page links to them."""

LINK = re.compile(r"(?<!`)\[([^\]]*)\]\((?!\w+:)([^)\s#]*)(#[^)\s]*)?\)")
"""A link to another place of the project: its words, its path and its anchor."""

PICTURE = re.compile(r'(?<=<img src=")(?!\w+:)([^"]+)')

LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?(?:https?:)?//[^\s\">]+")
"""What a browser would fetch from elsewhere as it shows a page."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files outside `docs/` that its pages, or these files themselves, link to."""
    root = Path(config.config_file_path).parent
    waiting = [*ALWAYS]
    for page in files.documentation_pages():
        waiting += _named(f"docs/{page.src_uri}", page.content_string)
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or path.startswith("docs/") or not (root / path).is_file():
            continue
        seen.add(path)
        added = File.generated(config, f"project/{path}", abs_src_path=str(root / path))
        files.append(added)
        if path.endswith(".md"):
            waiting += _named(path, added.content_string)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links and pictures of a page to where their files are in the site."""
    root, here = Path(config.config_file_path).parent, page.file.src_uri

    def link(found: re.Match[str]) -> str:
        words, path, anchor = found[1], found[2], found[3] or ""
        if not path:
            return found[0]
        target = _resolved(_origin(here), path)
        if files.get_file_from_path(_place(target)) is None and (root / target).is_dir():
            return words
        return f"[{words}]({posixpath.relpath(_place(target), posixpath.dirname(here))}{anchor})"

    def picture(found: re.Match[str]) -> str:
        target = _place(_resolved(_origin(here), found[1]))
        return posixpath.relpath(target, posixpath.dirname(here))

    return PICTURE.sub(picture, LINK.sub(link, markdown))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001
    """Warn, which ends a strict build, of whatever a page loads from another host."""
    for found in LOADED.findall(output):
        log.warning("%s loads from elsewhere: %s", page.file.src_uri, found)
    return output


def _named(origin: str, text: str) -> Iterator[str]:
    return (_resolved(origin, path) for _, path, _ in LINK.findall(text) if path)


def _resolved(origin: str, path: str) -> str:
    """The path of a link's target from the folder of the project."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))


def _origin(place: str) -> str:
    """Where a file of the site stands in the project; the other way round: `_place`."""
    return place.removeprefix("project/") if place.startswith("project/") else f"docs/{place}"


def _place(path: str) -> str:
    return path.removeprefix("docs/") if path.startswith("docs/") else f"project/{path}"
