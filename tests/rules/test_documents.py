"""What people read first is short, complete, and leads where it says."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from bot.__main__ import app
from tests.table import real_table

LINK = re.compile(r"(?<!`)\[[^\]]*\]\((?!https?:)([^)\s]+)\)")
"""A link to another place of the project."""

PAGES = ("README.md", "CHANGELOG.md", "docs/*.md", "benchmarks/*.md", "tests/*.md")

WORDS_OF_README = 1000
"""What a stranger reads before trying it; the rest has pages of its own."""

BYTES_OF_PICTURE = 150_000
"""A second on a slow line."""


def _pages(root: Path) -> list[Path]:
    return sorted(path for pattern in PAGES for path in root.glob(pattern))


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken(page: Path) -> list[str]:
    """The links of a page that lead to no file, or to no heading of it."""
    links = LINK.findall(page.read_text("utf-8"))
    return [f"{page.name}: {link}" for link in links if not _leads_somewhere(page, link)]


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def test_links_lead_somewhere(root: Path) -> None:
    """To a file that is there, and to a heading that is in it."""
    assert [link for page in _pages(root) for link in broken(page)] == []


def test_the_rule_sees_what_is_not_there(tmp_path: Path) -> None:
    """A missing file and a missing heading."""
    page = tmp_path / "page.md"
    page.write_text("# A head: one\n[a](#a-head-one) [b](#two) [c](no.md) [d](page.md#three)\n")
    assert broken(page) == ["page.md: #two", "page.md: no.md", "page.md: page.md#three"]


def test_the_readme_is_short_and_has_a_picture(root: Path) -> None:
    """It says what this is and how to start it, and shows what it looks like."""
    text = (root / "README.md").read_text("utf-8")
    assert len(text.split()) <= WORDS_OF_README
    pictures = re.findall(r'<img src="([^"]+)"', text)
    assert pictures
    assert all((root / picture).stat().st_size <= BYTES_OF_PICTURE for picture in pictures)


@pytest.fixture(scope="module")
def manual(root: Path) -> str:
    """The page about commands."""
    return (root / "docs" / "commands.md").read_text("utf-8")


def test_every_command_of_the_command_line_is_in_the_manual(manual: str) -> None:
    """Also those that are in a group, such as `eko tidy`."""
    names = list(vars(get_command(app))["commands"])
    assert "tidy" in names
    assert [name for name in names if f"`eko {name}" not in manual] == []


def test_every_command_of_a_chat_is_in_the_manual(manual: str) -> None:
    """Those of one group, such as `/memory show`, share a line."""
    names = [name for name, command in real_table().items() if name == command.name]
    assert {"forget-me", "memory show"} <= set(names)
    assert [
        name for name in names if not any(_has(line, name) for line in manual.splitlines())
    ] == []


def _has(line: str, name: str) -> bool:
    group, _, one = name.partition(" ")
    return f"`/{name}" in line or (f"`/{group} " in line and bool(one) and f"`{one}" in line)
