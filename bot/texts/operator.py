"""What the pet says to those who look after it or manage a community, in both languages."""

from collections.abc import Mapping

KEEPER_TEXTS: Mapping[str, Mapping[str, str]] = {
    "digest_by_hand": {
        "en": "None is planned: only /digest now makes one.",
        "fr": "Aucun n'est prévu : seul /digest now en fait un.",
    },
    "digest_last": {"en": "Last digest: {age}.", "fr": "Dernier digest : {age}."},
    "digest_live": {
        "en": "Waiting in all: {waiting}; set aside: {aside}.",
        "fr": "En attente en tout : {waiting} ; mis de côté : {aside}.",
    },
    "digest_live_here": {
        "en": "Waiting here: {waiting} messages; set aside after failures: {aside}.",
        "fr": "En attente ici : {waiting} messages ; mis de côté après des échecs : {aside}.",
    },
    "digest_never": {"en": "There was no digest yet.", "fr": "Il n'y a pas encore eu de digest."},
    "digest_next": {"en": "Next one: {day}, {time}.", "fr": "Prochain : {day}, {time}."},
    "digest_read": {
        "en": "It read {messages} messages and kept {facts} memories.",
        "fr": "Il a lu {messages} messages et gardé {facts} souvenirs.",
    },
    "forget_room": {"en": "Forget what was said there", "fr": "Oublier ce qui y a été dit"},
    "goals_empty": {
        "en": "There is nothing that I want yet.",
        "fr": "Il n'y a encore rien que je veuille.",
    },
    "kind_capability": {"en": "what I can do", "fr": "ce que je sais faire"},
    "kind_capability_request": {"en": "what I would like to be able to", "fr": "à savoir faire"},
    "kind_connection": {"en": "whom I would like to know better", "fr": "qui mieux connaître"},
    "kind_context": {"en": "what I live in", "fr": "ce dans quoi je vis"},
    "kind_decision": {"en": "decision", "fr": "décision"},
    "kind_event": {"en": "event", "fr": "évènement"},
    "kind_fact": {"en": "fact", "fr": "fait"},
    "kind_goal": {"en": "goal", "fr": "objectif"},
    "kind_identity": {"en": "identity", "fr": "identité"},
    "kind_limitation": {"en": "what I cannot do", "fr": "ce que je ne sais pas faire"},
    "kind_observation": {"en": "observation", "fr": "observation"},
    "kind_preference": {"en": "preference", "fr": "préférence"},
    "kind_relation": {"en": "whom I am close to", "fr": "de qui je suis proche"},
    "kind_todo": {"en": "to do", "fr": "à faire"},
    "kind_understanding": {"en": "what I would like to understand", "fr": "à comprendre"},
    "memory_about": {"en": "about: {value}", "fr": "au sujet de : {value}"},
    "memory_expires": {"en": "until: {value}", "fr": "jusqu'au : {value}"},
    "memory_history": {
        "en": "before or after it: {id} • {content} ({age})",
        "fr": "avant ou après lui : {id} • {content} ({age})",
    },
    "memory_importance": {"en": "importance: {value}", "fr": "importance : {value}"},
    "memory_kind": {"en": "kind: {value}", "fr": "nature : {value}"},
    "memory_none_found": {
        "en": "I remember nothing of the kind here.",
        "fr": "Je ne sais rien de tel ici.",
    },
    "memory_not_yours": {
        "en": "That is not this community's alone: only those who look after me can forget it.",
        "fr": "Ce n'est pas qu'à cette communauté : seul qui s'occupe de moi peut l'oublier.",
    },
    "memory_replaced": {"en": "replaced by: {value}", "fr": "remplacé par : {value}"},
    "memory_said_by": {"en": "said by: {value}", "fr": "dit par : {value}"},
    "memory_several": {
        "en": "Several ids begin like that: give more of it.",
        "fr": "Plusieurs ids commencent ainsi : donnes-en plus.",
    },
    "memory_since": {"en": "since: {value}", "fr": "depuis : {value}"},
    "memory_source": {"en": "source: {value}", "fr": "source : {value}"},
    "memory_store": {"en": "store: {value}", "fr": "rayon : {value}"},
    "memory_unknown": {
        "en": "No memory here has an id like that.",
        "fr": "Aucun souvenir d'ici n'a un tel id.",
    },
    "memory_visibility": {"en": "known to: {value}", "fr": "connu de : {value}"},
    "memory_which": {
        "en": "Say which one: /memory search shows ids.",
        "fr": "Dis lequel : /memory search montre les ids.",
    },
    "not_paused": {"en": "I am not away.", "fr": "Je ne suis pas en pause."},
    "not_paused_here": {
        "en": "I am not away from here.",
        "fr": "Je ne suis pas en pause ici.",
    },
    "observe_chosen": {"en": "{room}: {role} from now on.", "fr": "{room} : {role} désormais."},
    "observe_direct": {
        "en": "This is a room for two: say which room is meant.",
        "fr": "Ici nous ne sommes que deux : dis de quel salon il s'agit.",
    },
    "observe_ignored": {
        "en": "I hear nothing typed there any more; to take it back from elsewhere: "
        "/observe role default {room}",
        "fr": "Je n'y entends plus rien d'écrit ; pour revenir, d'ailleurs : "
        "/observe role default {room}",
    },
    "observe_none": {"en": "I know no room here yet.", "fr": "Je ne connais encore aucun salon."},
    "observe_room": {"en": "{room}: {role}, {source}", "fr": "{room} : {role}, {source}"},
    "observe_stays": {
        "en": "What I read there before I still know, until it is forgotten.",
        "fr": "Ce que j'y ai lu avant, je le sais encore, jusqu'à ce que ce soit oublié.",
    },
    "observe_unseen": {
        "en": "and {number} that not everybody can see: ask there",
        "fr": "et {number} que tous ne voient pas : demande là-bas",
    },
    "paused_already": {"en": "I am away already, {age}.", "fr": "Je suis déjà en pause, {age}."},
    "paused_everywhere": {
        "en": "I am away everywhere now: I read nothing, answer nothing but commands, and will "
        "not know what was said meanwhile.",
        "fr": "Je suis en pause partout : je ne lis rien, ne réponds qu'aux commandes, et ne "
        "saurai pas ce qui se sera dit.",
    },
    "paused_here": {
        "en": "I am away from here now: I read nothing, answer nothing but commands, and will not "
        "know what was said meanwhile.",
        "fr": "Je suis en pause ici : je ne lis rien, ne réponds qu'aux commandes, et ne saurai "
        "pas ce qui se sera dit.",
    },
    "purpose_branch": {"en": "deep recall", "fr": "recherche profonde"},
    "purpose_compaction": {"en": "summaries", "fr": "résumés"},
    "purpose_digest": {"en": "digests", "fr": "digests"},
    "purpose_evaluation": {"en": "evaluation", "fr": "évaluation"},
    "purpose_extraction": {"en": "learning from talks", "fr": "apprendre des conversations"},
    "purpose_judging": {"en": "what changed", "fr": "ce qui a changé"},
    "purpose_turn": {"en": "answers", "fr": "réponses"},
    "resume_it": {"en": "Call me back", "fr": "Me rappeler"},
    "resumed": {
        "en": "I am back: I read along and answer again.",
        "fr": "Je suis de retour : je lis et je réponds de nouveau.",
    },
    "role_by_above": {"en": "as the room above it", "fr": "comme le salon au-dessus"},
    "role_by_chosen": {"en": "by choice", "fr": "par choix"},
    "role_by_platform": {"en": "by default", "fr": "par défaut"},
    "role_by_settings": {"en": "by my settings", "fr": "par mes réglages"},
    "role_ignored": {"en": "I am not there", "fr": "je n'y suis pas"},
    "role_lobby": {
        "en": "I read along and answer when spoken to",
        "fr": "je lis, et je réponds quand on me parle",
    },
    "role_mention": {
        "en": "I answer when spoken to and read nothing else",
        "fr": "je réponds quand on me parle et ne lis rien d'autre",
    },
    "role_pet": {"en": "I answer everything", "fr": "je réponds à tout"},
    "room_several": {
        "en": "Several rooms are called that: name one by its id ({ids}).",
        "fr": "Plusieurs salons s'appellent ainsi : donne un id ({ids}).",
    },
    "room_unknown": {
        "en": "I know no such room here yet: /observe list has those I know. For another one, ask "
        "me there.",
        "fr": "Je ne connais pas encore de tel salon ici : /observe list dit ceux que je connais. "
        "Pour un autre, demande-le-moi là-bas.",
    },
    "seed_it": {"en": "Plant it", "fr": "Planter"},
    "seed_planted": {
        "en": "{read} lines planted, {new} of them new.",
        "fr": "{read} lignes plantées, dont {new} nouvelles.",
    },
    "seed_refused": {
        "en": "The seed cannot be read; `eko seed` says why.",
        "fr": "La graine ne se lit pas ; `eko seed` dit pourquoi.",
    },
    "seed_shown": {
        "en": "{read} lines; what is there already stays as it is:",
        "fr": "{read} lignes ; ce qui y est déjà reste tel quel :",
    },
    "self_empty": {
        "en": "I know nothing of myself yet: see /seed.",
        "fr": "Je ne sais encore rien de moi : voir /seed.",
    },
    "source_chat": {"en": "told me", "fr": "confié"},
    "source_conversation": {"en": "conversation", "fr": "conversation"},
    "source_digest": {"en": "digest", "fr": "digest"},
    "source_import": {"en": "import", "fr": "import"},
    "source_note": {"en": "note", "fr": "note"},
    "source_seed": {"en": "seed", "fr": "graine"},
    "state_archived": {"en": "{number} archived", "fr": "{number} archivés"},
    "state_expired": {"en": "{number} expired", "fr": "{number} expirés"},
    "state_holds": {"en": "{number} that hold", "fr": "{number} en vigueur"},
    "state_replaced": {"en": "{number} replaced", "fr": "{number} remplacés"},
    "stats_sources": {"en": "from: {sources}", "fr": "origine : {sources}"},
    "stats_store": {"en": "{store}: {states}", "fr": "{store} : {states}"},
    "still_paused": {
        "en": "I stay away: those who look after me want it everywhere, {age}.",
        "fr": "Je reste en pause : qui s'occupe de moi la veut partout, {age}.",
    },
    "still_paused_here": {
        "en": "I stay away from here: it was asked for this community, {age}.",
        "fr": "Je reste en pause ici : cette communauté l'a demandé, {age}.",
    },
    "store_goals": {"en": "what I want", "fr": "ce que je veux"},
    "store_memory": {"en": "memories", "fr": "souvenirs"},
    "store_self": {"en": "who I am", "fr": "qui je suis"},
    "usage_cap_input": {"en": "at most {most} in", "fr": "au plus {most} en entrée"},
    "usage_cap_output": {"en": "at most {most} out", "fr": "au plus {most} en sortie"},
    "usage_idle": {"en": "• {purpose}: nothing", "fr": "• {purpose} : rien"},
    "usage_injected": {"en": ", {share}% of it recalled", "fr": ", dont {share} % de souvenirs"},
    "usage_lately": {"en": "In 30 days:", "fr": "En 30 jours :"},
    "usage_line": {
        "en": "• {purpose}: {calls} calls, {fresh} tokens in, {cached} cached, {output} out",
        "fr": "• {purpose} : {calls} appels, {fresh} tokens en entrée, {cached} en cache, "
        "{output} en sortie",
    },
    "usage_none": {"en": "• nothing", "fr": "• rien"},
    "usage_per_person": {
        "en": "At most {turns} answers a day for one person.",
        "fr": "Au plus {turns} réponses par jour à une personne.",
    },
    "usage_today": {"en": "Today (UTC):", "fr": "Aujourd'hui (UTC) :"},
    "visibility_everyone": {"en": "everyone", "fr": "tout le monde"},
    "visibility_private": {"en": "one person", "fr": "une personne"},
    "visibility_room": {"en": "this room", "fr": "ce salon"},
    "visibility_space": {"en": "this community", "fr": "cette communauté"},
}
