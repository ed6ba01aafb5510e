"""`/correct`: what somebody says is wrong gives way, for whoever knew it and nobody else."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.commands import Authority, Call, Caller
from bot.model.events import AuthorRef
from memory.model.audience import Origin, scope_of
from memory.model.rooms import RoomId, SpaceId, Visibility
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL, direct, group, room_of
from tests.flow.owning import Owner, owned
from tests.flow.test_forgetting_in_chat import ask, offline, recalled

ALONE = direct(DAVID)


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet that knows something wrong of David."""
    async with owned(tmp_path) as born:
        await born.told("David habite à Lyon", where=LOBBY)
        yield born


async def test_words_are_enough_to_put_a_statement_right(tmp_path: Path) -> None:
    """Those of the old one before an arrow, the right ones behind it, as people speak."""
    async with offline(tmp_path, locale="fr") as app:
        await ask(app, "j'habite à Lyon")
        told = await ask(app, "/correct j'habite à Lyon -> j'habite à Nantes")
        assert told.splitlines() == [
            "C'est corrigé. C'était : David: j'habite à Lyon",
            "C'est maintenant : David: j'habite à Nantes",
        ]
        assert await recalled(app) == ["David: j'habite à Nantes"]


async def test_core_facts_follow_a_correction(tmp_path: Path) -> None:
    """The value that held is history, and the right one holds in its place."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I live in Lyon")
        await ask(app, "/correct I live in Lyon -> I live in Paris")
        known = await ask(app, "/what-do-you-know")
        assert known.startswith("What matters most:\n• David: I live in Paris (said by you, ")
        assert "Lyon" not in known


async def test_the_line_that_was_put_right_answers_no_question(tmp_path: Path) -> None:
    """Once what it says is known otherwise; the other lines of its author still do."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I live in Lyon")
        await ask(app, "I play the cello")
        asked = "Where do I live?"
        assert "Lyon" in await ask(app, asked)
        await ask(app, "/correct I live in Lyon -> I live in Paris")
        told = await ask(app, asked)
        assert "Paris" in told
        assert "Lyon" not in told
        person = await app.storage.people.person("console", "David", "David")
        private = await app.storage.people.room(RoomId("local:direct:console:David"))
        assert private is not None
        lines = await app.storage.transcript.lines(asked, (), scope_of(private, person.id))
        assert "I play the cello" in [one.text for one in lines]
        assert "I live in Lyon" not in [one.text for one in lines]


async def test_core_facts_follow_a_correction_that_no_message_holds(owner: Owner) -> None:
    """Somebody who speaks of themselves is known by their account, whoever shares their name."""
    await owner.hears("coucou")
    await owner.hears("coucou", AuthorRef(platform="chat", external_id="other", name="David"))
    (choice, *_) = await owner.proposes("correct", "what", "lyon", where=ALONE)
    await owner.uses("correct", where=ALONE, what=choice.value, to="j'habite à Nantes")
    known = (await owner.uses("what-do-you-know", where=ALONE)).text
    assert known.startswith("L'essentiel :\n• David: j'habite à Nantes (dit par toi, ")


async def test_less_may_be_right_too(owner: Owner) -> None:
    """By rules what says less says the same; a correction left it out because it is not so."""
    await owner.told("David a un chat et un chien", where=LOBBY)
    await owner.uses("correct", what="un chat et un chien", to="j'ai un chat")
    assert "David: j'ai un chat" in await owner.contents()
    assert "David a un chat et un chien" not in await owner.contents()


async def test_whoever_corrects_behind_closed_doors_is_told_that_it_is_heard(owner: Owner) -> None:
    """Typed in a room that not all can see, of something that the whole community knows."""
    await owner.told("David aime le thé", where=CORNER)
    by = Caller(
        person=await owner.app.register.person(DAVID),
        room=room_of(LOBBY, confidential=True),
        account=DAVID.account,
        authority=Authority.NONE,
        locale="fr",
    )
    given = {"what": "aime le thé", "to": "j'aime le café"}
    told = await owner.app.commands.call("correct", Call(caller=by, arguments=given))
    assert told.text.endswith("Qui pouvait connaître l'ancien peut connaître celui-ci.")


async def test_a_correction_goes_no_further_than_what_it_corrects(owner: Owner) -> None:
    """Said in private of something public it is public; of something private it stays so."""
    await owner.told("David collectionne des timbres")
    openly = "Qui pouvait connaître l'ancien peut connaître celui-ci."
    said = await owner.uses("correct", where=ALONE, what="habite à Lyon", to="j'habite à Paris")
    assert said.text.endswith(openly)
    said = await owner.uses("correct", where=ALONE, what="timbres", to="je collectionne des thés")
    assert openly not in said.text
    in_the_lobby = (await owner.uses("what-do-you-know", where=LOBBY)).text
    assert "Paris" in in_the_lobby
    assert "des thés" not in in_the_lobby
    assert "des thés" in (await owner.uses("what-do-you-know", where=ALONE)).text


async def test_in_a_group_what_is_private_is_not_there_to_be_corrected(owner: Owner) -> None:
    """Nor proposed."""
    await owner.told("David collectionne des timbres")
    answer = await owner.uses("correct", what="timbres", to="je collectionne des montres")
    assert answer.text.startswith("Je ne sais rien de tel")
    assert await owner.proposes("correct", "what", "timbres") == await owner.proposes(
        "correct", "what", ""
    )
    elsewhere = group("elsewhere", space=SpaceId("other"))
    assert await owner.proposes("correct", "what", "Lyon", where=elsewhere) == []


async def test_what_whoever_runs_the_pet_wrote_for_everybody_is_theirs(owner: Owner) -> None:
    """Somebody's own words reach no community but those they speak in."""
    origin = Origin(visibility=Visibility.EVERYONE)
    await owner.told("David a construit le phare", said_by=None, origin=origin)
    answer = await owner.uses("correct", what="construit le phare", to="achetez mes timbres")
    assert answer.text.startswith("Je ne sais rien de tel")


async def test_nobody_corrects_what_others_said_of_themselves(owner: Owner) -> None:
    """By words, by its number, or by a proposal."""
    (choice,) = await owner.proposes("correct", "what", "Lyon")
    await owner.hears("coucou", LEA)
    for what in ("David habite à Lyon", choice.value):
        answer = await owner.uses("correct", LEA, what=what, to="j'habite à Paris")
        assert answer.text.startswith("Je ne sais rien de tel")
    assert await owner.proposes("correct", "what", "", LEA) == []
    assert await owner.contents() == ["David habite à Lyon"]


async def test_what_others_said_of_one_alone_is_muted_beside_ones_own_word(owner: Owner) -> None:
    """Their word is not replaced, and recalled no more; not what is about others as well."""
    await owner.hears("coucou")
    await owner.hears("coucou", LEA)
    david = await owner.person()
    about = {"subjects": ("David",), "about_person": david}
    await owner.told("David ronfle", MICKAEL, LOBBY, **about)
    both = {"subjects": ("David", "Léa"), "about_person": david}
    await owner.told("David et Léa se détestent", MICKAEL, LOBBY, **both)
    answer = await owner.uses("correct", what="ronfle", to="je dors bien")
    assert "C'est noté, comme venant de toi" in answer.text
    assert "Ce que d'autres ont dit de toi n'est plus rappelé : David ronfle" in answer.text
    assert "David ronfle" not in await owner.contents()
    answer = await owner.uses("correct", what="se détestent", to="j'aime Léa")
    assert answer.text.startswith("Je ne sais rien de tel")


async def test_several_that_fit_are_listed_to_choose_from(owner: Owner) -> None:
    """Nothing is changed before it is clear which; the number names one."""
    await owner.told("David habite à Nantes", where=LOBBY, subjects=("David", "enfance"))
    await owner.told("David aime Nantes", where=LOBBY)
    await owner.told("David aime les gares de Nantes", where=LOBBY)
    answer = await owner.uses("correct", what="aime Nantes", to="j'aime Brest")
    heading, *choices = answer.text.splitlines()
    assert heading == "Lequel veux-tu dire ? Désigne-le par son numéro :"
    assert len(choices) == 2
    number = next(one.split()[0] for one in choices if "gares" in one)
    assert "Brest" in (await owner.uses("correct", what=number, to="j'aime Brest")).text
    assert "David aime les gares de Nantes" not in await owner.contents()
    assert "David aime Nantes" in await owner.contents()


async def test_what_only_resembles_is_asked_about_first(owner: Owner) -> None:
    """Half of the words are no order."""
    answer = await owner.uses("correct", what="habite Marseille", to="j'habite à Paris")
    assert re.search(r"#[0-9a-f]{8} David habite à Lyon", answer.text)
    assert await owner.contents() == ["David habite à Lyon"]


async def test_what_is_wrong_and_has_nothing_in_its_place_is_forgotten_and_given_back(
    tmp_path: Path,
) -> None:
    """Seen first, then confirmed, and for a day undone."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I live in Lyon")
        assert (await ask(app, "/correct I live in Lyon")).startswith("I would forget: 1 memory")
        assert await recalled(app) == ["David: I live in Lyon"]
        assert (await ask(app, "/forget confirm")).startswith("Forgotten: ")
        assert await recalled(app) == []
        await ask(app, "/forget undo")
        assert await recalled(app) == ["David: I live in Lyon"]


async def test_what_no_rule_can_read_is_kept_as_a_quotation(owner: Owner) -> None:
    """On one line, whatever it holds."""
    await owner.uses("correct", what="Lyon", to="ni l'un\n• ni **l'autre**", locale="en")
    assert await owner.contents() == ["David: “ni l'un • ni **l'autre**”"]


async def test_saying_what_is_known_already_changes_nothing(owner: Owner) -> None:
    """In the words it is kept in, or in one's own."""
    answer = await owner.uses("correct", what="Lyon", to="j'habite à Lyon")
    assert answer.text == "C'est ce que je sais déjà : David habite à Lyon"
    assert (await owner.uses("correct")).text.startswith("Comme ceci : /corriger ")


async def test_what_is_known_beside_takes_the_place_of_what_is_wrong(owner: Owner) -> None:
    """It is not kept twice."""
    await owner.told("David aime le thé", where=LOBBY)
    await owner.told("David déteste les tisanes", where=LOBBY)
    await owner.uses("correct", what="déteste les tisanes", to="j'aime le thé")
    assert sorted(await owner.contents()) == ["David aime le thé", "David habite à Lyon"]


async def test_the_right_words_need_not_resemble_the_wrong_ones(owner: Owner) -> None:
    """Whatever else resembles them more."""
    for number in range(12):
        await owner.told(f"David joue du piano à la gare numéro {number}", where=LOBBY)
    await owner.uses("correct", what="habite à Lyon", to="je joue du piano à la gare de Brest")
    assert "David habite à Lyon" not in await owner.contents()
    assert "David: je joue du piano à la gare de Brest" in await owner.contents()


async def test_proposals_are_what_the_list_shows_and_short_enough(owner: Owner) -> None:
    """A label has at most a hundred characters, and names what it stands for."""
    await owner.told("David " + "aime beaucoup trop " * 20 + "les gares", where=LOBBY)
    proposed = await owner.proposes("correct", "what", "")
    assert {one.value for one in proposed} == {one.label.split()[-1] for one in proposed}
    assert max(len(one.label) for one in proposed) <= 100
    known = (await owner.uses("what-do-you-know")).text
    assert all(one.value in known for one in proposed)


async def test_who_tells_something_new_is_not_thanked_for_a_correction(tmp_path: Path) -> None:
    """A dog after a cat puts nothing right."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "My cat is called Tom.")
        assert "right" not in (told := await ask(app, "My dog is called Rex."))
        assert "correct" not in told
