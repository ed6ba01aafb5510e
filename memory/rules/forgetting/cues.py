"""The words by which people ask to forget, in French and English, folded. Pure.

Every expression is read over a text of at most some hundred characters whose blanks are single, and
none repeats a group that may match nothing: reading one is linear.
"""

import re


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEAR = r"(?:[\w'-]+ ){0,4}?"
"""A few words in between."""

_KEEP = (
    r"(?:keep(?:ing)?|kept|remember(?:ing|ed)?|stor(?:e|ed|ing)|sav(?:e|ed|ing)|retain(?:ed|ing)?"
    r"|know(?:n|ing)?|hold(?:ing)?|held|record(?:ed|ing)?|memori[sz](?:e|ed|ing)|hang(?:ing)? on"
    r"|recall(?:ed|ing)?|log(?:ged|ging)?|bring(?:ing)? up|brought up|mention(?:ed|ing)?"
    r"|repeat(?:ed|ing)?|remain|stick(?:ing)? around|stay)"
)
_GARDER = (
    r"(?:gard(?:e[srz]?|ee?s?|iez)|retien(?:s|ne|nes|t)|reten(?:ir|iez|ez|ue?s?)"
    r"|souvien(?:s|ne|nes|t)|souven(?:ir|ez|iez)|sach(?:e|es|iez)|savoir|memoris(?:e[srz]?|ee?s?)"
    r"|stock(?:e[srz]?|ee?s?)|conserv(?:e[srz]?|ee?s?)|enregistr(?:e[srz]?|ee?s?)|connai(?:tre"
    r"|sses?)"
    r"|ressor(?:s|t|te|tes|tir)|deten(?:ir|iez)|detien(?:s|ne|nes)|rappel(?:er|le|les)"
    r"|reste[srz]?|repet(?:e[srz]?|ee?s?)|evoqu(?:e[srz]?|ee?s?)|mentionn(?:e[srz]?|ee?s?)"
    r"|traine[srz]?)"
)
_NOT_EN = (
    r"(?:do not|don'?t|dnt|never|no longer|not|isn'?t|wasn'?t|weren'?t|mustn'?t|shouldn'?t|needn'?t"
    r"|won'?t|wouldn'?t|didn'?t|doesn'?t|can'?t|cannot|stop|quit|avoid|rather not|without)"
)
_MEMORY_EN = (
    r"(?:memory|memories|head|mind|brain|records?|notes?|files?|database|storage|system|lists?"
    r"|logs?"
    r"|archives?|notebook|knowledge|data|history|books?)"
)
_MEMORY_FR = (
    r"(?:memoire|tete|esprit|crane|cervelle|notes?|fichiers?|fiches?|base|donnees|souvenirs?"
    r"|archives?|carnets?|registres?|dossiers?|tablettes)"
)

STRONG = _split(
    """
    forget erase delete unlearn unremember expunge obliterate redact purge scrub del dlt delet
    oublie oublies oublier oubliez efface effaces effacer effacez supprime supprimes supprimer
    supprimez suppr supr supprim gomme gommer gommez biffe biffer biffez
    """
)
"""Verbs that ask for it wherever they are said to the pet."""

WEAK = _split(
    """
    remove wipe scrap discard strike nix bin ditch drop dump trash toss scratch clear lose zap
    shred destroy cut lift retract withdraw axe ax kill chuck omit void eliminate eradicate undo
    strip vire vires virer virez retire retires retirer retirez enleve enleves enlever enlevez
    raye rayes rayer rayez jette jettes jeter jetez zappe zappes zapper zappez detruis detruire
    detruisez elimine eliminer eliminez nettoie nettoyer purger purgez degage degager ote otes
    oter otez barre barrer barrez balance balancer balancez abandonne abandonner evacue evacuer
    annule annuler lache brule bruler enterre enterrer ecrase perds
    """
)
"""Verbs that ask for it, and for much else: what they name must be something that is kept."""

PHRASAL = re.compile(
    r"\b(?:get rid of|do away with|throw (?:away|out)|rid yourself of|let go of|cross out|rub out"
    r"|blot out|black out|take (?:out|down|off)|leave out|be done with|dispose of|part with"
    r"|debarrasse[sz]?[- ](?:toi|vous|t'en|moi)(?: de)?|te debarrasser|vous debarrasser"
    r"|(?:fais|faites|faire) disparaitre|mets? (?:ca|cela)? ?a la (?:poubelle|corbeille)"
    r"|fais (?:table rase|une croix)|a la poubelle|laisse de cote|fais le vide"
    r"|passe[sr]? l'eponge)\b"
)

_SAID_EN = (
    r"(?:said|told|shared|mentioned|confided|wrote|written|spilled|revealed|gave|given|brought)"
)
_SAID_FR = r"(?:dit|raconte|confie|ecrit|avoue|parle|donne|partage|revele|explique|mentionne)"

KEEPING_NOT = re.compile(
    rf"\b{_NOT_EN} {_NEAR}{_KEEP}\b(?: on(?:to| to)?\b)?"
    rf"|\b(?:keep|have|hold|leave|make) no (?:record|trace|note|memory|copy|mention)s?\b(?: of\b)?"
    rf"|\b(?:no need|don'?t need|no reason)(?: for (?:you|u))? to (?:know|keep|remember|have"
    rf"|store)\b"
    rf"|\b(?:could|can|would|will|should|better|let us|lets|let's) {_NEAR}keep {_NEAR}"
    rf"(?:out of|off|from)(?: your| ur)? {_MEMORY_EN}\b"
    rf"|\b(?:stop|quit|cease) (?:remember|stor|keep|know|sav|recall|repeat|mention)ing\b"
    rf"|\b(?:pas|plus|jamais|rien|moins|cesse[sz]? de|evite[rsz]? de|arrete[rsz]? de"
    rf"|refuse que) {_NEAR}{_GARDER}\b"
    rf"|\b(?:ne|n'|tu|t'|j'|on|qu'on|que tu|qu'il|te) ?{_NEAR}{_GARDER} (?:pas|plus|rien|jamais"
    rf"|point|aucun)\b"
    rf"|\bsans (?:garder|retenir|conserver)\b"
)
"""That something is not to be kept."""

PLACES = re.compile(
    rf"\b(?:out of|outta|from|off|in) (?:your|ur|yr|that|the|you) ?(?:\w+ )?{_MEMORY_EN}\b"
    rf"|\b(?:de|hors de|dans|en|sur) (?:ta|ton|tes|votre|vos|ces) {_MEMORY_FR}\b|\ben memoire\b"
    r"|\bout of (?:here|there|you)\b"
)
"""Where it is kept."""

GONE = re.compile(
    r"\b(?:must|has to|have to|needs? to|should|gotta|had better|better|can|could|may|let it"
    r"|let that"
    r"|let this|want (?:it|that|this|them)(?: all)?(?: to)?|make (?:it|that|this|them)) "
    r"(?:go(?: away)?|be gone|gone|disappear|vanish|(?:be )?(?:forgotten|deleted|erased|removed"
    r"|wiped"
    r"|scrubbed|dropped|purged|cleared))(?=$| ?[.,!?;:)]| please| now| forever| for good| from"
    r"| before)"
    r"|(?:^|[,;:.!?)-] ?)(?:and )?gone(?: please| pls| now| for good)?(?=$|[.,!?])"
    r"|\b(?:please be|to be) (?:forgotten|deleted|erased|removed|wiped)\b"
    r"|\bi want .{1,60} (?:gone|out of here|wiped|removed|deleted|erased|forgotten)\b"
    r"|\bshouldn'?t be (?:in )?(?:there|stored|kept|known|here|on file)\b"
    r"|\b(?:ne )?(?:doit|doivent|dois|devrait|devraient) (?:disparaitre|partir|s'effacer|etre "
    r"(?:efface|oublie|supprime|retire|enleve)e?s?)\b"
    r"|\b(?:ne |n')?(?:a|ont|avait|avaient) rien a (?:faire|voir) (?:la|ici|dedans|chez toi)\b"
    r"|\ba (?:effacer|oublier|supprimer|virer|retirer|enlever|jeter|rayer)\b"
    r"|\bdroit a l'oubli\b|\bright to be forgotten\b"
    r"|\b(?:que (?:ca|cela|ce|tout) )?(?:disparaisse|s'efface|soit (?:efface|oublie|supprime)e?)\b"
)
"""That it is to go."""

_DONE_EN = (
    r"(?:forgotten|deleted|erased|removed|wiped|scrubbed|dropped|purged|cleared|scrapped|struck"
    r"|binned"
    r"|destroyed|discarded|taken (?:out|off|down)|thrown (?:out|away))"
)
_DOING_EN = (
    r"(?:forgetting|deleting|erasing|removing|wiping|scrubbing|dropping|purging|clearing|scrapping"
    r"|binning|discarding|unlearning|striking|ditching)"
)

HAVING_DONE = re.compile(
    rf"\b(?:have|get|want|need|see|make sure|ensure|like|prefer|please|should|must|could|can|may"
    rf"|ought to)"
    rf" (?:[\w'-]+ ){{1,7}}?{_DONE_EN}\b"
    rf"|\b(?:mind|about|consider|try|appreciate (?:you|your)|needs?|want|wants|worth"
    rf"|grateful for) {_DOING_EN}\b"
    r"|\b(?:deletion|removal|erasure) (?:of|request)\b|\b(?:i )?request (?:the )?(?:deletion"
    r"|removal|erasure)\b"
    r"|\b(?:l'|la |une? )(?:effacement|suppression) (?:de|du|des|d')"
    r"|\bno more (?:mention|talk|word|trace)s? of\b|\bnot (?:a|another|one) word (?:about|on|of)\b"
    r"|\b(?:plus|pas) un mot (?:sur|de|du|a propos)\b|\bplus aucune? (?:trace|mention|souvenir)\b"
    r"|\b(?:tire[rsz]?|tirer) un trait sur\b|\baux oubliettes\b|\b(?:doit"
    r"|faut) (?:pas )?(?:en )?rester (?:de|aucune) trace\b"
    r"|\b(?:get|take|keep|leave|put|pull|move) (?:[\w'-]+ ){1,8}?(?:out of|off|outta) (?:your|ur"
    r"|the|that) ?(?:\w+ )?"
    rf"{_MEMORY_EN}\b|\boff the record\b|\bget (?:it|that|this|them|those|these) out\b"
    rf"|\b(?:sors?|sortez|sortir|ote[sz]?|enleve[sz]?) .{{1,60}} (?:de|hors de) (?:ta|ton|tes"
    rf"|votre|vos) {_MEMORY_FR}\b"
    rf"|\b(?:that|this|it|which|you) (?:never|didn'?t) happen(?:ed)?\b|\bn'est jamais arrive\b"
)
"""That it is to be done, without an order."""

REGRET = re.compile(
    rf"\b(?:shouldn'?t|should never|should not) have {_SAID_EN}(?: (?:you|u))?\b"
    rf"|\bwish i(?: had not|'?d not|'?d never| never| hadn'?t) {_SAID_EN}(?: (?:you|u))?\b"
    rf"|\bi (?:regret|take back|took back|want to take back|retract|withdraw)(?: telling| saying"
    rf"| sharing| having)?(?: (?:you|u))?\b"
    rf"|\b(?:take|taking) (?:it|that|this|them|everything) back\b"
    r"|\b(?:pretend|act|make|imagine)(?: like| as if| as though| that| believe)? (?:i|you|u|we|it"
    r"|that)"
    r" (?:never|didn'?t|did not|hadn'?t|haven'?t|don'?t)(?: \w+)?\b"
    rf"|\b(?:i|you|u|we) (?:never|didn'?t) (?:{_SAID_EN}|say|tell|hear|heard|saw|see|read"
    rf"|knew)\b(?: you)?"
    r"|\blet'?s (?:never|not) (?:speak|talk) of\b"
    r"|\bnone of (?:your|ur) business\b|\b(?:is|are) not your business\b"
    rf"|\b(?:j'aurais|j'aurai|aurais|n'aurais)(?: \w+)? (?:pas|mieux fait de ne pas"
    rf"|jamais) du(?: te| vous)?"
    rf"(?: (?:dire|raconter|confier|parler|ecrire|donner))?(?: que)?\b"
    rf"|\bj'aurais (?:prefere|mieux fait de|du) (?:me taire|ne (?:rien|pas) (?:te )?dire"
    rf"|la fermer)\b"
    rf"|\bje regrette (?:de t'avoir|d'avoir|t'avoir) {_SAID_FR}\b"
    rf"|\b(?:fais|faites|faire|fait) (?:genre|comme si|semblant)(?: (?:que )?(?:tu|t'|je|j'|on"
    rf"|vous)"
    rf"(?: ?\w+'?){{0,4}})?"
    rf"|\b(?:je |j'|j|jt'|jt|t'){{1,2}}(?:ai|as|avais)? ?rien (?:{_SAID_FR}|vu|lu|entendu|su)\b"
    r"|\b(?:tu |t'|t)(?:as|es|avais|sais|en sais|en savais|savais) (?:rien|pas)(?: (?:vu|lu"
    r"|entendu|su))?\b"
    r"|\b(?:ne |n')?(?:te|vous) (?:regardent?|concernent?) (?:pas|plus|en rien)\b"
    r"|\bon (?:en |ne )*parle plus(?: jamais)?(?: d[eu]| des)?\b|\bn'en parlons plus\b"
    r"|\bn'etait pas (?:pour toi|a dire)\b"
)
"""That it should never have been said."""

VAIN = re.compile(
    r"^(?:@?\w{1,40}[ ,:]{1,3})?(?:(?:ok|okay|oh|ah|bah|ben|non|nah|no|lol|well"
    r"|haha),? ){0,3}(?:forget(?: about)? (?:it"
    r"|that|this)"
    r"|oublie[sz]?(?: (?:ca|cela))?|laisse tomber|drop it|scratch that)[ ,.!;-]{1,4}"
    r"(?:(?:never ?mind|nvm|laisse tomber|je plaisant\w+|je rigol\w+|je deconn\w+|c'est rien"
    r"|c'est pas grave|just kidding|jk|kidding|i was (?:joking|kidding|wrong)|lol|mdr|ok|okay"
    r"|no worries|not important|it'?s (?:fine|nothing|ok)|peu importe|tant pis|c'etait pour rire)"
    r"[ ,.!]{0,3}){1,4}$"
)
"""That a matter is dropped in a talk, and nothing is to be erased."""

IDIOMS = re.compile(
    r"\bforget(?:ting)? about \w+ing\b|\bforget[ -]me[ -]nots?\b|\bbefore (?:i|we|you) forget\b"
    r"|\bavant (?:que j'|d')oubli\w+\b|\b(?:let|lets) (?:me|us) (?:not )?forget\b"
    r"|\bi(?:'ll| will)? never forget\b|\bhow (?:can|could) (?:i|we|you|anyone) forget\b"
    r"|\b(?:tu|t'|vous|t|you|u) ?(?:n')?(?:as|avez|have)? ?(?:deja )?(?:oublie|forgot"
    r"|forgotten)(?: ce| mon| ma| what"
    r"| my| to)\b"
    r"|\b(?:oublions|forget) (?:tout )?(?:ca )?,? (?:et|and) (?:move|parlons|let)\b"
)
"""Where a verb of forgetting asks for nothing."""

NEGATED = re.compile(
    r"(?:\b(?:don'?t|do not|dnt|never|not|no need to|needn'?t|without|didn'?t|shouldn'?t|won'?t"
    r"|please don'?t|pas besoin d'|pas besoin de|inutile d'|inutile de|ne pas|sans|n'|ne|pas"
    r"|surtout pas"
    r"|jamais)(?: (?:ever|just|let me|let us|you|you dare|dare|go and|l'|le|la|les|en|me|m'))? ?)$"
)
"""What stands before a verb that is not to be obeyed."""

NEGATED_AFTER = re.compile(
    r"^(?:[- ](?:moi|le|la|les|toi))?(?: surtout)? (?:pas|rien|jamais|aucune?)\b"
)
"""And what stands after it, in French."""

OTHERS = re.compile(
    r"\b(?:i|he|she|it|they|we|who|someone|somebody|anyone|people|everyone|il|elle|ils|elles"
    r"|on m'a|j'ai"
    r"|phone|computer|telephone|ordi|always|often|sometimes|usually|would anyone|should i|je|to|de"
    r"|d'|comment"
    r"|how to|pour|her to|him to|me to|them to|us to|a|an|the|une?|le|la|touche|bouton|button|key)"
    r" ?(?:always |often |would |will |may |might |could |should |can |to |ne |me |m'|l'|tout "
    r"|had |have ){0,2}$"
)
"""Who else may be the one that forgets, right before the verb."""

TO_THE_PET = re.compile(
    r"(?:\b(?:you|u|ya|tu|t'|vous|peux|pourrais|pourriez|pouvez|please|pls|plz|stp|svp|merci"
    r"|te demande"
    r"|te prie|priere|gre|reconnaissant|reconnaissante|grateful|derange|veuillez|faut|faudrait"
    r"|need|want you|like you|ask you|voudrais|aimerais|obligeance"
    r"|gentillesse|time|kindly|mind|going|bien vouloir|songe|pense|tache)(?: (?:\w+ ){0,3}| ?)"
    r"(?:to |d'|de |a |l'|le |la |les |me |m'|y |en |just |now |also |please |have |it ){0,4})$"
)
"""What stands before a verb that the pet is asked to do."""

KEPT = re.compile(
    r"(?:[,;.(]|\bbut\b|\bmais\b|\band\b|\bet\b|^) ?(?:please |stp |just |do |tu |vous "
    r"|on ){0,2}(?:keep|garde[srz]?|retiens"
    r"|laisse[srz]?|conserve[srz]?|leave|let) (?P<keep>[^.!?;)]{2,120})"
    r"|[(,] ?(?:but )?(?:not|pas|sauf|except(?: for)?|excepte|hormis|a part|other than|apart from"
    r"|mais pas|et pas|and not)"
    r" (?P<keep2>[^.!?;)]{2,120})"
    r"|(?:^|[.,;!?] ?)(?:but |and |mais |et |que )?(?P<keep3>[^.,;!?]{3,120}?)(?:,? ca)? (?:can"
    r"|may|should|is to|must|peut|peuvent|doit"
    r"|doivent) (?:of course |bien sur )?(?:stay|remain|be kept|rester|etre garde\w*)\b[^.!?]*"
    r"|\b(?:sauf|except(?: for)?|apart from|a part|hormis) (?P<keep4>[^.!?;)]{2,120})"
)
"""What is to stay."""
