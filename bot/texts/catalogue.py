"""What the pet says without thinking, in both languages."""

from babel.numbers import format_decimal

from bot.texts.operator import KEEPER_TEXTS
from bot.texts.personal import PERSONAL_TEXTS

_TEXTS = {
    "cannot_think": {
        "en": "I can't think straight right now. Ask me again in a little while?",
        "fr": "Je n'arrive pas à réfléchir, là. Tu me redemandes dans un petit moment ?",
    },
    "privacy_explained": {
        "en": "I read along in lobbies and learn from it. After /privacy off I leave out what you "
        "write there, after /privacy on I read it again. What you say to me I remember.",
        "fr": "Je lis dans les salons et j'en apprends. Après /confidentialité off je laisse ce "
        "que tu y écris, après /confidentialité on je le lis de nouveau. Ce que tu me dis, je le "
        "retiens.",
    },
    "unobserved": {
        "en": "Done: from now on I do not read what you write in lobbies, unless you speak to me.",
        "fr": "C'est fait : je ne lis plus ce que tu écris dans les salons, sauf si tu me parles.",
    },
    "observed": {
        "en": "Done: I read along again.",
        "fr": "C'est fait : je lis de nouveau.",
    },
    "forget_explained": {
        "en": "/forget TOPIC shows what I would forget of what you said about it, and asks you "
        "first; /forget undo gives it back for 24 hours. /forget-me is for all of it.",
        "fr": "/oublier SUJET montre ce que j'oublierais de ce que tu en as dit, et te demande "
        "d'abord ; /oublier undo le rend pendant 24 heures. /oublie-moi, c'est pour tout.",
    },
    "would_forget": {
        "en": "I would forget: {counts}.",
        "fr": "J'oublierais : {counts}.",
    },
    "how_to_forget": {
        "en": "Confirm it within ten minutes.",
        "fr": "Confirme dans les dix minutes.",
    },
    "how_to_forget_me": {
        "en": "Confirm it within ten minutes. I also stop reading along.",
        "fr": "Confirme dans les dix minutes. J'arrête aussi de te lire.",
    },
    "forget_it": {"en": "Forget it", "fr": "Oublier"},
    "undo_it": {"en": "Undo", "fr": "Annuler"},
    "forgotten": {
        "en": "Forgotten: {counts}. For 24 hours it can be undone; then it is gone.",
        "fr": "Oublié : {counts}. Pendant 24 heures cela s'annule ; ensuite plus rien.",
    },
    "forgotten_more": {
        "en": "Forgotten: {counts}; {more} of the messages came in after I showed you. For 24 "
        "hours /forget undo gives it back; then it is gone.",
        "fr": "Oublié : {counts} ; {more} des messages sont arrivés après ce que je t'ai montré. "
        "Pendant 24 heures cela s'annule ; ensuite plus rien.",
    },
    "nothing_to_forget": {
        "en": "I know nothing of the kind from you: there is nothing to forget.",
        "fr": "Je ne sais rien de tel de toi : il n'y a rien à oublier.",
    },
    "keep_it": {"en": "Forget nothing", "fr": "Ne rien oublier"},
    "nothing_dropped": {
        "en": "There was nothing left to confirm.",
        "fr": "Il n'y avait plus rien à confirmer.",
    },
    "dropped": {"en": "I forget nothing, then.", "fr": "Alors je n'oublie rien."},
    "nothing_to_confirm": {
        "en": "There is nothing to confirm: ask again, then confirm it within ten minutes.",
        "fr": "Il n'y a rien à confirmer : redemande, puis confirme dans les dix minutes.",
    },
    "undone": {
        "en": "It is all back.",
        "fr": "Tout est revenu.",
    },
    "undone_but": {
        "en": "It is back, but for {changed} that changed since: these stay as they are now.",
        "fr": "C'est revenu, sauf {changed} qui ont changé depuis : ils restent comme ils sont.",
    },
    "nothing_to_undo": {
        "en": "There is nothing to undo: after 24 hours it is gone for good.",
        "fr": "Il n'y a rien à annuler : après 24 heures, c'est parti pour de bon.",
    },
    "greeting": {
        "en": "Hello, I'm {name}, a pet with a memory. I read along in the channels that I can "
        "see, and I keep what seems to matter about you and your world. What is said on this "
        "server stays among its members; what is said in a channel that not everybody sees "
        "stays in that channel.\n"
        "- Talk to me: my name, a mention or a reply.\n"
        "- Not to be read: `/privacy off`. To be forgotten: `/forget-me`.\n"
        "- Whoever manages the server chooses where I read: `/observe role` with `ignored` "
        "keeps me out of a channel, with `mention` I only hear what is said to me.",
        "fr": "Bonjour, je suis {name}, une petite bête qui a de la mémoire. Je lis dans les "
        "salons que je peux voir, et je garde ce qui semble compter pour vous et votre monde. "
        "Ce qui se dit sur ce serveur reste entre ses membres ; ce qui se dit dans un salon "
        "que tout le monde ne voit pas reste dans ce salon.\n"
        "- Pour me parler : mon nom, une mention ou une réponse.\n"
        "- Pour ne pas être lu : `/confidentialité off`. Pour être oublié : `/oublie-moi`.\n"
        "- Qui gère le serveur choisit où je lis : `/observe role` avec `ignored` me tient "
        "hors d'un salon, avec `mention` je n'entends que ce qu'on me dit.",
    },
    "command_failed": {
        "en": "Something went wrong with that command; what went wrong is in my log.",
        "fr": "Cette commande a mal tourné ; le pourquoi est dans mon journal.",
    },
    "usage": {"en": "Like this: {usage}", "fr": "Comme ceci : {usage}"},
    "wrong_value": {
        "en": "{option} can be: {choices}",
        "fr": "{option} peut être : {choices}",
    },
    "next": {"en": "{label}: {line}", "fr": "{label} : {line}"},
    "unknown_command": {
        "en": "I know no /{name}; /help says what you can ask me to do.",
        "fr": "Je ne connais pas /{name} ; /aide dit ce que tu peux me demander.",
    },
    "mistyped_command": {
        "en": "I know no /{name}. Do you mean /{meant}? /help says what there is.",
        "fr": "Je ne connais pas /{name}. Veux-tu dire /{meant} ? /aide dit ce qu'il y a.",
    },
    "nothing_offered": {
        "en": "There is nothing to decline any more.",
        "fr": "Il n'y a plus rien à refuser.",
    },
    "admins_only": {
        "en": "Only the people who look after me can do that. If you are one: name "
        "{account} under [admins] in my settings.",
        "fr": "Seules les personnes qui s'occupent de moi peuvent faire ça. Si tu en es : ajoute "
        "{account} à [admins] dans mes réglages.",
    },
    "managers_only": {
        "en": "Only the people who manage this community can do that: on Discord, those with the "
        "permission Manage Server.",
        "fr": "Seules les personnes qui gèrent cette communauté peuvent faire ça : sur Discord, "
        "celles qui ont la permission Gérer le serveur.",
    },
    "not_in_private": {
        "en": "Not in private: ask me in the community that it is about.",
        "fr": "Pas en privé : demande-le-moi dans la communauté dont il s'agit.",
    },
    "cancel_it": {"en": "Cancel", "fr": "Annuler"},
    "cancelled": {"en": "Nothing was done.", "fr": "Rien n'a été fait."},
    "pages_gone": {
        "en": "I no longer have these pages: ask again.",
        "fr": "Je n'ai plus ces pages : redemande.",
    },
    "button_gone": {
        "en": "I no longer know this button: ask again.",
        "fr": "Je ne connais plus ce bouton : redemande.",
    },
    "command_gone": {
        "en": "I no longer know this command.",
        "fr": "Je ne connais plus cette commande.",
    },
    "button_of_another": {
        "en": "This button belongs to somebody else.",
        "fr": "Ce bouton est à quelqu'un d'autre.",
    },
    "file_too_large": {
        "en": "The file has {size:.1f} MB; this platform takes {limit:.1f} MB at most.",
        "fr": "Le fichier fait {size:.1f} Mo ; cette plateforme en prend {limit:.1f} au plus.",
    },
    "setting": {"en": "{key} = {value}", "fr": "{key} = {value}"},
    "setting_changed": {
        "en": "{key} = {value} (set by {by}, {age}; by default {default})",
        "fr": "{key} = {value} (réglé par {by}, {age} ; {default} par défaut)",
    },
    "setting_refused": {"en": "{reason}", "fr": "Ça ne va pas : {reason}"},
    "digested": {
        "en": "I read {messages} messages and kept {facts} memories.",
        "fr": "J'ai lu {messages} messages et gardé {facts} souvenirs.",
    },
    "nothing_to_digest": {
        "en": "There is nothing new to read.",
        "fr": "Il n'y a rien de nouveau à lire.",
    },
    "digest_interrupted": {
        "en": "I had to stop early: {reason} What is left waits for the next time.",
        "fr": "J'ai dû m'arrêter avant la fin : {reason} Le reste attend la prochaine fois.",
    },
    **PERSONAL_TEXTS,
}


def say(text: str, locale: str, **values: object) -> str:
    """One of the texts in a language, with its values filled in."""
    return (_TEXTS.get(text) or KEEPER_TEXTS[text])[locale].format(**values)


def number(value: int, locale: str) -> str:
    """A whole number as it is written: "12,345", "12 345"."""
    return " ".join(str(format_decimal(value, locale=locale)).split())
