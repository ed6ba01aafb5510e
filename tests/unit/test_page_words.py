"""Words as HTML: Markdown of people and of the pet, and nothing that it could do to a reader."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts.markdown import LONGEST_PARSED, MOST_BRACKETS, MOST_SIGNS
from bot.web.page.markdown import _html, words_html
from tests.web.served_page import attributes_of, tags_of

ALLOWED = {
    *("p", "a", "strong", "em", "s", "code", "pre", "ul", "ol", "li", "blockquote"),
}
SAFE = {"href", "title", "target", "rel", "tabindex", "start"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a\nb", "<p>a\nb</p>"),
        ("**b** *i* ~~s~~", "<p><strong>b</strong> <em>i</em> <s>s</s></p>"),
        ("`<x>`", "<p><code>&lt;x&gt;</code></p>"),
        ("# T", "<p><strong>T</strong></p>"),
        ("a\n---\nb_c_d 2*3*4", "<p>a\n---\nb_c_d 2<em>3</em>4</p>"),
        ("<b>x</b> &amp; &#65;", "<p>&lt;b&gt;x&lt;/b&gt; &amp;amp; &amp;#65;</p>"),
        ("```js\n<i>\n```", '<pre tabindex="0"><code>&lt;i&gt;\n</code></pre>'),
        ("#tag and 5 > 3", "<p>#tag and 5 &gt; 3</p>"),
    ],
)
def test_markdown_is_drawn_and_html_is_text(text: str, html: str) -> None:
    """What people mean, as chats draw it."""
    assert words_html(text) == html


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://e.org/a_b?c=1&d=2.", "https://e.org/a_b?c=1&d=2"),
        ("(https://e.org/x)", "https://e.org/x"),
        ("https://e.org/wiki/A_(b)", "https://e.org/wiki/A_(b)"),
        ("**x** HTTPS://e.org!", "HTTPS://e.org"),
        ("[x](https://e.org/)", "https://e.org/"),
        ("<https://e.org>", "https://e.org"),
        ("[m](mailto:a@e.org)", "mailto:a@e.org"),
    ],
)
def test_addresses_are_links_that_tell_nothing(text: str, address: str) -> None:
    """They open beside the page, which they get no hold of."""
    (link,) = tags_of(words_html(text), "a")
    assert link["href"] == address
    assert (link["target"], link["rel"]) == ("_blank", "noopener noreferrer nofollow")


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,<b>)",
        "[x](vbscript:x)",
        "[x](/recover)",
        "[x](//evil.example)",
        "<javascript:alert(1)>",
        "http:// and https://",
    ],
)
def test_nothing_else_is_a_link(text: str) -> None:
    """No script, no address of the page itself, no other scheme."""
    assert tags_of(words_html(text), "a") == []


def test_pictures_are_not_loaded() -> None:
    """From nowhere: it would tell others who reads what and when."""
    assert tags_of(words_html("![x](https://e.org/x.png)"), "img") == []


@given(st.text(alphabet="ab <>&\"'`*_~[]()!#-+>\\\n\t:/.h1\u202e\0", max_size=200))
def test_whatever_is_said_only_allowed_markup_comes_out(text: str) -> None:
    """No tag and no attribute beside those of the page's own drawing."""
    html = _html(text)
    assert set(tags_in(html)) <= ALLOWED
    assert attributes_of(html) <= SAFE


def tags_in(html: str) -> list[str]:
    """The names of all tags."""
    return [
        piece.split(">")[0].split()[0].strip("/") for piece in html.split("<")[1:] if piece.strip()
    ]


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 20_000,
        "[" * MOST_BRACKETS + "*a_b`~" * 90 + "x" * 6_000,
        "[a](b" * MOST_BRACKETS + "*" * 500 + "x" * 7_000,
        "*a " * MOST_SIGNS + "x" * 6_000,
        "*a **b " * 3_000,
        "> " * 10_000,
        "- a\n" * (MOST_SIGNS - 1),
        "- " * 10_000,
        "`" * 20_000,
        "https://" * 2_500,
        "https://a.b " * 600,
        "https://" + "(" * 19_000,
        "\\" * 20_000,
        "<" * LONGEST_PARSED,
    ],
    ids=range(14),
)
def test_hostile_words_cost_little(hostile: str) -> None:
    """A message as long as can be is drawn in less than a fifth of a second."""
    costs = []
    for _ in range(3):
        start = process_time()
        _html(hostile[:20_000])
        costs.append(process_time() - start)
    assert min(costs) < 0.2
