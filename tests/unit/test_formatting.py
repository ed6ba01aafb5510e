"""Words with the parts that are shown in another way, whatever Markdown they are read from."""

from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from bot.platforms.formatting import FormattedText, Span, SpanKind, formatted, nested, utf16_length

SIGNS = st.text(alphabet=st.sampled_from(list("*_~`>#-1.)[]()\\|!<&; \n\tab😀é@/:h")), max_size=120)
MARKED = st.recursive(
    st.sampled_from(["mot", "un mot", "1", "a_b", "été 😀"]),
    lambda inner: st.builds(
        lambda sign, parts: f"{sign}{' '.join(parts)}{sign}",
        st.sampled_from(["**", "*", "_", "~~"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


def shown(text: FormattedText) -> list[tuple[SpanKind, str, str]]:
    """The words of each span."""
    return [(one.kind, text.text[one.start : one.end], one.detail) for one in text.spans]


def test_each_kind_is_read() -> None:
    """In one text, with lists that keep their marks and lines that stay where they were."""
    text = formatted(
        "# Titre\n\n**gras** *fin* ~~non~~ `x = 1` [ici](https://e.org/a?b=1&c)\n\n"
        "> cité\n> encore\n\n```py\nif a:\n    b\n```\n\n- un\n- deux\n  1. trois"
    )
    assert shown(text) == [
        (SpanKind.BOLD, "Titre", ""),
        (SpanKind.BOLD, "gras", ""),
        (SpanKind.ITALIC, "fin", ""),
        (SpanKind.STRUCK, "non", ""),
        (SpanKind.CODE, "x = 1", ""),
        (SpanKind.LINK, "ici", "https://e.org/a?b=1&c"),
        (SpanKind.QUOTE, "cité\nencore", ""),
        (SpanKind.BLOCK, "if a:\n    b", "py"),
    ]
    assert text.text.splitlines()[-3:] == ["• un", "• deux", "  1. trois"]


def test_what_is_no_markdown_stays_as_it_is() -> None:
    """Signs of other things among words, and an address with underscores."""
    for text in (
        "2 * 3 = 6",
        "a_b_c et d",
        "https://e.org/une_page_ici",
        "c'est <b>écrit</b> & dit",
        "fin.\n\n\nsuite",
        "#pasuntitre",
        "",
    ):
        assert formatted(text) == FormattedText(text=text)


@given(st.text(max_size=200).filter(lambda text: not set(text) & set("*_`~[]<>\\#-+0123456789")))
def test_nothing_is_lost_of_a_text_without_signs(text: str) -> None:
    """Not a blank."""
    assert formatted(text) == FormattedText(text=text)


@given(SIGNS | MARKED | st.text(max_size=200))
def test_spans_nest_and_never_cross(text: str) -> None:
    """Each lies in the words, is not empty, and closes before what it is in."""
    read = formatted(text)
    open_: list[Span] = []
    last = 0
    for place, opens, span in nested(read):
        assert last <= place <= len(read.text)
        last = place
        if opens:
            assert place == span.start < span.end
            assert not open_ or span.end <= open_[-1].end
            open_.append(span)
        else:
            assert open_.pop() == span
            assert place == span.end
    assert open_ == []


@given(SIGNS | MARKED)
def test_words_are_neither_lost_nor_doubled(text: str) -> None:
    """Only signs go; what is told of a link or of code goes beside."""
    read = formatted(text)
    told = read.text + "".join(one.detail for one in read.spans)
    for letter in "é😀":
        assert read.text.count(letter) <= text.count(letter) <= told.count(letter) + _hidden(text)


def _hidden(text: str) -> int:
    """Letters that may go into the escapes of an address, or into its title."""
    return text.count("é") + text.count("😀") if "](" in text or "<" in text else 0


@given(MARKED)
def test_marked_words_are_the_words(text: str) -> None:
    """In their order."""
    words = "".join(one for one in text if one not in "*~_")
    assert "".join(one for one in formatted(text).text if one not in "*~_") == words


def test_hostile_texts_are_read_in_no_time() -> None:
    """As long as a message can be, of the signs that parsers stumble over."""
    size = 8000
    for sign in ("*", "_", "`", "~", "[", "> ", "- ", "**a", "[a](", "\\", "1. ", "<", "``` ", "#"):
        text = (sign * size)[:size]
        began = process_time()
        formatted(text)
        assert process_time() - began < 1.0, sign


def test_units_of_utf_16_are_counted() -> None:
    """Also of what is no character by itself."""
    assert [utf16_length(one) for one in ("", "é", "😀", "a\ud800")] == [0, 1, 2, 2]
