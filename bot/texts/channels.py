"""What the local faces say to people, in French and English."""

from dataclasses import dataclass

from bot.model.turns import Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Every sentence of the page, the terminal and the start; what is in braces is filled in."""

    language: str
    hello: str
    welcome: str
    your_name: str
    enter: str
    name_taken: str
    change_name: str
    lobby: str
    private: str
    lobby_hint: str
    private_hint: str
    lobby_empty: str
    private_empty: str
    lobby_prompt: str
    private_prompt: str
    send: str
    keys: str
    writing: str
    newer: str
    reading: str
    too_long: str
    not_now: str
    not_sent: str
    not_here: str
    lost: str
    back: str
    terminal_welcome: str
    terminal_account: str
    terminal_linked: str
    terminal_bye: str
    waking: str
    awake: str
    awake_without_page: str
    finishing: str
    stopping: str
    asleep: str
    looks: dict[Expression, str]


ENGLISH = Texts(
    language="en",
    hello="Hello, I am {pet}",
    welcome="I live here, I listen, and I remember. What shall I call you?",
    your_name="Your name",
    enter="Come in",
    name_taken="That is my name! Choose another one.",
    change_name="Change your name, {name}",
    lobby="Lobby",
    private="Just us",
    lobby_hint="Everybody here reads this. Start with “{pet}, …” and I answer.",
    private_hint="Between you and me: other visitors do not see this.",
    lobby_empty="It is quiet. Say hello to whoever comes next.",
    private_empty="Tell me anything. I answer everything here.",
    lobby_prompt="Talk to everybody, or “{pet}, …”",
    private_prompt="Talk to {pet}",
    send="Send",
    keys="Enter sends, Shift+Enter starts a new line",
    writing="{name} is writing…",
    newer="New messages",
    reading="Messages",
    too_long="That is too long: a message has at most {limit} characters.",
    not_now="I am waking up or going to sleep. Try again in a moment.",
    not_sent="That did not go through. It is back in the box: try again.",
    not_here="This page is not served under that address.",
    lost="I cannot hear you any more.",
    back="Trying to find you again…",
    terminal_welcome="Talk to {pet}. Ctrl-D leaves.",
    terminal_account="You are “{name}” here (--as NAME chooses who). On the page you are another "
    "account, whatever its name: to be one person on both, enter /link here in private, and the "
    "code there.",
    terminal_linked="You are “{name}” here (--as NAME chooses who). These accounts are one person "
    "to {pet}: {accounts}.",
    terminal_bye="See you.",
    waking="{pet} is waking up…",
    awake="{pet} is awake: open {page} in a browser. Ctrl-C stops it.",
    awake_without_page="{pet} is awake, without a page: talk with eko chat. Ctrl-C stops it.",
    finishing="Finishing what is under way; Ctrl-C once more stops at once.",
    stopping="Stopping now; unfinished answers are given at the next start.",
    asleep="{pet} is asleep.",
    looks={
        Expression.NEUTRAL: "calm",
        Expression.HAPPY: "happy",
        Expression.CURIOUS: "curious",
        Expression.THINKING: "thoughtful",
        Expression.SURPRISED: "surprised",
        Expression.SAD: "sad",
        Expression.LOVE: "full of love",
        Expression.SLEEPY: "sleepy",
    },
)

FRENCH = Texts(
    language="fr",
    hello="Bonjour, moi c’est {pet}",
    welcome="Je vis ici, j’écoute et je me souviens. Comment dois-je t’appeler ?",
    your_name="Ton nom",
    enter="Entrer",
    name_taken="C’est mon nom ! Choisis-en un autre.",
    change_name="Changer de nom, {name}",
    lobby="Salon",
    private="Entre nous",
    lobby_hint="Tout le monde lit ici. Commence par « {pet}, … » et je réponds.",
    private_hint="Entre toi et moi : les autres visiteurs ne voient pas ceci.",
    lobby_empty="C’est calme. Dis bonjour au prochain qui passe.",
    private_empty="Raconte-moi ce que tu veux. Ici, je réponds à tout.",
    lobby_prompt="Parle à tout le monde, ou « {pet}, … »",
    private_prompt="Parle à {pet}",
    send="Envoyer",
    keys="Entrée envoie, Maj+Entrée va à la ligne",
    writing="{name} écrit…",
    newer="Nouveaux messages",
    reading="Messages",
    too_long="C’est trop long : un message a au plus {limit} caractères.",
    not_now="Je me réveille ou je m’endors. Réessaie dans un instant.",
    not_sent="Ce n’est pas passé. Ton message est revenu dans la case : réessaie.",
    not_here="Cette page n’est pas servie à cette adresse.",
    lost="Je ne t’entends plus.",
    back="J’essaie de te retrouver…",
    terminal_welcome="Parle à {pet}. Ctrl-D pour partir.",
    terminal_account="Ici tu es « {name} » (--as NOM choisit qui). Sur la page tu es un autre "
    "compte, quel que soit son nom : pour n’être qu’une personne sur les deux, tape /relier ici en "
    "privé, et le code là-bas.",
    terminal_linked="Ici tu es « {name} » (--as NOM choisit qui). Ces comptes sont une seule "
    "personne pour {pet} : {accounts}.",
    terminal_bye="À bientôt.",
    waking="{pet} se réveille…",
    awake="{pet} est réveillé : ouvre {page} dans un navigateur. Ctrl-C l’arrête.",
    awake_without_page="{pet} est réveillé, sans page : parle-lui par eko chat. Ctrl-C l’arrête.",
    finishing="Ce qui est en cours se termine ; un second Ctrl-C arrête tout de suite.",
    stopping="Arrêt immédiat ; les réponses inachevées viendront au prochain démarrage.",
    asleep="{pet} dort.",
    looks={
        Expression.NEUTRAL: "calme",
        Expression.HAPPY: "content",
        Expression.CURIOUS: "curieux",
        Expression.THINKING: "pensif",
        Expression.SURPRISED: "surpris",
        Expression.SAD: "triste",
        Expression.LOVE: "plein d’amour",
        Expression.SLEEPY: "endormi",
    },
)

_BY_LANGUAGE = {texts.language: texts for texts in (ENGLISH, FRENCH)}


def texts_for(locale: str) -> Texts:
    """The sentences of a locale such as `fr` or `fr_FR`; English when there are none."""
    return _BY_LANGUAGE.get(_language(locale), ENGLISH)


def texts_wanted(accept_language: str, default: str) -> Texts:
    """The sentences a browser asks for in its Accept-Language (RFC 9110, 12.5.4)."""
    ranges = sorted(map(_weighed, accept_language.split(",")), key=lambda pair: -pair[0])
    for weight, language in ranges:
        if weight > 0 and language in _BY_LANGUAGE:
            return _BY_LANGUAGE[language]
    return texts_for(default)


def _language(tag: str) -> str:
    return tag.strip().replace("_", "-").partition("-")[0].lower()


def _weighed(item: str) -> tuple[float, str]:
    """The weight and the language of one range; a weight that is no number counts as none."""
    tag, _, parameter = item.partition(";")
    key, _, value = parameter.strip().partition("=")
    if key.strip().lower() != "q":
        return 1.0, _language(tag)
    try:
        return float(value), _language(tag)
    except ValueError:
        return 0.0, _language(tag)
