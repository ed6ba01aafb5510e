"""What the pet says about what it keeps of whoever asks, in both languages."""

PERSONAL_TEXTS = {
    # What is known of somebody.
    "known_core": {"en": "What matters most:", "fr": "L'essentiel :"},
    "known_statements": {
        "en": "What you said, or others said about you:",
        "fr": "Ce que tu as dit, ou que d'autres ont dit de toi :",
    },
    "known_summaries": {"en": "What we talked about:", "fr": "Ce dont nous avons parlé :"},
    "known_line": {"en": "• {content} ({notes}) {id}", "fr": "• {content} ({notes}) {id}"},
    "known_summary": {"en": "• {content} ({notes})", "fr": "• {content} ({notes})"},
    "known_more": {
        "en": "There is more: /what-do-you-know ABOUT looks for it.",
        "fr": "Il y en a d'autres : /que-sais-tu SUJET les cherche.",
    },
    "known_nothing": {
        "en": "I know nothing about you that may be said here.",
        "fr": "Je ne sais rien de toi qui puisse se dire ici.",
    },
    "known_nothing_about": {
        "en": "I know nothing of the kind about you that may be said here.",
        "fr": "Je ne sais rien de tel sur toi qui puisse se dire ici.",
    },
    "known_figures": {
        "en": "I keep your messages ({messages}) and our exchanges ({exchanges}).",
        "fr": "Je garde tes messages ({messages}) et nos échanges ({exchanges}).",
    },
    "known_observed": {
        "en": "I read what you write in lobbies; /privacy off ends that.",
        "fr": "Je lis ce que tu écris dans les salons ; /confidentialité off y met fin.",
    },
    "known_unobserved": {
        "en": "I do not read what you write in lobbies.",
        "fr": "Je ne lis pas ce que tu écris dans les salons.",
    },
    "known_accounts": {"en": "Your accounts: {accounts}.", "fr": "Tes comptes : {accounts}."},
    "known_in_private": {
        "en": "There may be more that is only between us: ask me in private.",
        "fr": "Il peut y en avoir d'autres qui restent entre nous : demande-moi en privé.",
    },
    "known_what_next": {
        "en": "/correct OLD WORDS -> RIGHT WORDS puts one right, /forget TOPIC forgets.",
        "fr": "/corriger ANCIENS MOTS -> BONS MOTS rectifie, /oublier SUJET oublie.",
    },
    # Where something comes from.
    "said_by": {"en": "said by {name}", "fr": "dit par {name}"},
    "said_by_you": {"en": "said by you", "fr": "dit par toi"},
    "between_us": {"en": "between {name} and me", "fr": "entre {name} et moi"},
    "in_private": {"en": "in private", "fr": "en privé"},
    "in_room": {"en": "in {room}", "fr": "dans {room}"},
    "edited_since": {"en": "edited since", "fr": "modifié depuis"},
    # Why the pet said something.
    "why_nothing_said": {
        "en": "I have not answered you here yet.",
        "fr": "Je ne t'ai pas encore répondu ici.",
    },
    "why_because": {
        "en": "When I answered you “{reply}”, this came back to me:",
        "fr": "Quand je t'ai répondu « {reply} », ceci m'est revenu :",
    },
    "why_nothing": {
        "en": "When I answered you “{reply}”, nothing came back to me that you may see here: I "
        "went by what we had just said, and by what I looked up myself, if I did.",
        "fr": "Quand je t'ai répondu « {reply} », rien ne m'est revenu que tu puisses voir ici : "
        "je m'en suis tenu à ce que nous venions de dire, et à mes recherches si j'en ai fait.",
    },
    "why_line": {"en": "• {content} ({notes})", "fr": "• {content} ({notes})"},
    "why_gone": {
        "en": "What is forgotten or no longer so since: {gone}.",
        "fr": "Ce qui depuis est oublié ou n'est plus vrai : {gone}.",
    },
    # Correcting.
    "correct_explained": {
        "en": "Like this: /correct I live in Lyon -> I live in Paris. Without an arrow I forget "
        "it. /what-do-you-know shows what there is.",
        "fr": "Comme ceci : /corriger j'habite à Lyon -> j'habite à Paris. Sans flèche, je "
        "l'oublie. /que-sais-tu montre ce qu'il y a.",
    },
    "correct_unknown": {
        "en": "I know nothing of the kind from you or about you alone.",
        "fr": "Je ne sais rien de tel de toi, ni sur toi seul.",
    },
    "correct_which": {
        "en": "Which one do you mean? Name it by its number:",
        "fr": "Lequel veux-tu dire ? Désigne-le par son numéro :",
    },
    "correct_choice": {"en": "{id} {content}", "fr": "{id} {content}"},
    "quoted": {"en": "{name}: “{words}”", "fr": "{name} : « {words} »"},
    "corrected": {
        "en": "Corrected. It was: {old}\nIt is now: {new}",
        "fr": "C'est corrigé. C'était : {old}\nC'est maintenant : {new}",
    },
    "corrected_openly": {
        "en": "Whoever could know the old one can know this one.",
        "fr": "Qui pouvait connaître l'ancien peut connaître celui-ci.",
    },
    "correct_same": {
        "en": "That is what I know already: {content}",
        "fr": "C'est ce que je sais déjà : {content}",
    },
    # Exporting.
    "export_in_private": {
        "en": "What I keep of you is for you alone: ask me in private.",
        "fr": "Ce que je garde de toi ne regarde que toi : demande-moi en privé.",
    },
    "exported": {
        "en": "Here is what I keep of you and may give here: {entries} entries.",
        "fr": "Voici ce que je garde de toi et peux te donner ici : {entries} éléments.",
    },
    "exported_to": {
        "en": "What I keep of you, {entries} entries, is in {path}. Remove it when you are done: "
        "I forget nothing in there.",
        "fr": "Ce que je garde de toi, {entries} éléments, est dans {path}. Supprime-le quand tu "
        "as fini : je n'y oublie rien.",
    },
    "export_partial": {
        "en": "That is as much as fits here. Whoever runs me can give you all of it: "
        "eko export --person {person}",
        "fr": "Voilà ce qui tient ici. La personne qui me fait tourner peut te donner le tout : "
        "eko export --person {person}",
    },
    "export_too_large": {
        "en": "What I keep of you is too large for a file here. Whoever runs me can give it to "
        "you: eko export --person {person}",
        "fr": "Ce que je garde de toi est trop gros pour un fichier ici. La personne qui me fait "
        "tourner peut te le donner : eko export --person {person}",
    },
    "export_refused": {
        "en": "The file could not be written; why is in my log.",
        "fr": "Le fichier n'a pas pu être écrit ; le pourquoi est dans mon journal.",
    },
    # Linking accounts.
    "link_in_private": {
        "en": "A code is for you alone: ask me in private.",
        "fr": "Un code ne regarde que toi : demande-moi en privé.",
    },
    "link_shown": {
        "en": "Others have seen that code, so it is void now. Take a new one in private.",
        "fr": "D'autres ont vu ce code, il ne vaut donc plus rien. Prends-en un nouveau en privé.",
    },
    "link_code": {
        "en": "Your code: {code}\nWithin ten minutes, write me in private from your other "
        "account: /link {code}\nThat account then becomes part of this one. Show it to nobody.",
        "fr": "Ton code : {code}\nDans les dix minutes, écris-moi en privé depuis ton autre "
        "compte : /relier {code}\nCet autre compte fera alors partie de celui-ci. Ne le montre "
        "à personne.",
    },
    "link_preview": {
        "en": "{joining} would become one person with {staying}. What I keep of it goes along: "
        "{counts}. What either told me in private, both can hear then: go on only if both accounts "
        "are your own. This cannot be undone.",
        "fr": "{joining} ne ferait plus qu'une personne avec {staying}. Ce que j'en garde suit : "
        "{counts}. Ce que l'un m'a dit en privé, l'autre pourra l'entendre : ne continue que si "
        "les deux comptes sont à toi. Cela ne s'annule pas.",
    },
    "link_it": {"en": "Join them", "fr": "Les réunir"},
    "linked": {
        "en": "Done: {accounts} are one person to me now.",
        "fr": "C'est fait : {accounts} ne font plus qu'une personne pour moi.",
    },
    "link_unknown": {
        "en": "I do not know this code, or it is older than ten minutes: ask for another.",
        "fr": "Je ne connais pas ce code, ou il a plus de dix minutes : demandes-en un autre.",
    },
    "link_own": {
        "en": "This code is your own: enter it on your other account.",
        "fr": "Ce code est le tien : entre-le sur ton autre compte.",
    },
    "link_too_many": {
        "en": "Too many wrong codes: try again in ten minutes.",
        "fr": "Trop de codes faux : réessaie dans dix minutes.",
    },
    "link_nothing": {"en": "nothing yet", "fr": "rien encore"},
    "moved_messages": {"en": "messages: {count}", "fr": "messages : {count}"},
    "moved_exchanges": {"en": "exchanges: {count}", "fr": "échanges : {count}"},
    "moved_statements": {"en": "memories: {count}", "fr": "souvenirs : {count}"},
    "moved_facts": {"en": "core facts: {count}", "fr": "faits marquants : {count}"},
}
"""Each text in every language, by topic."""
