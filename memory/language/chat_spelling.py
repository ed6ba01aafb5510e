"""Chat spelling, French and English, written out as the words that are meant; pure."""

import re
from collections.abc import Mapping
from functools import lru_cache

from memory.language.text import fold

WHERE = "ou_"
"""How "où" is written out, which folding would make an "or"."""

_READ = 2_000

_MEANT: Mapping[str, str] = {
    typed: meant
    for typed, _, meant in (
        pair.partition(":")
        for pair in """
        u:you ur:your urs:yours r:are y:why ya:you yr:your im:i_am ive:i_have id:i_would ill:i_will
        youre:you_are theyre:they_are whats:what_is wheres:where_is whos:who_is whens:when_is
        hows:how_is whys:why_is thats:that_is its:it_is hes:he_is shes:she_is theres:there_is
        wat:what wats:what_is wut:what wot:what wher:where wen:when hw:how hru:how_are_you
        gonna:going_to gunna:going_to wanna:want_to gotta:got_to tmrw:tomorrow tmr:tomorrow
        tomorow:tomorrow tomoz:tomorrow 2moro:tomorrow ystrday:yesterday tonite:tonight
        2nite:tonight
        dont:do_not doesnt:does_not didnt:did_not isnt:is_not arent:are_not cant:can_not
        wont:will_not
        aint:is_not wasnt:was_not havent:have_not bout:about abt:about cos:because coz:because
        cuz:because bc:because bcos:because cus:because pls:please plz:please thx:thanks ty:thanks
        gf:girlfriend gfs:girlfriend bf:boyfriend bfs:boyfriend bff:best_friend bestie:best_friend
        bday:birthday bdays:birthday hubby:husband nan:grandmother nans:grandmother
        ppl:people sth:something smth:something rn:right_now atm:at_the_moment ltr:later
        fav:favourite favorite:favourite thurs:thursday thur:thursday tues:tuesday weds:wednesday
        sat:saturday fri:friday mins:minutes hrs:hours uni:university cld:could shld:should
        c:c_est ct:c_etait cest:c_est cetait:c_etait cetais:c_etait koi:quoi kwa:quoi qoi:quoi
        ki:qui kel:quel kelle:quelle keske:qu_est_ce_que kestu:qu_est_ce_que_tu skon:ce_qu_on
        pk:pourquoi pkoi:pourquoi pq:pourquoi pourkoi:pourquoi cb:combien tps:temps
        t:tu_es tes:tes tas:tu_as ta:ta taimes:tu_aimes taime:tu_aimes tetais:tu_etais
        tai:t_ai g:j_ai chui:je_suis chuis:je_suis jpe:je_peux ya:il_y_a yen:il_y_en
        yavait:il_y_avait
        mtn:maintenant mnt:maintenant auj:aujourdhui ajd:aujourdhui ojd:aujourdhui dem1:demain
        rdv:rendez_vous anniv:anniversaire bdd:base_de_donnees sgbd:base_de_donnees
        enft:en_fait dsl:desole mdp:mot_de_passe appart:appartement ptit:petit ptite:petite
        stp:s_il_te_plait svp:s_il_vous_plait bcp:beaucoup tlm:tout_le_monde qqn:quelqu_un
        qqch:quelque_chose pcq:parce_que psk:parce_que parske:parce_que jms:jamais tt:tout ds:dans
        pr:pour ss:sans vs:vous ns:nous qd:quand kan:quand kand:quand msg:message ms:mais
        dhier:d_hier sest:s_est sen:s_en jlui:je_lui jtai:je_t_ai jen:j_en jy:j_y
        deja:deja weekend:week_end we:we aujourd:aujourdhui
        """.split()  # noqa: SIM905 - a list of pairs
    )
}
"""What is typed for which words; `_` is a space."""

_FRENCH_ONLY = frozenset("ya c t g ct pq cb ta tes".split())  # noqa: SIM905 - a list of words
"""What is short for other words in French only: "ya" is "you" in English."""

_ENGLISH_ONLY = frozenset(
    "y r id ill its u ur sat fri rn cos we nan nans uni ya".split()  # noqa: SIM905
)
"""What is short for other words in English only: "y" is a word of French."""

_I = re.compile(
    r"j(?=[bcdfghklmnpqrstvwxz]\w)|j(?=(?:ai|av|aim|arr|ete|eta|hab|hes|irai|oub|esp|util"
    r"|ado|att|ess|app|ach|ecr|ent|env|y\b|en\b|ouv|all))"
)
"""A French "je" without its space or apostrophe: "jsuis", "jarrete"."""
_TAKEN = frozenset("just jus judo jury july june july juin jury jud juge".split())  # noqa: SIM905
_ELIDED = re.compile(
    r"^(l|d|s|n|m|qu)(?=(?:epaule|ecole|eglise|avion|ophtalmo|appart|an\b|anniv|equipe"
    r"|heure|annee|ami|hotel|hopital|anouk|armelle|isaure|ulysse|augustin|autre))"
)
"""An article without its apostrophe, before some words that often stand there."""

_JOINED = (
    (re.compile(r"\bc est est\b"), "c est"),
    (re.compile(r"\btu es (?=as\b|avais\b|aimes\b|aimerais\b|avez\b|inquiet|en \w+es\b)"), "tu "),
    (re.compile(r"\btu es (?=(?:on|ils?|elles?)\b)"), ""),
    (re.compile(r"\b(s|m|t)(?=appel\w|absent\w|effra\w|occup\w|ennui\w|endor\w|inqui\w)"), r"\1 "),
)
"""What is put right once the words stand beside each other."""

_WORD = re.compile(
    r"[£$€]\d+(?:[.,]\d+)*|\d+(?:[.:h/]\d+)+|\d+(?:st|nd|rd|th|er|e|eme|am|pm|h|k|m2)?(?![^\W_])"
    rf"|{WHERE}|[^\W_]+|[£$€]"
)
_OU = re.compile(r"\bo(?:ù|u\u0300)", re.IGNORECASE)

_FRENCH_SIGNS = re.compile(
    r"\b(?:je|j|tu|il|elle|on|est|c|le|la|les|un|une|des|du|mon|ma|mes|ton|tes|son|sa|au|aux|pas"
    r"|et|en"
    r"|de|qui|que|quoi|koi|quel\w*|quand|ou|j\w+|dans|ds|pour|pr|avec|ya|ki|cb|pk|stp"
    r"|tas|lheure|cest|chui|wsh|slt|mdr|oui|non|merci|mrc|salut|bonjour|coucou|bonsoir|svp|dsl|il"
    r"|ils"
    r"|nous|vous|son|ses|leur|cette|ce|ca|va|fait|chez|sur|tres|trop|mais)\b"
)
_ENGLISH_SIGNS = re.compile(
    r"\b(?:i|you|u|he|she|it|we|they|is|are|was|the|an|my|your|ur|his|her|of|to|in|at|and|what"
    r"|whats"
    r"|who|where|when|how|why|do|does|did|for|with|not|im|its|r)\b"
)


@lru_cache(maxsize=4_096)
def spelt_out(text: str) -> str:
    """The folded words of a text with spaces between, and what is typed in haste written out.

    "où" is `WHERE`. At most 2,000 characters are read.
    """
    plain = fold(_OU.sub(f" {WHERE} ", text[:_READ])).replace("’", "'").replace("'", " ")
    french = is_french(plain)
    words: list[str] = []
    for word in _WORD.findall(plain.replace("-", " ")):
        words += _written(word, french=french).split()
    return _joined(" ".join(words))


def _joined(text: str) -> str:
    for typed, meant in _JOINED:
        text = typed.sub(meant, text)
    return text


def is_french(text: str) -> bool:
    """Whether a folded text has more of the little words of French than of those of English."""
    return len(_FRENCH_SIGNS.findall(text)) > len(_ENGLISH_SIGNS.findall(text))


def _written(word: str, *, french: bool) -> str:
    if french and word == "ya":
        return "il y a"
    if word in _MEANT and word not in (_ENGLISH_ONLY if french else _FRENCH_ONLY):
        return _MEANT[word].replace("_", " ")
    if french:
        if word not in _TAKEN and (found := _I.match(word)):
            return f"je {_written(word[found.end() :], french=True)}"
        if found := _ELIDED.match(word):
            return f"{found[1]} {word[found.end() :]}"
    return word
