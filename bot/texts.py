"""What the pet says without thinking, in both languages."""

_TEXTS = {
    "cannot_think": {
        "en": "I can't think straight right now. Ask me again in a little while?",
        "fr": "Je n'arrive pas à réfléchir, là. Tu me redemandes dans un petit moment ?",
    },
    "privacy_explained": {
        "en": "I read along in lobbies and learn from it. After /privacy off I leave out what you "
        "write there, after /privacy on I read it again. What you say to me I remember.",
        "fr": "Je lis dans les salons et j'en apprends. Après /privacy off je laisse ce que "
        "tu y écris, après /privacy on je le lis de nouveau. Ce que tu me dis, je le retiens.",
    },
    "unobserved": {
        "en": "Done: from now on I do not read what you write in lobbies, unless you speak to me.",
        "fr": "C'est fait : je ne lis plus ce que tu écris dans les salons, sauf si tu me parles.",
    },
    "observed": {
        "en": "Done: I read along again.",
        "fr": "C'est fait : je lis de nouveau.",
    },
    "command_failed": {
        "en": "Something went wrong with that command; what went wrong is in my log.",
        "fr": "Cette commande a mal tourné ; le pourquoi est dans mon journal.",
    },
    "admins_only": {
        "en": "Only the people who look after me can do that.",
        "fr": "Seules les personnes qui s'occupent de moi peuvent faire ça.",
    },
    "settings_explained": {
        "en": "/settings get shows all, /settings get NAME one, /settings set NAME VALUE changes "
        "it, /settings reset NAME takes it back to the settings file.",
        "fr": "/settings get montre tout, /settings get NOM un seul, /settings set NOM VALEUR le "
        "change, /settings reset NOM le remet comme dans le fichier de réglages.",
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
}


def say(text: str, locale: str, **values: object) -> str:
    """One of the texts in a language, with its values filled in."""
    return _TEXTS[text][locale].format(**values)
