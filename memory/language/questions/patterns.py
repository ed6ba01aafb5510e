"""How people ask what has no subject of its own, French and English, as they type it in chat."""

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import lru_cache

from memory.language.text import fold


class OpenKind(StrEnum):
    """What an open question is about, which tells where its answer is kept."""

    TALK = "talk"
    """What was said or happened: the latest exchanges, messages and statements."""
    SPEAKER = "speaker"
    """The person who asks."""
    PERSON = "person"
    """A named person."""
    WHEREABOUTS = "whereabouts"
    """Where a named person is or goes."""
    PET = "pet"
    """The pet itself: who it is, what it can do, what it wants."""


_PAIR = re.compile(r"\b(\w+):(\w+)")
_TYPED: Mapping[str, str] = dict(
    _PAIR.findall(
        """
        koi:quoi qoi:quoi kwa:quoi koa:quoi ki:qui ke:que ske:ce_que keske:qu_est_ce_que
        kesk:qu_est_ce_que keskon:qu_est_ce_qu_on kestu:qu_est_ce_que_tu qqch:quelque_chose
        qqchose:quelque_chose jai:j_ai g:j_ai jsuis:je_suis chui:je_suis chuis:je_suis
        sui:suis ct:c_etait cest:c_est cetait:c_etait c:c_est sait:sais sai:sais se:sais
        parler:parle parlee:parle parles:parle parlais:parlait parlai:parlait parlaient:parlait
        parlez:parle parliez:parlait discuter:discute discutais:discutait rapelle:rappelle
        rappel:rappelle rapelles:rappelles souvien:souviens souvient:souviens connai:connais
        connait:connais konai:connais conais:connais loupe:rate manque:rate ratee:rate rater:rate
        moua:moi mwa:moi toa:toi twa:toi t:tu tas:tu_as ona:on_a u:you ur:your r:are abt:about
        bout:about wat:what wut:what wot:what whats:what_is whos:who_is hows:how_is
        wdyk:what_do_you_know dyk:do_you_know im:i_am didnt:did ive:i_have youre:you_are
        kno:know rember:remember remeber:remember yall:you_all ppl:people whatd:what_did
        """,
    )
)
"""How people type what the patterns spell; `_` is a space."""
_SPELT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"\b(?:{typed})\b"), meant)
    for typed, meant in (
        ("c est est", "c est"),
        ("tu c est(?= quoi| qui| faire)", "tu sais"),
        ("tu as? sais", "tu sais"),
        ("what s", "what is"),
        ("who s", "who is"),
        ("where s", "where is"),
        ("how s", "how is"),
        ("what re", "what are"),
        ("what ve", "what have"),
        ("qu est c(?:e)? que?", "qu est ce que"),
        ("(?<!qu )est ce que tu", "tu"),
        ("qu est ce que on", "qu est ce qu on"),
    )
)

_OPENINGS = (
    r"hey|hi|hello|yo|salut|slt|coucou|cc|bonjour|bjr|bonsoir|bsr|alors|bon|ben|bah|et|and|so|ok"
    r"|okay|au fait|du coup|sinon|btw|by the way|please|pls|plz|stp|svp|s il te plait|eh|tiens|euh"
    r"|hum|hmm|wait|attends|sorry|desole|pardon|ah|oh|oui|non|yes|no|well|just|mais|but|donc|bro|mec"
    r"|dis donc|dis(?: moi| nous)?|dites moi|rappelle (?:moi|nous)|remind (?:me|us)|tell (?:me|us)"
    r"|(?:tu peux|peux tu|tu pourrais|pourrais tu) (?:me|nous|m) (?:dire|rappeler|redire)"
    r"|(?:can|could|would) you (?:please )?(?:tell|remind) (?:me|us)|i wonder|je me demande"
    r"|j ai oublie|i forgot|guys|actually|en fait|franchement|serieux|question|now|maintenant|hein"
)
_ENDINGS = (
    r"stp|svp|s il te plait|please|pls|plz|mdr|lol|ptdr|xd|deja|already|again|exactement|exactly"
    r"|au juste|alors|hein|du coup|au fait|btw|by the way|d ailleurs|en fait|au final|finalement"
    r"|(?<!de )(?<!sur )toi|ici|here|in here|la dedans"
    r"|(?:dans|sur) (?:ce|le) (?:salon|chat|channel)"
    r"|in (?:this|the) (?:room|channel|chat)|on here|ensemble|together|so far|jusqu ici|en gros"
    r"|vite fait|donc|merci|thanks|thx|ou pas|or not|au moins|really|vraiment|actually|though"
    r"|dans la vie|lately|recently|recemment|dernierement|ces temps ci|ces derniers temps|bro|mec"
    r"|while i was (?:away|gone|out|asleep|offline|afk)"
    r"|pendant (?:mon absence|que j etais (?:pas la|absente?|partie?)|que je dormais)"
)
_WORD = re.compile(r"[^\W_]\w*")
_LINKED = re.compile(
    r"(?: (?:pendant|durant|de|d|en|le|la|les|l|du|au|a|in|on|over|during|from|of|the|for|at"
    r"|et|and|ou|or)){1,8}$"
)
"""What is left in front of a date that was taken out."""


def plainly(line: str, pet: Collection[str] = (), *, dated: bool = False) -> str:
    """A folded line without signs, haste, greetings, courtesies and the pet's own names.

    `dated` lines have lost a date, and lose the little words before it.
    """
    found = _WORD.findall(line)
    spelt = " ".join(_TYPED.get(word, word).replace("_", " ") for word in found)
    for pattern, meant in _SPELT:
        spelt = pattern.sub(meant, spelt)
    opening, ending = _edges(tuple(sorted(map(fold, pet))))
    spelt = opening.sub("", spelt)
    if dated:
        spelt = _LINKED.sub("", spelt)
    return ending.sub("", spelt)


@lru_cache(maxsize=16)
def _edges(pet: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is cut off a line's start and end."""
    names = "".join(f"|{re.escape(name)}" for name in pet)
    return (
        re.compile(rf"^(?:(?:{_OPENINGS}{names}) )+"),
        re.compile(rf"(?: (?:{_ENDINGS}{names})){{1,8}}$"),
    )


_WHO = r"(?P<who>\w[\w ]{0,60}?)"
_ANYONE = r"(?P<person>\w[\w ]{0,60}?)"
"""A name even in small letters: nothing else stands beside "c'est qui"."""
_KNOW_FR = r"(?:sais|connais|retiens|as retenu|as appris|as note|as)"
_ABOUT_FR = r"(?:sur|de|d|a propos de|a propos d|concernant)"
_SOME_FR = r"(?:quoi|des trucs|des choses|quelque chose|des infos|quelles infos|tout)"
_SPOKEN = r"(?:parle|parlait|discute|discutait|cause|bavarde|dit|disait|raconte|racontait)"
_TELL_FR = r"(?:tu peux |peux tu )?(?:me |nous )?(?:parle|raconte)(?: moi| nous)?(?: un peu)?"
_HAVE_FR = r"(?:se |s est |a |avait |avons |avez |ont )?"
_TALK_FR = (
    r"(?:notre|la|le|notre derniere|la derniere|le dernier) (?:conversation|discussion|sujet)"
)
_GOES_FR = r"est|va|part|s en va|est passee?|est partie?"
_AIMS_FR = (
    r"(?:buts?|objectifs?|limites?|capacites?|reves?|envies?|role|job|boulot|histoire|nom|pouvoirs?"
    r"|competences?)"
)
_FRENCH: Mapping[OpenKind, tuple[str, ...]] = {
    OpenKind.TALK: (
        rf"(?:on|nous|vous|ils|les autres|tout le monde) {_HAVE_FR}{_SPOKEN} (?:de )?quoi",
        rf"(?:de )?quoi (?:est ce qu )?(?:on|vous|ils|nous) {_HAVE_FR}{_SPOKEN}",
        r"de quoi (?:a t on|avons nous|avez vous) (?:parle|discute)",
        rf"qu est ce qu(?: on|e vous| ils) {_HAVE_FR}{_SPOKEN}",
        rf"c (?:etait|est) quoi {_TALK_FR}",
        r"ca (?:a )?(?:parlait|discutait|discute) de quoi",
        r"on en (?:est|etait) (?:ou|rendus?)",
        r"(?:y a |il y a )?(?:quoi|rien|un truc) de (?:neuf|nouveau|beau)",
        r"(?:y a |il y a |quoi )?(?:du (?:neuf|nouveau)|des nouvelles|des news)|quelles nouvelles",
        r"(?:y a|il y a) (?:eu )?quoi(?: de (?:neuf|nouveau))?",
        r"(?:qu est ce que )?j ai (?:rate|zappe)(?: quoi| quelque chose| des trucs| un truc)?",
        r"qu ai je rate",
        r"(?:qu est ce qu(?:i| il) |il |qu est ce qui |que )?(?:s|c) est (?:il )?passe(?: quoi)?",
        r"(?:fais (?:moi |nous )?)?(?:un )?(?:petit )?(?:resume|recap)",
        rf"resume(?: moi| nous)? (?:tout|{_TALK_FR}|ce qu(?: on a dit|e j ai rate))",
        rf"tu te (?:souviens|rappelles) de {_TALK_FR}",
        rf"on {_HAVE_FR}{_SPOKEN} de quoi avec {_WHO}",
        rf"de quoi (?:est ce qu )?on {_HAVE_FR}{_SPOKEN} avec {_WHO}",
        rf"(?:de quoi|qu est ce que|quoi) {_WHO} (?:a |avait )(?:parle|dit|raconte)",
        rf"de quoi (?:parlait|a parle|discutait|ont parle) {_WHO}",
        rf"qu (?:a|avait) (?:dit|raconte) {_WHO}",
        rf"{_WHO} (?:a dit|disait|a raconte|racontait|a parle de|parlait de|discutait de) quoi",
    ),
    OpenKind.SPEAKER: (
        rf"tu {_KNOW_FR} (?:{_SOME_FR} )?{_ABOUT_FR} moi",
        r"tu te (?:souviens|rappelles) (?:encore )?(?:de |d )?(?:quoi (?:sur|de) )?moi",
        rf"(?:qu est ce que|que|quoi) (?:tu )?{_KNOW_FR}(?: tu)? {_ABOUT_FR} moi",
        rf"(?:(?:y a|il y a|tes) )?(?:{_SOME_FR}|infos) {_ABOUT_FR} moi",
        r"tu me (?:connais|reconnais|remets)(?: bien)?|on se connait|tu sais quoi me concernant",
        rf"(?:tout )?ce que tu {_KNOW_FR} {_ABOUT_FR} moi",
        r"(?:tu (?:te souviens|te rappelles|sais) )?(?:de |c est )?qui (?:je suis|suis je)",
        r"je suis qui(?: pour toi| moi)?|parle (?:moi )?(?:un peu )?de moi|decris moi",
    ),
    OpenKind.PET: (
        r"tu (?:sais|peux) faire(?: quoi)?|tu peux quoi|(?:que|quoi) (?:sais|peux) tu faire",
        r"qu est ce que tu (?:sais|peux) faire|qu est ce que tu aimes|tu aimes quoi",
        r"tu sers a quoi|a quoi tu sers|a quoi sers tu",
        r"(?:tu es|tes) (?:qui|quoi)|qui (?:es tu|tu es)|c est qui toi|tu qui",
        rf"c est quoi (?:tes|ton|ta) {_AIMS_FR}|(?:tes|ton|ta) {_AIMS_FR} c est quoi",
        rf"(?:quels?|quelles?) (?:sont|est) (?:tes|ton|ta) {_AIMS_FR}",
        rf"tu as (?:des|un|une|quoi comme|quels|quelles) {_AIMS_FR}",
        r"parle (?:moi |nous )?(?:un peu )?de toi(?: meme)?|(?:presente|decris) toi",
        r"tu sais quoi (?:sur|de) toi(?: meme)?",
        r"comment tu (?:te nommes|tu appelles|te appelles)|tu (?:tu|te) appelles comment",
    ),
    OpenKind.PERSON: (
        rf"{_TELL_FR} (?:de|d) {_WHO}",
        rf"(?:qu est ce que|que|quoi) (?:tu )?{_KNOW_FR}(?: tu)? {_ABOUT_FR} {_WHO}",
        rf"tu {_KNOW_FR} {_SOME_FR} {_ABOUT_FR} {_WHO}",
        rf"(?:tout )?ce que tu {_KNOW_FR} {_ABOUT_FR} {_WHO}",
        rf"(?:c est qui(?: donc)?|qui c est) {_ANYONE}",
        rf"{_ANYONE} c est qui",
        rf"qui est {_WHO}",
        rf"tu connais {_WHO}",
        rf"tu te (?:souviens|rappelles) (?:de|d) {_WHO}",
        rf"(?:(?:y a )?des (?:news|nouvelles)|des infos) (?:de|d|sur|a propos de) {_WHO}",
        rf"quoi de (?:neuf|nouveau|beau) (?:de|d|chez|sur|pour|avec) {_WHO}",
        rf"(?:qu est ce que |que )?devient {_WHO}",
        rf"{_WHO} devient quoi",
    ),
    OpenKind.WHEREABOUTS: (
        rf"(?:tu sais )?ou (?:est ce que )?(?:est|va|part|s en va|est passee?) {_WHO}",
        (
            rf"(?:tu sais )?ou (?:est ce que )?{_WHO} (?:{_GOES_FR})(?:(?: tu)? (?:il|elle))?"
            r"(?: partie?| passee?| allee?)?"
        ),
        rf"{_WHO} (?:il |elle )?(?:{_GOES_FR}) ou",
        rf"(?:(?:il|elle) )?(?:{_GOES_FR}) ou {_WHO}",
    ),
}

_KNOW_EN = r"(?:know|remember|recall|have|got|think you know)"
_AIMS_EN = (
    r"(?:goals?|limits?|limitations?|capabilities|abilities|dreams?|skills|aims?|purpose|job|role"
    r"|deal|name|story|powers)"
)
_GOES_EN = r"going|off|headed|heading|flying|travell?ing|moving"
_TALKING = (
    r"(?:talk|talked|talking|discuss|discussed|discussing|chat|chatted|chatting|speak|spoken"
    r"|speaking|been talking|been discussing)(?: about)?"
)
_PEOPLE_EN = r"(?:we|they|everyone|everybody|people|you guys|you all|you and i|the others)"
_THE_TALK = r"(?:our|the|everything|the last|our last)(?: (?:conversation|chat|discussion|topic))?"
_MUCH = r"(?: anything| something| much)?"
_ENGLISH: Mapping[OpenKind, tuple[str, ...]] = {
    OpenKind.TALK: (
        rf"what (?:did|have|were|are|was|had|is) {_PEOPLE_EN}(?: all)?(?: just)? {_TALKING}",
        rf"what (?:did|have|were|are|was) {_PEOPLE_EN}(?: all)? (?:say|said|saying)",
        rf"what (?:did|have) (?:i|we) miss(?:ed)?|(?:did|have) i miss(?:ed)?{_MUCH}|what i missed",
        r"what is (?:new|the news|going on|happening|the latest)|anything new|any news",
        r"what (?:has )?(?:happened|been (?:happening|going on))",
        r"catch me up|fill me in|bring me up to speed|recap|tl dr|tldr",
        r"give (?:me|us) (?:a|the) (?:quick )?(?:recap|summary)|a (?:quick )?(?:recap|summary)",
        rf"(?:recap|summari[sz]e) {_THE_TALK}",
        r"where were we|where did we (?:leave off|stop)",
        rf"what was {_THE_TALK}(?: about)?",
        rf"what (?:did|was|were|has|have|is) {_WHO} (?:{_TALKING}|say|said|saying)",
        rf"what (?:did|has) {_WHO} (?:tell|told) (?:you|us|me)",
        rf"what (?:did|have) (?:we|i) {_TALKING} with {_WHO}",
    ),
    OpenKind.SPEAKER: (
        rf"what (?:do|can|else do|all do|have) you {_KNOW_EN}(?: stuff)? (?:about|on|of) me",
        r"what have you learned about me|what you (?:know|remember) about me",
        rf"(?:do you )?(?:know|remember|recognize|recognise){_MUCH}(?: about)? me",
        r"(?:do you (?:know|remember) )?who i am|who am i|describe me",
        r"(?:all |more |something |everything )?(?:you know )?about (?:me|myself)",
    ),
    OpenKind.PET: (
        r"who are you|what are you(?: able to do| capable of| good at)?",
        r"what can you(?: even)? do(?: for (?:me|us))?|how can you help(?: me| us)?",
        rf"what (?:are|is) your {_AIMS_EN}|do you have (?:any |a )?{_AIMS_EN}",
        r"(?:more |something |everything )?about (?:yourself|you)|(?:introduce|describe) yourself",
        r"what do you (?:like|do|(?:know|remember) about yourself)",
    ),
    OpenKind.PERSON: (
        rf"who (?:is|was) {_WHO}",
        rf"who {_WHO} (?:is|was)",
        rf"describe {_WHO}",
        rf"what (?:do|can|else do|all do|have) you {_KNOW_EN} (?:about|on|of) {_WHO}",
        rf"what can you (?:tell|say) (?:me |us )?about {_WHO}",
        rf"what you know about {_WHO}",
        rf"(?:more |something |everything |all )?(?:you know )?about {_WHO}",
        rf"(?:do you )?(?:know|remember) {_WHO}",
        rf"what is (?:new|up|going on|happening|the latest) (?:with|from|about|on) {_WHO}",
        rf"any news (?:from|about|of) {_WHO}",
        rf"what (?:has|is) {_WHO} (?:been )?up to",
    ),
    OpenKind.WHEREABOUTS: (
        rf"(?:do you know )?where is {_WHO}(?: (?:{_GOES_EN}))?(?: to)?",
        rf"(?:do you know )?where {_WHO} is(?: (?:{_GOES_EN}))?(?: to)?",
        rf"where (?:did|has|will) {_WHO} (?:go|gone)(?: to)?",
    ),
}


_ORDER = (
    OpenKind.SPEAKER,
    OpenKind.PET,
    OpenKind.TALK,
    OpenKind.PERSON,
    OpenKind.WHEREABOUTS,
)
PHRASES: tuple[tuple[OpenKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern)) for kind in _ORDER for pattern in (*_FRENCH[kind], *_ENGLISH[kind])
)
"""Each must be the whole line; the first that is decides. `who` and `person` capture names."""

NO_PERSON = frozenset(
    """
    right wrong there here online offline next first last everyone everybody someone somebody anyone
    nobody people ca cela lui eux elle celui celle quelqu personne encore deja toi moi chef patron
    boss responsable gagnant vainqueur meilleur premier dernier suivant prochain chaud motive dispo
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)
"""What stands in the place of a name without being one."""
