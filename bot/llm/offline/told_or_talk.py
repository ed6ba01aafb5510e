"""Whether what sounds like small talk asks for what was told; pure."""

import re
from collections.abc import Collection

from bot.llm.offline.manners.acts import SpeechAct
from bot.llm.offline.manners.reading import Recognition
from bot.llm.offline.questions.asked import ASKING_STEMS, question_text, without_asking_words
from bot.llm.offline.questions.eligibility import names_one
from memory.language.text import fold, light_stems, stems

_OF_PET = re.compile(r"\b(?:you|your|u|tu|te|t|toi|ton|ta|tes|vous)\b")
_OF_TIME = frozenset({SpeechAct.CLOCK, SpeechAct.DATE})
_OF_NOW = (
    ASKING_STEMS
    | light_stems()
    | frozenset(
        stems(
            """
        time day date today hour clock got have your there here current year month week tonight
        temps jour date heure aujourd hui maintenant ici montre annee mois semaine as avez sommes
        chez vous tell know give svp please plait
        """
        )
    )
)
"""The words of a question for the time that it is."""


OWN_WORDS = re.compile(
    r"\b(?:what (?:did i|have i) (?:just )?(?:tell|told|say to|said to) you"
    r"|you (?:still )?remember what i (?:told you|said)"
    r"|tu te (?:souviens|rappelles) (?:de )?ce que je t['’]ai (?:dit|raconté)"
    r"|qu['’]est[- ]ce que je t['’]ai (?:dit|raconté)|que t['’]ai[- ]je dit"
    r"|je t['’]ai (?:dit|raconté) quoi)"
    r"(?: (?:already|so far|before|earlier|déjà|tout à l['’]heure))?\W*$",
    re.IGNORECASE,
)
"""Asks for what its author told, of whatever: "what did I tell you?"."""


def is_of_told(plain: str, names: Collection[str], manner: Recognition) -> bool:
    """Whether a question that may sound like small talk is for what was told.

    It is of a person and not of the pet, or asks for the day or the hour of something.
    """
    if names_one(plain, names):
        return _OF_PET.search(fold(plain)) is None
    asked = set(stems(without_asking_words(question_text(plain))))
    return manner.act in _OF_TIME and not asked <= _OF_NOW
