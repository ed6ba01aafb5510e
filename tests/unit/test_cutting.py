"""Replies are cut to what a platform takes, and call nobody by accident."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.channels.discord.service.markup import MARKUP
from bot.conversation.splitting import SMALLEST_MARKED, cut, quiet_mentions

WORDS = st.text(alphabet="ab .\n\t\u200b\u00e9\U0001f600", max_size=200)


HOSTILE = st.text(
    alphabet='`>@<[]()"!/\\。\u200b\u200d\u0301\u00e9\U0001f1eb\U0001f600 \n', max_size=400
)
TICKS = "```"

SENTENCES = st.integers(1, 60).map(lambda size: f"{'word ' * size}end.")
CODE = st.builds(
    "```{}\n{}\n```".format,
    st.sampled_from(["", "py", "c++", "objective-c"]),
    st.integers(1, 60).map(lambda size: "\n".join(f"    line({n})" for n in range(size))),
)
QUOTES = st.integers(1, 60).map(lambda size: f"> {'said ' * size}so")
LINKS = st.sampled_from(
    [
        "https://example.com/a/long/path?with=a&query=(of)#parts",
        "<https://example.com/no/preview>",
        "[a label of words](https://example.com/wiki/Eko_(pet))",
        '[a label](https://example.com "and a title")',
        "<:pet_smile:123456789012345678>",
        "<a:pet_wave:123456789012345678>",
        "<@123456789012345678>",
        "<#123456789012345678>",
        "<t:1700000000:R>",
        "</memory forget:123456789012345678>",
        "`memory = recall(text)`",
        "``with a ` tick``",
    ]
)
LINK = re.compile(r"\[.*?\]\((?:\S*?\)\)|.*?\))|<.*?>|https://\S*parts|``.*?``|`.*?`")
WHOLE = ("word", "end.", "said", "line(", "example.com", "](", "123456789012345678>")
SHOWN = re.compile(r"```(?:[a-z+-]*\n)?(.*?)```", re.DOTALL)
BLOCKS = st.lists(st.one_of(SENTENCES, CODE, QUOTES, LINKS), min_size=1, max_size=8)


def bare(text: str) -> str:
    """The text without white space."""
    return re.sub(r"\s", "", text)


def units(text: str) -> int:
    """The length in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def holds(whole: str, text: str) -> bool:
    """Whether the characters of a text are all there, in order, between others."""
    characters = iter(whole)
    return all(character in characters for character in text)


@given(WORDS, st.integers(2, 60))
def test_nothing_is_lost_and_the_limit_holds(text: str, limit: int) -> None:
    """Whatever the text, the parts are its words in order, each within the limit, none empty."""
    parts = cut(text, limit)
    assert bare("".join(parts)) == bare(text)
    assert all(0 < units(part) <= limit for part in parts)
    assert all(part == part.strip() for part in parts)


@given(WORDS)
def test_what_fits_is_one_part(text: str) -> None:
    """A short reply is not cut at all."""
    assert cut(text, 400) == ([text.strip()] if text.strip() else [])


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=9), min_size=1), st.integers(20, 60))
def test_words_stay_whole_where_there_is_a_place_to_cut(words: list[str], limit: int) -> None:
    """White space within the second half of a part is always found."""
    parts = cut(" ".join(words), limit)
    assert " ".join(parts).split() == words


def test_the_best_place_is_taken() -> None:
    """A paragraph before a line, a line before a sentence, a sentence before a word."""
    assert cut("one two. three\nfour\n\nfive six", 22) == ["one two. three\nfour", "five six"]
    assert cut("one two. three\nfour five", 18) == ["one two. three", "four five"]
    assert cut("one two. three four", 14) == ["one two.", "three four"]
    assert cut("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


@pytest.mark.parametrize("call", ["@everyone", "@here", "@Everyone", "@channel", "@all", "@HERE"])
def test_nobody_is_called_in_mass(call: str) -> None:
    """The word is still read and the platform no longer sees a mention."""
    quiet = quiet_mentions(f"hello {call}, look")
    assert call not in quiet
    assert quiet.replace("\u200b", "") == f"hello {call}, look"


@pytest.mark.parametrize(
    "text", ["@alligator", "@channels", "all of you", "a@b.example", "@Léa", "<@42>", "@ everyone"]
)
def test_other_words_are_left_alone(text: str) -> None:
    """Only the mass mentions are touched."""
    assert quiet_mentions(text) == text


@given(st.integers(1, 40), st.text(alphabet="@everyonh \n", max_size=80))
def test_cutting_never_makes_a_mention_again(limit: int, text: str) -> None:
    """A part that begins after the zero-width space is a word and not a mention."""
    for part in cut(quiet_mentions(text), limit):
        assert not re.search(r"@(everyone|here)", part)


@pytest.mark.parametrize(
    "call",
    [
        "@hereafter",
        "me@everyone.example",
        "@\u202eeveryone",
        "@e\u202everyo\u2060ne",
        "@\u0300everyone",
        "@h\u00ade\x00re",
        "\uff20\uff45\uff56\uff45\uff52\uff59\uff4f\uff4e\uff45",
        "\ufe6bhere",
        "<@&123456789012345678>",
        "<@\u202e&123456789012345678>",
    ],
)
def test_what_a_platform_might_drop_hides_no_mention(call: str) -> None:
    """Discord drops characters before it looks; the mark stands right after the sign."""
    quiet = quiet_mentions(f"hello {call}")
    assert re.search("[@\uff20\ufe6b]\u200b", quiet)
    assert quiet.replace("\u200b", "") == f"hello {call}"


@given(st.one_of(HOSTILE, st.text(alphabet="@hHeEr\u200b\u202e", max_size=40)))
@example("@here @\u202ehere <@&1>")
def test_a_quiet_text_is_left_as_it_is(text: str) -> None:
    """Quieting twice adds nothing."""
    quiet = quiet_mentions(text)
    assert quiet_mentions(quiet) == quiet


@given(HOSTILE, st.integers(2, 120))
def test_a_hostile_text_keeps_the_limit_and_its_characters(text: str, limit: int) -> None:
    """Marks without sense neither break the limit nor lose a character, and the cutting ends."""
    parts = cut(text, limit)
    assert all(0 < units(part) <= limit for part in parts)
    assert holds("".join(parts), bare(text))


@given(HOSTILE, st.integers(SMALLEST_MARKED, 120))
def test_a_text_that_is_cut_has_its_fences_balanced(text: str, limit: int) -> None:
    """Whatever is left open by the author is closed where the text has to be cut."""
    parts = cut(text, limit)
    assert len(parts) < 2 or all(part.count(TICKS) % 2 == 0 for part in parts)


@given(BLOCKS, st.sampled_from(["\n", "\n\n"]), st.integers(SMALLEST_MARKED, 300))
def test_a_reply_of_blocks_is_cut_well(blocks: list[str], between: str, limit: int) -> None:
    """Sentences, code, quotes and links: the limit, every word, whole code and whole links."""
    text = between.join(blocks)
    parts = cut(text, limit)
    assert all(0 < units(part) <= limit for part in parts)
    assert holds("".join(parts), bare(text))
    assert all(part.count(TICKS) % 2 == 0 for part in parts)
    assert all(code.strip() for part in parts for code in SHOWN.findall(part))
    assert all("\n".join(parts).count(word) == text.count(word) for word in WHOLE)


@given(
    st.lists(st.one_of(LINKS, st.sampled_from(["a", "bbb bbb", "c" * 70, ", ", "\n", " "]))),
    st.integers(SMALLEST_MARKED, 120),
)
def test_links_stay_whole(pieces: list[str], limit: int) -> None:
    """A link, a mention, an emoji or short code is in one part, also where no space is near."""
    text = " ".join(pieces)
    whole = [piece for piece in pieces if piece[0] in "h<[`"]
    assert [link for part in cut(text, limit, MARKUP) for link in LINK.findall(part)] == whole


def test_what_a_platform_does_not_show_is_plain_text() -> None:
    """Neither code nor quotes are closed and opened again, and the tokens of others are cut."""
    plain = replace(MARKUP, blocks=False, tokens="")
    code = f"{TICKS}py\n{'x = 1 ' * 20}\n{TICKS}"
    assert "".join(cut(code, 70, plain)).count(TICKS) == 2
    assert cut(f"{'a' * 60} <@123456789012345678>", 70, plain)[1].startswith("<@123")
    assert len(cut("<@123456789012345678>", 10, plain)) == 3


def test_a_link_goes_to_the_next_part_rather_than_apart() -> None:
    """Without a space before it, the cut is at the link's beginning."""
    link = "https://example.com/" + "x" * 60
    assert cut(f"{'a' * 50}({link})", 100) == ["a" * 50 + "(", f"{link})"]


def test_a_link_that_is_too_long_is_cut() -> None:
    """The last resort: the limit holds and the parts are the link."""
    link = "https://example.com/" + "x" * 300
    parts = cut(f"see {link}", 100)
    assert "".join(parts) == f"see{link}"
    assert max(map(len, parts)) == 100


def test_the_words_of_a_link_that_is_too_long_stay_whole() -> None:
    """What cannot stay in one part is cut as any text."""
    text = f"[{'word ' * 30}end](https://example.com/)"
    parts = cut(text, 64)
    assert " ".join(parts) == text


def test_code_is_closed_and_opened_again() -> None:
    """Each part shows as code in its language, with the lines' indents."""
    lines = [f"    call({number:02})" for number in range(8)]
    text = "```python\n" + "\n".join(lines) + "\n```\ndone"
    assert cut(text, 72) == [
        "```python\n" + "\n".join(lines[:4]) + "\n```",
        "```python\n" + "\n".join(lines[4:]) + "\n```\ndone",
    ]


def test_code_left_open_is_closed_in_every_part() -> None:
    """An answer that stopped within its code still shows as code."""
    parts = cut("so:\n```py\n" + "x = 1\n" * 30, 80)
    assert all(part.count(TICKS) == 2 for part in parts)
    assert parts[-1].startswith("```py\n")
    assert parts[-1].endswith("\n```")


def test_code_left_open_keeps_the_limit_when_closed() -> None:
    """The last part has room for the mark that the author forgot."""
    for size in range(60, 200):
        parts = cut("```\n" + "x" * size, 70)
        assert all(len(part) <= 70 for part in parts)


def test_no_part_shows_an_empty_block() -> None:
    """Wherever the cut falls, it takes some of the code with it, before it and after it."""
    for size in range(140):
        parts = cut("a" * size + "```py\n" + "x" * 60 + "\n\n```" + "b" * 60, 70)
        shown = [code for part in parts for code in SHOWN.findall(part)]
        assert "".join(map(bare, shown)) == "x" * 60
        assert all(map(bare, shown))


def test_code_in_a_quote_stays_in_the_quote() -> None:
    """The lines that close and open it bear the quote's mark."""
    text = "> ```py\n" + "> x = 1\n" * 12 + "> ```"
    first, *_, last = cut(text, 70)
    assert first.endswith("\n> x = 1\n> ```")
    assert last.startswith("> ```py\n> x = 1\n")
    assert "> ```\n> ```" not in last


def test_a_quote_that_is_cut_goes_on_as_a_quote() -> None:
    """The mark of the line stands again in each part of it, and not after it."""
    parts = cut(f"> {'said ' * 30}so\nand I answer", 70)
    assert [part[:2] for part in parts] == ["> ", "> ", "> "]
    assert parts[-1].endswith("\nand I answer")
    assert cut(f"> {'said ' * 12}so\n{'word ' * 12}", 70)[1].startswith("word")


def test_a_cut_makes_no_quote_and_no_list() -> None:
    """A sign within a line does not become a mark at the beginning of a part."""
    assert cut("I know that three > two and so on", 18)[0] == "I know that"


@pytest.mark.parametrize("mark", [">", "-", "##", "12."])
def test_a_mark_is_not_left_alone(mark: str) -> None:
    """What begins a line stays with the word after it, however long."""
    assert cut(f"so\n{mark} {'a' * 100}", 70)[1].startswith(f"{mark} aaa")


def test_code_goes_to_the_next_part_when_its_beginning_is_near() -> None:
    """The end of the words before a block is a better place than a line in it."""
    code = "```\n" + "x\n" * 20 + "```"
    assert cut("a" * 50 + "\n" + code, 90) == ["a" * 50, code]


@pytest.mark.parametrize(
    "character",
    [
        "e\u0301\u0323",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f44d\U0001f3fd",
        "\U0001f1eb\U0001f1f7",
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "\u0915\u094d\u0937",
        "\u1112\u1161\u11ab",
        "\u0e19\u0e33",
        "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    ],
)
def test_a_character_of_several_code_points_stays_whole(character: str) -> None:
    """Accents, families, skin tones, flags, keycaps and conjuncts are not taken apart."""
    for limit in range(20, 30):
        parts = cut(character * 20, limit)
        assert {part.replace(character, "") for part in parts} == {""}


def test_a_sentence_written_without_spaces_is_found() -> None:
    """The full stop of Chinese and Japanese ends a part."""
    assert cut("今日は雨です。明日は晴れるでしょう。", 10) == [
        "今日は雨です。",
        "明日は晴れるでしょう。"[:10],
        "。",
    ]


def test_signs_of_french_stay_with_their_word() -> None:
    """A space that does not break is no place to cut."""
    assert cut("Tu viens ce soir\u00a0?", 17) == ["Tu viens ce", "soir\u00a0?"]


def test_a_name_that_is_called_is_not_shortened_to_another() -> None:
    """A cut after its first letters would call everybody where the platform knows `@all`."""
    for size in range(70):
        parts = cut("a" * size + "@alligator" + "b" * 30, 40)
        assert not any(part.endswith("@all") for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        "`" * 200_000,
        "a" * 50_000,
        "e" + "\u0301" * 50_000,
        "[" * 50_000,
        "[](" * 50_000,
        "<" * 50_000,
        "<:a" * 50_000,
        "@" * 50_000,
        "`` " * 50_000,
        "`a``" * 50_000,
        "> ```\n" * 30_000,
        "https://" * 25_000,
        " ." * 50_000,
        "a\n" * 50_000,
    ],
    ids=lambda text: f"{text[:3]!r}",
)
@pytest.mark.parametrize("limit", [2, 64, 2000])
def test_cutting_a_long_hostile_text_ends(text: str, limit: int) -> None:
    """No repetition makes the work grow faster than the text."""
    parts = cut(quiet_mentions(text), limit)
    assert all(0 < units(part) <= limit for part in parts)
    assert holds("".join(parts), bare(text))
