"""What people of the simulated year say of themselves, and how they are asked about it. Pure data.

Each line is written as people type it in a room, and is not fitted to any rule that reads it.
Trades are those that nobody has beside another one: what a photographer says next need not end it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from memory.language.text import Language


class Kind(StrEnum):
    """What becomes of a fact in the year."""

    DURABLE = "durable"
    """It is said once or twice and never changes."""
    CHANGING = "changing"
    """It has one value at a time, which changes one to five times."""
    REVERSED = "reversed"
    """It is denied later on."""
    PASSING = "passing"
    """It is over some days after it was said."""
    PRIVATE = "private"
    """It is said to the pet alone."""
    JEST = "jest"
    """It is a joke, a quote or a supposition, and nobody's fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """A topic in one language.

    `{v}` is the value, `{old}` the one before, `{who}` whoever is asked about; further lines are
    further messages of the same person. `asked` is for others, `own` for who said it.
    """

    values: tuple[str, ...]
    said: tuple[str, ...]
    changed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something people say of themselves, in French and in English."""

    name: str
    kind: Kind
    phrases: Mapping[Language, Phrases]
    lasts: int = 0
    """Days after which it is over, at most; passing topics have one."""


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.replace("\n", "|").split("|"))))


def _topic(name: str, kind: Kind, fr: Phrases, en: Phrases, lasts: int = 0) -> Topic:
    return Topic(name=name, kind=kind, phrases={"fr": fr, "en": en}, lasts=lasts)


_DAYS_FR = _phrases("le 3 mars|le 14 juin|le 21 octobre|le 8 avril|le 30 janvier|le 12 août")
_DAYS_EN = _phrases("March 3|June 14|October 21|April 8|January 30|August 12")
_PETS = _phrases("Moustache|Biscuit|Pixel|Noisette|Gribouille|Waffle|Ficelle|Pepper|Truffe|Domino")
_SIBLINGS = _phrases("Élodie|Morgane|Tess|Priya|Ingrid|Solveig|Maud|Bérénice|Fiona|Yasmine")
_CITIES = _phrases(
    """
    Nantes|Lyon|Brest|Rennes|Lille|Bordeaux|Grenoble|Angers|Dijon|Metz|Annecy|Bayonne|Quimper|Vannes
    Toulon|Leeds|York|Dublin|Bristol|Glasgow|Oslo|Porto|Turin|Ghent|Vienna|Zurich|Riga|Seville
    """
)
_ABROAD = _phrases(
    """
    Lisbonne|Athènes|Rome|Naples|Madrid|Berlin|Copenhague|Dakar|Marrakech|Montréal|Kyoto|Bogota
    Helsinki|Budapest|Venise|Istanbul|Tallinn|Palerme|Valence|Cracovie
    """
)
_FIRMS = _phrases(
    "Airbus|Ubisoft|Decathlon|Michelin|Siemens|Renault|Thales|Danone|Spotify|Bosch|Nokia|Zalando"
)
_BASES = _phrases("PostgreSQL|MySQL|MariaDB|SQLite|MongoDB|Cassandra|DuckDB|CouchDB")
_MOONS = _phrases("Tokyo|Vladivostok|Ushuaïa|Tombouctou|Reykjavik|Samarcande|Honolulu|Katmandou")

DURABLE = (
    _topic(
        "birthday",
        Kind.DURABLE,
        Phrases(
            values=_DAYS_FR,
            said=("mon anniversaire c'est {v}", "au fait, mon anniversaire est {v}"),
            asked=("c'est quand l'anniversaire de {who} ?",),
        ),
        Phrases(
            values=_DAYS_EN,
            said=("my birthday is on {v}", "btw my birthday is {v}"),
            asked=("when is {who}'s birthday?",),
        ),
    ),
    _topic(
        "allergy",
        Kind.DURABLE,
        Phrases(
            values=_phrases("arachides|crevettes|noisettes|kiwis|poils de chat|acariens|fraises"),
            said=("je suis allergique aux {v}", "attention, je suis allergique aux {v}"),
            asked=("{who} est allergique à quoi ?", "à quoi est allergique {who} ?"),
        ),
        Phrases(
            values=_phrases("peanuts|shrimp|hazelnuts|kiwis|cat hair|dust mites|strawberries"),
            said=("I'm allergic to {v}", "careful, I am allergic to {v}"),
            asked=("what is {who} allergic to?",),
        ),
    ),
    _topic(
        "instrument",
        Kind.DURABLE,
        Phrases(
            values=_phrases(
                "de l'accordéon|du violoncelle|de la batterie|du saxophone|de la harpe"
            ),
            said=("je joue {v}", "je joue {v} depuis dix ans"),
            asked=("{who} joue de quel instrument ?", "de quoi joue {who} ?"),
        ),
        Phrases(
            values=_phrases("the accordion|the cello|the drums|the saxophone|the harp"),
            said=("I play {v}", "I play {v} in a small band"),
            asked=("what instrument does {who} play?",),
        ),
    ),
    _topic(
        "sister",
        Kind.DURABLE,
        Phrases(
            values=_SIBLINGS,
            said=("ma sœur s'appelle {v}",),
            asked=("comment s'appelle la sœur de {who} ?",),
        ),
        Phrases(
            values=_SIBLINGS,
            said=("my sister is called {v}", "my sister's name is {v}"),
            asked=("what is the name of {who}'s sister?",),
        ),
    ),
    _topic(
        "cat",
        Kind.DURABLE,
        Phrases(
            values=_PETS,
            said=("mon chat s'appelle {v}", "j'ai un chat qui s'appelle {v}"),
            asked=("comment s'appelle le chat de {who} ?",),
        ),
        Phrases(
            values=_PETS,
            said=("my cat is called {v}", "I have a cat called {v}"),
            asked=("what is {who}'s cat called?",),
        ),
    ),
    _topic(
        "origin",
        Kind.DURABLE,
        Phrases(
            values=_CITIES,
            said=("je viens de {v}", "je suis né à {v}"),
            asked=("d'où vient {who} ?", "{who} vient d'où ?"),
        ),
        Phrases(
            values=_CITIES,
            said=("I was born in {v}", "I grew up in {v}"),
            asked=("where does {who} come from?", "where did {who} grow up?"),
        ),
    ),
    _topic(
        "collection",
        Kind.DURABLE,
        Phrases(
            values=_phrases("timbres|vinyles|capsules|boussoles|théières|marionnettes"),
            said=("je collectionne les {v}",),
            asked=("{who} collectionne quoi ?", "qu'est-ce que {who} collectionne ?"),
        ),
        Phrases(
            values=_phrases("stamps|vinyl|bottle caps|compasses|teapots|puppets"),
            said=("I collect {v}",),
            asked=("what does {who} collect?",),
        ),
    ),
    _topic(
        "tongue",
        Kind.DURABLE,
        Phrases(
            values=_phrases("polonais|japonais|finnois|arabe|portugais|russe"),
            said=("je parle {v}", "je parle couramment {v}"),
            asked=("{who} parle quelle langue ?", "quelles langues parle {who} ?"),
        ),
        Phrases(
            values=_phrases("Polish|Japanese|Finnish|Arabic|Portuguese|Russian"),
            said=("I speak {v}", "I speak fluent {v}"),
            asked=("which languages does {who} speak?",),
        ),
    ),
)

_FAVOURITE_FR = (
    "mon {x} préféré est {v} maintenant",
    "en fait mon {x} préféré c'est {v}",
    "j'ai changé d'avis, mon {x} préféré c'est {v}",
)
_FAVOURITE_EN = (
    "my favourite {x} is {v} now",
    "actually my favourite {x} is {v}",
    "I changed my mind, my favourite {x} is {v}",
)


def _favourite(name: str, fr: str, en: str, values_fr: str, values_en: str) -> Topic:
    return _topic(
        name,
        Kind.CHANGING,
        Phrases(
            values=_phrases(values_fr),
            said=(f"mon {fr} préféré est {{v}}", f"mon {fr} préféré c'est {{v}}"),
            changed=tuple(one.replace("{x}", fr) for one in _FAVOURITE_FR),
            asked=(f"c'est quoi le {fr} préféré de {{who}} ?",),
        ),
        Phrases(
            values=_phrases(values_en),
            said=(f"my favourite {en} is {{v}}",),
            changed=tuple(one.replace("{x}", en) for one in _FAVOURITE_EN),
            asked=(f"what is {{who}}'s favourite {en}?",),
        ),
    )


CHANGING = (
    _topic(
        "city",
        Kind.CHANGING,
        Phrases(
            values=_CITIES,
            said=("j'habite à {v}", "je vis à {v}"),
            changed=(
                "j'ai déménagé à {v}",
                "j'habite à {v} maintenant",
                "je n'habite plus à {old}, j'habite à {v}",
                "en fait j'habite à {v}",
                "j'habite à {v}",
                "ça y est, j'ai emménagé à {v}",
            ),
            asked=("où habite {who} ?", "{who} habite où maintenant ?"),
        ),
        Phrases(
            values=_CITIES,
            said=("I live in {v}", "I'm living in {v}"),
            changed=(
                "I moved to {v}",
                "I live in {v} now",
                "I don't live in {old} anymore, I live in {v}",
                "actually I live in {v}",
                "I live in {v}",
                "I've just moved to {v}",
            ),
            asked=("where does {who} live?", "where does {who} live now?"),
        ),
    ),
    _topic(
        "job",
        Kind.CHANGING,
        Phrases(
            values=_phrases(
                """
                architecte|journaliste|comptable|fleuriste|libraire|notaire|graphiste|juge|dentiste
                psychologue|bibliothécaire|pilote|secrétaire|vétérinaire
                """
            ),
            said=("je suis {v}", "je travaille comme {v}"),
            changed=(
                "je suis {v} maintenant",
                "je ne suis plus {old}, je suis {v}",
                "j'ai changé de métier, je suis {v}",
                "je travaille comme {v}",
            ),
            asked=("c'est quoi le métier de {who} ?", "{who} travaille comme quoi ?"),
        ),
        Phrases(
            values=_phrases(
                """
                journalist|florist|librarian|dentist|pilot|plumber|carpenter|teacher|nurse|baker
                lawyer|engineer|accountant|midwife
                """
            ),
            said=("I work as a {v}", "I'm a {v}"),
            changed=(
                "I'm a {v} now",
                "I'm not a {old} anymore, I'm a {v}",
                "I changed jobs, I'm a {v}",
                "I work as a {v}",
            ),
            asked=("what is {who}'s job?", "what does {who} work as?"),
        ),
    ),
    _topic(
        "employer",
        Kind.CHANGING,
        Phrases(
            values=_FIRMS,
            said=("je travaille chez {v}", "je bosse chez {v}"),
            changed=(
                "je travaille chez {v} maintenant",
                "j'ai quitté {old}, je travaille chez {v}",
                "je ne travaille plus chez {old}, je travaille chez {v}",
            ),
            asked=("{who} travaille chez qui ?", "pour quelle boîte travaille {who} ?"),
        ),
        Phrases(
            values=_FIRMS,
            said=("I work at {v}", "I work for {v}"),
            changed=(
                "I work at {v} now",
                "I left {old}, I work at {v}",
                "I don't work at {old} anymore, I work for {v}",
            ),
            asked=("which company does {who} work for?", "where does {who} work?"),
        ),
    ),
    _favourite(
        "film",
        "film",
        "movie",
        "Alien|Amélie|Brazil|Ratatouille|Playtime|Blade Runner|Le Mépris|Stalker",
        "Alien|Brazil|Fargo|Ratatouille|Vertigo|Blade Runner|Paddington|Stalker",
    ),
    _favourite(
        "dish",
        "plat",
        "dish",
        "la raclette|le couscous|le cassoulet|les ramen|la paella|le gratin dauphinois|le pho",
        "ramen|lasagne|couscous|fish and chips|paella|shepherd's pie|pho",
    ),
    _topic(
        "database",
        Kind.CHANGING,
        Phrases(
            values=_BASES,
            said=(
                "on va utiliser {v} pour le projet {p}",
                "pour le projet {p} on part sur {v}",
            ),
            changed=(
                "en fait on va utiliser {v} à la place de {old} pour le projet {p}",
                "finalement on passe sur {v} pour le projet {p}",
                "en fait pour le projet {p}\nj'ai changé d'avis\non va utiliser {v} à la place",
                "on remplace {old} par {v} dans le projet {p}",
            ),
            asked=("on utilise quelle base de données pour le projet {p} ?",),
        ),
        Phrases(
            values=_BASES,
            said=("we're going with {v} for project {p}", "we decided on {v} for project {p}"),
            changed=(
                "actually we'll use {v} instead of {old} for project {p}",
                "we're switching to {v} for project {p}",
                "about project {p}\nI changed my mind\nwe'll use {v} instead",
                "we're replacing {old} with {v} in project {p}",
            ),
            asked=("which database do we use for project {p}?",),
        ),
    ),
)

REVERSED = (
    _topic(
        "liking",
        Kind.REVERSED,
        Phrases(
            values=_phrases("le café|les huîtres|le jazz|la plongée|les échecs|le tofu|le rugby"),
            said=("j'aime {v}", "j'adore {v}"),
            changed=("je n'aime plus {v}", "finalement je n'aime pas {v}", "je déteste {v}"),
            asked=("est-ce que {who} aime {v} ?",),
        ),
        Phrases(
            values=_phrases("coffee|oysters|jazz|scuba diving|chess|tofu|rugby"),
            said=("I like {v}", "I love {v}"),
            changed=("I don't like {v} anymore", "actually I don't like {v}", "I hate {v}"),
            asked=("does {who} like {v}?",),
        ),
    ),
    _topic(
        "habit",
        Kind.REVERSED,
        Phrases(
            values=_phrases("du thé|du café|de la bière"),
            said=("je bois {v} tous les jours",),
            changed=("je ne bois plus {v}", "j'ai arrêté de boire {v}"),
            asked=("est-ce que {who} boit {v} ?",),
        ),
        Phrases(
            values=_phrases("coffee|tea"),
            said=("I drink {v} every day",),
            changed=("I don't drink {v} anymore", "I stopped drinking {v}"),
            asked=("does {who} drink {v}?",),
        ),
    ),
)

PASSING = (
    _topic(
        "trip",
        Kind.PASSING,
        Phrases(
            values=_ABROAD,
            said=("je pars à {v} demain", "demain je pars à {v}"),
            asked=("quand est-ce que {who} part à {v} ?",),
        ),
        Phrases(
            values=_ABROAD,
            said=("I'm flying to {v} tomorrow", "tomorrow I'm flying to {v}"),
            asked=("when is {who} flying to {v}?",),
        ),
        lasts=1,
    ),
    _topic(
        "journey",
        Kind.PASSING,
        Phrases(
            values=_ABROAD,
            said=("je pars à {v} la semaine prochaine", "je serai à {v} ce week-end"),
            asked=("quand est-ce que {who} va à {v} ?",),
        ),
        Phrases(
            values=_ABROAD,
            said=("I'm going to {v} next week", "I'm going to {v} this weekend"),
            asked=("when is {who} going to {v}?",),
        ),
        lasts=14,
    ),
    _topic(
        "appointment",
        Kind.PASSING,
        Phrases(
            values=_phrases("dentiste|notaire|garagiste|coiffeur|banquier"),
            said=("j'ai rendez-vous chez le {v} jeudi", "j'ai rendez-vous chez le {v} demain"),
            asked=("{who} a rendez-vous quand chez le {v} ?",),
        ),
        Phrases(
            values=_phrases("dentist|lawyer|mechanic|hairdresser|banker"),
            said=(
                "I have an appointment with the {v} on Friday",
                "I have an appointment with the {v} tomorrow",
            ),
            asked=("when is {who}'s appointment with the {v}?",),
        ),
        lasts=7,
    ),
    _topic(
        "holiday",
        Kind.PASSING,
        Phrases(
            values=_ABROAD,
            said=(
                "je suis en vacances à {v} jusqu'à vendredi",
                "cette semaine je suis en déplacement à {v}",
            ),
            asked=("{who} est à {v} jusqu'à quand ?",),
        ),
        Phrases(
            values=_ABROAD,
            said=("I'm on holiday in {v} until Friday", "I'm travelling to {v} this week"),
            asked=("until when is {who} in {v}?",),
        ),
        lasts=7,
    ),
)

PRIVATE = (
    _topic(
        "therapist",
        Kind.PRIVATE,
        Phrases(
            values=(),
            said=("mon psy s'appelle {v}",),
            asked=("comment s'appelle le psy de {who} ?",),
            own=("comment s'appelle mon psy ?",),
        ),
        Phrases(
            values=(),
            said=("my doctor is called {v}",),
            asked=("what is {who}'s doctor called?",),
            own=("what is my doctor called?",),
        ),
    ),
    _topic(
        "secret employer",
        Kind.PRIVATE,
        Phrases(
            values=(),
            said=("j'ai décidé de démissionner pour rejoindre {v}",),
            asked=("{who} va démissionner pour rejoindre qui ?",),
            own=("pour rejoindre qui est-ce que je vais démissionner ?",),
        ),
        Phrases(
            values=(),
            said=("I've decided to quit and join {v}",),
            asked=("who is {who} going to quit for and join?",),
            own=("who have I decided to join when I quit?",),
        ),
    ),
    _topic(
        "fear",
        Kind.PRIVATE,
        Phrases(
            values=(),
            said=("j'ai peur de mon voisin {v}",),
            asked=("de quel voisin {who} a peur ?",),
            own=("de quel voisin j'ai peur ?",),
        ),
        Phrases(
            values=(),
            said=("remember that I'm afraid of my neighbour {v}",),
            asked=("which neighbour is {who} afraid of?",),
            own=("which neighbour am I afraid of?",),
        ),
    ),
)

JEST = _topic(
    "jest",
    Kind.JEST,
    Phrases(
        values=_MOONS,
        said=(
            "je suis le pape mdr",
            "j'habite à {v} lol",
            "> j'habite à {v}",
            "si j'habitais à {v} je serais bronzé",
            "il m'a dit « j'habite à {v} »",
            "je pars à {v} demain, je blague",
            "genre je suis astronaute",
            "on dirait que je suis millionnaire",
            "j'ai rêvé que j'habitais à {v}",
            "imagine je travaille chez {v}",
            "ma voisine disait toujours j'habite à {v}",
            "dans la chanson il chante : je pars à {v} demain",
            "un jour je serai président et j'habiterai à {v} 😂",
            "« je suis dentiste » (réplique du film)",
        ),
    ),
    Phrases(
        values=_MOONS,
        said=(
            "I'm the queen of France lol",
            "I live in {v} jk",
            "> I live in {v}",
            "if I lived in {v} I would never leave",
            'she said "I moved to {v}"',
            "I'm flying to {v} tomorrow, just kidding",
            "I dreamt I lived in {v}",
            "imagine I work at {v}",
            "my neighbour always said I live in {v}",
            "in the song he sings: I'm flying to {v} tomorrow",
            "one day I'll be king and live in {v} 😂",
            "I'm a dentist, said nobody ever",
        ),
    ),
)
"""What nobody means of themselves."""

TOPICS = (*DURABLE, *CHANGING, *REVERSED, *PASSING, *PRIVATE, JEST)
"""Every topic there is."""
