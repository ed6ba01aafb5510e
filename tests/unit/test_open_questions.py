"""Questions without a subject are told from those that have one."""

from datetime import UTC, datetime
from time import thread_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.questions.open import OpenQuestion, open_question
from memory.language.questions.patterns import OpenKind
from tests.cast import NOON

ENOUGH_S = 2.0
"""Seconds of the processor: a rule that runs away takes hours."""

PARIS = ZoneInfo("Europe/Paris")


def read(text: str, *people: str) -> OpenQuestion | None:
    """What a text asks of a pet called Eko, on 17 January 2026."""
    return open_question(text, NOON, PARIS, people=people, pet=("Eko",))


@pytest.mark.parametrize(
    "text",
    [
        "où va David ?",
        "tu sais où est David ?",
        "David est où ?",
        "il part où David",
        "où est-ce que David va-t-il ?",
        "où David est-il parti ?",
        "où va David demain ?",
        "where is David going?",
        "where's David",
        "do you know where David is?",
        "where did David go to yesterday?",
    ],
)
def test_where_somebody_is_can_be_asked(text: str) -> None:
    """Its verb says nothing that could be searched for."""
    found = read(f"Eko, {text}", "David")
    assert found is not None
    assert found.kind is OpenKind.WHEREABOUTS
    assert found.names == ("David",)


@pytest.mark.parametrize(
    "text", ["où est le cinéma ?", "où est mon vélo ?", "where is the cinema?", "où vit David ?"]
)
def test_where_something_is_has_a_subject(text: str) -> None:
    """And who lives somewhere is asked by a word that memories have."""
    assert read(text, "David") is None


@pytest.mark.parametrize(
    "text",
    [
        "on a parlé de quoi ?",
        "on a parlé de quoi hier ?",
        "de quoi on parlait",
        "de quoi on parlait déjà ?",
        "quoi de neuf",
        "quoi de neuf aujourd'hui ?",
        "on parlait de koi",
        "ona parlé de quoi",
        "j'ai raté quoi ?",
        "jai raté koi",
        "g rate koi",
        "qu'est-ce que j'ai loupé ?",
        "keske jai loupé",
        "il s'est passé quoi hier soir ?",
        "qu'est-ce qui s'est passé ce week-end",
        "vous parliez de quoi",
        "de quoi vous parlez",
        "on s'est dit quoi la semaine dernière ?",
        "tu te souviens de notre dernière conversation ?",
        "on en était où ?",
        "fais-moi un résumé",
        "résume moi la conversation",
        "Eko, on a parlé de quoi ?",
        "salut eko, quoi de neuf ?",
        "du nouveau ?",
        "what did we talk about?",
        "what did we talk about yesterday?",
        "what were we talking about",
        "whats new",
        "what's new?",
        "anything new?",
        "what did I miss?",
        "wat did i miss",
        "did i miss anything while i was away?",
        "what happened last night?",
        "what have you guys been talking about",
        "catch me up",
        "recap please",
        "where were we?",
        "what's everyone talking about",
    ],
)
def test_questions_about_what_was_said_or_happened_are_open(text: str) -> None:
    """What was said, in chat spelling and with greetings around it."""
    found = read(text)
    assert found is not None
    assert (found.kind, found.names) == (OpenKind.TALK, ())


@pytest.mark.parametrize(
    "text",
    [
        "tu sais quoi sur moi ?",
        "tu c koi sur moi",
        "tu sais koi sur moi",
        "tu sé quoi sur moi",
        "qu'est-ce que tu sais de moi ?",
        "que sais-tu de moi",
        "keske tu sais sur moi",
        "tu te souviens de moi ?",
        "tu te souvien de moi",
        "qui je suis ?",
        "je suis qui ?",
        "ki je sui",
        "tu sais qui je suis ?",
        "tu me connais ?",
        "dis-moi ce que tu sais sur moi",
        "dis moi tout ce que tu sais sur moi stp",
        "t'as quoi sur moi ?",
        "tas retenu quoi sur moi",
        "what do you know about me?",
        "wdyk about me",
        "what do u know abt me",
        "who am I?",
        "do you remember me?",
        "do you know who i am",
        "tell me about myself",
        "tell me what you know about me",
        "what have you learned about me so far",
    ],
)
def test_questions_about_the_speaker_are_open(text: str) -> None:
    """Who asks is meant."""
    found = read(text)
    assert found is not None
    assert (found.kind, found.names) == (OpenKind.SPEAKER, ())


@pytest.mark.parametrize(
    "text",
    [
        "tu sais faire quoi ?",
        "tu peux faire quoi",
        "tu c faire koi",
        "qu'est-ce que tu sais faire ?",
        "t'es qui ?",
        "tes qui toi",
        "t ki",
        "qui es-tu ?",
        "c'est quoi tes buts",
        "c'est quoi tes limites ?",
        "parle-moi de toi",
        "tu sers à quoi",
        "who are you?",
        "who r u",
        "what can you do?",
        "what are your goals?",
        "tell me about yourself",
        "what's your name?",
        "what do you like?",
        "t'as des rêves ?",
        "comment tu t'appelles ?",
        "tu t'appelles comment",
    ],
)
def test_questions_about_the_pet_are_open(text: str) -> None:
    """The pet is meant."""
    found = read(text)
    assert found is not None
    assert (found.kind, found.names) == (OpenKind.PET, ())


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("parle-moi de Mickael", OpenKind.PERSON, ("Mickael",)),
        ("parle moi de Mickael stp", OpenKind.PERSON, ("Mickael",)),
        ("tu sais quoi sur Mickael ?", OpenKind.PERSON, ("Mickael",)),
        ("c'est qui Mickael ?", OpenKind.PERSON, ("Mickael",)),
        ("c ki mickael", OpenKind.PERSON, ("Mickael",)),
        ("cest qui mickael deja", OpenKind.PERSON, ("Mickael",)),
        ("qui est Mickael", OpenKind.PERSON, ("Mickael",)),
        ("Mickael c'est qui ?", OpenKind.PERSON, ("Mickael",)),
        ("what do you know about Mickael?", OpenKind.PERSON, ("Mickael",)),
        ("who is Mickael?", OpenKind.PERSON, ("Mickael",)),
        ("whos mickael", OpenKind.PERSON, ("Mickael",)),
        ("who's Mickael again?", OpenKind.PERSON, ("Mickael",)),
        ("tell me about Mickael", OpenKind.PERSON, ("Mickael",)),
        ("parle-moi un peu de Jean Dupont", OpenKind.PERSON, ("Jean Dupont",)),
        ("tu connais Léa ?", OpenKind.PERSON, ("Léa",)),
        ("que devient Léa", OpenKind.PERSON, ("Léa",)),
        ("des nouvelles de Léa ?", OpenKind.PERSON, ("Léa",)),
        ("do you know Léa?", OpenKind.PERSON, ("Léa",)),
        ("quoi de neuf chez David ?", OpenKind.PERSON, ("David",)),
        ("what's new with David?", OpenKind.PERSON, ("David",)),
        ("what has David been up to lately", OpenKind.PERSON, ("David",)),
        ("parle-moi de Mickael et Léa", OpenKind.PERSON, ("Mickael", "Léa")),
        ("David a dit quoi hier ?", OpenKind.TALK, ("David",)),
        ("qu'est-ce que David a dit hier", OpenKind.TALK, ("David",)),
        ("what did David say yesterday?", OpenKind.TALK, ("David",)),
        ("on a parlé de quoi avec David ?", OpenKind.TALK, ("David",)),
    ],
)
def test_questions_about_somebody_name_them(
    text: str, kind: OpenKind, names: tuple[str, ...]
) -> None:
    """As they are known, or as they were written."""
    found = read(text, "Mickael")
    assert found is not None
    assert (found.kind, found.names) == (kind, names)


@pytest.mark.parametrize(
    "text",
    [
        "de quoi parle ce livre ?",
        "de quoi parle le film Dune",
        "ça parle de quoi Dune ?",
        "tu sais quoi ?",
        "tu sais koi",
        "tu sais quoi sur Postgres et ses index ?",
        "tu sais quoi sur les chats ?",
        "parle-moi de la Grèce antique",
        "parle moi de ton créateur",
        "parle moi de mes vacances",
        "parle-moi des volcans",
        "parle moi du projet",
        "c'est qui le chef ?",
        "c'est qui lui",
        "c'est qui ce type",
        "c'est qui qui a mangé le gâteau",
        "qui est le président ?",
        "qui est là ?",
        "qui est dispo ce soir ?",
        "qui est en vacances ?",
        "tu connais un bon resto ?",
        "tu connais la réponse ?",
        "tu te souviens de mon chat ?",
        "tu te souviens de la recette ?",
        "c'est quoi le plan ?",
        "c'est quoi un embedding",
        "c'est quoi mon plat préféré ?",
        "quoi de neuf dans Python 3.13 ?",
        "on a parlé de quoi comme langage pour le projet",
        "on a parlé de Rust hier",
        "on a dit quoi pour le resto ?",
        "j'ai raté mon examen",
        "j'ai raté le bus hier",
        "il s'est passé quoi avec le serveur ?",
        "où est-ce que je vis ?",
        "tu sais faire des crêpes ?",
        "tu peux m'aider à coder ?",
        "quels sont tes films préférés",
        "David aime quoi ?",
        "David a mangé quoi hier ?",
        "qu'est-ce que David a acheté ?",
        "qui a parlé de Rust ?",
        "résume ce texte : il était une fois",
        "salut",
        "ça va ?",
        "on en parle demain ?",
        "what do you know about Postgres indexes",
        "what do you know about databases?",
        "what do you know about the war",
        "what's new in Python 3.13?",
        "what did we decide about the budget?",
        "what did we talk about regarding the budget",
        "what did I say about my cat?",
        "what did David buy yesterday?",
        "what did you say?",
        "who is the president of France?",
        "who is online?",
        "who is right",
        "who is coming tonight?",
        "who's there",
        "who is playing",
        "who wrote this?",
        "who is my dentist?",
        "tell me about black holes",
        "tell me about the project",
        "tell me about my cat",
        "tell me a joke",
        "do you know what time it is?",
        "do you know Python well enough to help",
        "do you remember my birthday?",
        "do you remember the recipe?",
        "what happened to the server?",
        "what can you do about the noise",
        "what are your favourite films?",
        "what is your opinion on Rust",
        "what are you doing?",
        "what am I allergic to?",
        "where do I live?",
        "did I miss the bus?",
        "I missed you",
        "what is going on with the build",
        "you know what",
        "about time",
        "remember the milk",
        "describe the painting",
        "anything new in the fridge",
        "hello",
        "lol",
        "ok",
        "?",
        "on est où ?",
        "Je suis qui je suis et j'aime ça",
        "",
        "???",
        "👋",
        "who is hungry?",
        "qui est malade ?",
        "WHO IS RIGHT?",
        "tell me about DVD",
        "QUI EST MALADE",
        "c'est qui chaud ?",
        "on était où hier ?",
        "parle plus fort",
        "raconte une blague",
        "what do you want for dinner",
    ],
)
def test_questions_with_a_subject_are_not_open(text: str) -> None:
    """What they ask for can be looked up by its words and its meaning."""
    assert read(text, "Mickael", "David") is None


@pytest.mark.parametrize(
    ("text", "people", "names"),
    [
        ("wdyk about jean-luc", ("Jean-Luc",), ("Jean-Luc",)),
        ("parle moi de lea", ("Léa",), ("Léa",)),
        ("PARLE MOI DE LEA", ("Léa",), ("Léa",)),
        ("who is dev", ("dev",), ("dev",)),
        ("tell me about @dev", (), ("dev",)),
        ("parle-moi d'Alex et de Léa", ("Alex",), None),
        ("parle-moi d'Alex et Léa", (), ("Alex", "Léa")),
        ("parle moi de lea", (), None),
        ("wdyk about jean", (), None),
    ],
)
def test_a_known_name_needs_no_capital(
    text: str, people: tuple[str, ...], names: tuple[str, ...] | None
) -> None:
    """An unknown one does."""
    found = read(text, *people)
    assert (None if found is None else found.names) == names


@pytest.mark.parametrize(
    "text",
    ["on a parlé de quoi hier ?", "hier on a dit quoi ?", "what did we talk about yesterday"],
)
def test_the_period_of_a_question_comes_with_it(text: str) -> None:
    """Wherever it stands in the sentence."""
    found = read(text)
    assert found is not None
    (period,) = found.periods
    assert period.start == datetime(2026, 1, 15, 23, tzinfo=UTC)
    assert period.end == datetime(2026, 1, 16, 23, tzinfo=UTC)


def test_two_periods_are_both_asked_about() -> None:
    """Yesterday and last week."""
    found = read("on a parlé de quoi hier et la semaine dernière ?")
    assert found is not None
    assert len(found.periods) == 2


@given(st.text(max_size=170))
def test_any_text_is_read(text: str) -> None:
    """Whatever somebody types, it is open or it is not."""
    assert read(text) is None or isinstance(read(text), OpenQuestion)


@pytest.mark.parametrize(
    "text", ["what is " * 19, "parle moi de " * 12, "qui est " * 19, "a " * 79, "x" * 100_000]
)
def test_hostile_texts_take_no_time(text: str) -> None:
    """Every message is read so before its turn."""
    started = thread_time()
    assert read(text) is None
    assert thread_time() - started < ENOUGH_S
