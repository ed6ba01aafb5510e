"""What the offline pet says, in French and in English."""

from dataclasses import dataclass
from zlib import crc32

from memory.language.text import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Everything the offline pet can say in one language.

    `{name}` is who it speaks to, `{what}` a memory, `{who}` who said it, `{age}` how long ago,
    `{when}` the same in parentheses, `{where}` in which room.
    """

    greetings: tuple[str, ...]
    thanks: tuple[str, ...]
    farewells: tuple[str, ...]
    agreed: tuple[str, ...]
    laughs: tuple[str, ...]
    fine: tuple[str, ...]
    listening: tuple[str, ...]
    noticed: tuple[str, ...]
    stored: str
    known_already: str
    not_stored: str
    said: str
    told_me: str
    remembered: str
    read_in_lobby: str
    unsure: str
    unknown: str
    search_failed: str
    about_you: str
    nothing_about_you: str
    lately: str
    nothing_lately: str
    my_goals: str
    no_goals: str
    forgotten: str
    not_forgotten: str
    nothing_to_forget: str
    which_to_forget: str
    what_to_forget: str
    would_forget: str
    go_on: str
    all_forgotten: str
    nothing_said: str
    unforgotten: str
    not_unforgotten: str
    not_confirmed: str
    who: str
    who_learned: str
    came_back: str
    said_there: str
    told_me_there: str
    exchanged: str
    forgotten_since: str
    nothing_came_back: str
    no_answer_yet: str
    in_private: str
    in_lobby: str
    in_room: str


FRENCH = Texts(
    greetings=("Salut {name} !", "Bonjour {name} !", "Coucou {name} !", "Hé, {name} !"),
    thanks=("Avec plaisir, {name}.", "De rien, {name} !", "Content de t'aider, {name}."),
    farewells=("À bientôt, {name} !", "À plus, {name} !", "Dors bien, {name}."),
    agreed=("D'accord.", "Ça marche.", "Très bien."),
    laughs=("Hé hé.", "Ha ha !", "Hi hi !"),
    fine=("Ça va bien, merci {name} !", "Tout va bien ici, {name}."),
    listening=(
        "Je t'écoute, {name}.",
        "Je vois, {name}.",
        "Ah oui ?",
        "Raconte-m'en plus, {name}.",
    ),
    noticed=("J'ai vu.", "Bien vu.", "Compris."),
    stored="C'est noté : {what}.",
    known_already="Je le savais déjà : {what}.",
    not_stored="Je n'ai pas pu le noter : {what}.",
    said="{who} l'a dit{age} : « {what} »",
    told_me="Tu me l'as dit{age} : « {what} »",
    remembered="Je me souviens de ceci{when} : « {what} »",
    read_in_lobby="{who}, dans le salon{when} : « {what} »",
    unsure="Je ne suis pas sûr, mais voici ce qui s'en approche.",
    unknown="Je ne sais pas : je n'en ai aucun souvenir.",
    search_failed="Je n'arrive pas à chercher dans ma mémoire pour le moment.",
    about_you="Voici ce que je sais de toi :",
    nothing_about_you="Je ne sais encore rien de toi, {name}.",
    lately="Voici ce dont je me souviens :",
    nothing_lately="Je n'ai rien retenu de récent.",
    my_goals="Voici ce que je voudrais :",
    no_goals="Je n'ai pas encore d'envie à moi.",
    forgotten="C'est oublié : {what}.",
    not_forgotten="Je n'ai pas pu l'oublier : {what}.",
    nothing_to_forget="Je n'ai rien retenu de tel.",
    which_to_forget="Plusieurs souvenirs y ressemblent, lequel dois-je oublier ?",
    what_to_forget="Dis-moi en une phrase ce que je dois oublier.",
    would_forget="J'oublierais : {what}.",
    go_on="Je continue ? Réponds oui pour que je l'oublie.",
    all_forgotten="C'est oublié : {what}. Pendant 24 heures, « annule l'oubli » le rend.",
    nothing_said="Je ne sais rien de tel de toi : il n'y a rien à oublier.",
    unforgotten="Tout est revenu.",
    not_unforgotten="Il n'y a rien à annuler.",
    not_confirmed="Je n'ai rien oublié : redemande-le-moi.",
    who="Je suis la version hors ligne : sans modèle de langage, je réponds de mémoire, en suivant"
    " des règles. Pour me donner un modèle, il faut renseigner ANTHROPIC_API_KEY.",
    who_learned="Ce que je sais de moi :",
    came_back="Voici ce qui m'était revenu pour cette réponse :",
    said_there="{who} l'a dit{where}{age} : « {what} »",
    told_me_there="Tu me l'as dit{where}{age} : « {what} »",
    exchanged="On en a parlé{where}{age} : « {what} »",
    forgotten_since="Ce qui m'était revenu pour cette réponse, je l'ai oublié depuis.",
    nothing_came_back="Rien ne m'était revenu de soi-même pour cette réponse. Ce que j'ai pu"
    " chercher pour la faire, je ne l'ai pas gardé.",
    no_answer_yet="Je ne t'ai rien répondu ici ces derniers temps.",
    in_private="en privé",
    in_lobby="dans le lobby",
    in_room="dans {room}",
)

ENGLISH = Texts(
    greetings=("Hi {name}!", "Hello {name}!", "Hey {name}!", "Good to see you, {name}!"),
    thanks=("You're welcome, {name}.", "Any time, {name}!", "Glad to help, {name}."),
    farewells=("See you soon, {name}!", "Bye, {name}!", "Sleep well, {name}."),
    agreed=("All right.", "Fine.", "Very well."),
    laughs=("Hee hee.", "Ha ha!", "Heh."),
    fine=("I'm fine, thanks {name}!", "All is well here, {name}."),
    listening=("I'm listening, {name}.", "I see, {name}.", "Oh, really?", "Tell me more, {name}."),
    noticed=("I saw that.", "Noticed.", "Understood."),
    stored="Noted: {what}.",
    known_already="I knew that already: {what}.",
    not_stored="I could not note this: {what}.",
    said="{who} said{age}: “{what}”",
    told_me="You told me{age}: “{what}”",
    remembered="I remember this{when}: “{what}”",
    read_in_lobby="{who} in the lobby{when}: “{what}”",
    unsure="I am not sure, but this comes close.",
    unknown="I don't know: I remember nothing about it.",
    search_failed="I cannot search my memory right now.",
    about_you="Here is what I know about you:",
    nothing_about_you="I know nothing about you yet, {name}.",
    lately="Here is what I remember:",
    nothing_lately="I remember nothing recent.",
    my_goals="Here is what I would like:",
    no_goals="I have no wish of my own yet.",
    forgotten="Forgotten: {what}.",
    not_forgotten="I could not forget this: {what}.",
    nothing_to_forget="I remember nothing of the kind.",
    which_to_forget="Several memories look like that. Which one should I forget?",
    what_to_forget="Tell me in one sentence what I should forget.",
    would_forget="I would forget: {what}.",
    go_on="Shall I go on? Answer yes and I forget it.",
    all_forgotten="Forgotten: {what}. For 24 hours, “undo the forgetting” gives it back.",
    nothing_said="I know nothing of the kind from you: there is nothing to forget.",
    unforgotten="It is all back.",
    not_unforgotten="There is nothing to undo.",
    not_confirmed="I have forgotten nothing: ask me again.",
    who="I am the offline version: without a language model I answer from memory, by rules. To give"
    " me a model, set ANTHROPIC_API_KEY.",
    who_learned="What I know about myself:",
    came_back="This is what had come back to me for that answer:",
    said_there="{who} said it{where}{age}: “{what}”",
    told_me_there="You told me{where}{age}: “{what}”",
    exchanged="We spoke of it{where}{age}: “{what}”",
    forgotten_since="What had come back to me for that answer I have forgotten since.",
    nothing_came_back="Nothing had come back to me by itself for that answer. What I may have"
    " looked up for it I have not kept.",
    no_answer_yet="I have not answered you here lately.",
    in_private="in private",
    in_lobby="in the lobby",
    in_room="in {room}",
)


def texts_in(language: Language) -> Texts:
    """The texts of a language."""
    return FRENCH if language == "fr" else ENGLISH


def one_of(choices: tuple[str, ...], seed: str, name: str) -> str:
    """One of the choices, always the same for the same words."""
    chosen = choices[crc32(seed.encode()) % len(choices)].format(name=name)
    return chosen if name else chosen.replace(" !", "!").replace(", .", ".").replace(" ,", "")
