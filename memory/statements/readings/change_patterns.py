"""How people say in French and English that something is so no longer; of folded words."""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from memory.language.expressions import SentencePattern
from memory.language.irregular_forms import BASES
from memory.language.text import stems, words
from memory.language.times.vocabulary import FRENCH_DAY
from memory.statements.readings import english, french


class Agreement(Enum):
    """What two statements of one matter must share for one to end the other."""

    ONE = auto()
    """The person; and the thing, where both name it: people have one at a time."""
    SUCCESSOR = auto()
    """The person: another one has come where people have one at a time."""
    THING = auto()
    """The person and the thing."""
    COUPLE = auto()
    """One of two people, and the other one where both are named."""


@dataclass(frozen=True, slots=True)
class Matter:
    """How a matter is said to be so, and to be so no longer; `what` is the thing in both."""

    holds: tuple[SentencePattern, ...]
    ends: tuple[SentencePattern, ...]
    link: Agreement


_CACHED = 65_536
"""Statements times patterns of which is remembered what they read: some hundred statements."""


@lru_cache(maxsize=_CACHED)
def first_thing(patterns: tuple[SentencePattern, ...], said: str) -> str | None:
    """The thing in the first pattern that reads all of the words; None where none does."""
    found = next(filter(None, (pattern.fullmatch(said) for pattern in patterns)), None)
    return None if found is None else " ".join(filter(None, found.groupdict().values()))


def _patterns(*patterns: str) -> tuple[SentencePattern, ...]:
    return tuple(SentencePattern(one, re.IGNORECASE) for one in patterns)


def _plain(pattern: str) -> str:
    """A pattern without accents, for words that are folded."""
    apart = unicodedata.normalize("NFD", pattern.replace("œ", "oe"))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


_WHAT = r"(?P<what>\S.*)"
_MAYBE = r"(?: (?P<what>.*))?"
_BE = r"(?:is|am|are|est|suis|sommes|sont)"
_HAVE = r"(?:has|have|a|ai|avons|ont)"
_DONE = (
    r"(?:(?:has|have|a|ai|avons|ont|est|suis|sommes|sont|s'est|me suis|nous sommes|se sont"
    r"|was|were|got|is|am|are) )?(?:been |ete )?"
)
_A = (
    r"(?:an? |une? |the |l[ae]s? |l'|her |his |my |our |their |s(?:a|on|es) |m(?:a|on|es) |leurs? "
    r"|nos |notre )?"
)
_WORK = r"(?:job|work|position|travail|boulot|taf|emploi|poste|cdi|cdd)"
_NOW = r"(?: now| maintenant| desormais)?"
_NEW = r"(?:new |nouveau |nouvel |autre |another )"
_JOB = _plain(rf"(?:{english.JOB}|{french.JOB}|(?:an? |une? )?(?:stagiaire|intern|apprentie?))")

_EMPLOYED = _patterns(
    rf"{_BE} (?:working|employed|employee?) (?:at|for|by|chez|par) {_WHAT}",
    rf"(?:works?|travaille|travaillons|bosse|enseigne|teach(?:es)?)(?: .*?)? (?:at|for|chez|pour)"
    rf" {_WHAT}",
    rf"{_HAVE} (?:an? |un )?{_WORK} (?:at|with|chez) {_WHAT}",
    rf"{_BE} {_JOB}(?:.*? (?:at|for|with|chez) (?P<what>\S.*))?",
)
_POSTED = _patterns(
    rf"(?:works?|travaille|travaillons|bosse|enseigne|teach(?:es)?) (?:in|a|au|aux|dans) {_WHAT}",
    rf"{_BE} {_JOB} (?:in|a|au|aux|dans) {_WHAT}",
    rf"{_BE} chez {_WHAT}",
)
_HAS_JOB = (*_POSTED, *_EMPLOYED)
_LIVING = _patterns(
    r"(?:lives?|resides?|(?:is|am|are) (?:living|based|staying)|rents? .*?) (?:\w+ )*?"
    rf"(?:in|at|near|with) {_WHAT}",
    rf"(?:habite|habitons|vi[st]|vivons|loge|reside|{_BE} installee?s?)(?: .*?)? "
    rf"(?:a|au|en|dans|chez|pres d[eu]) {_WHAT}",
)
_COUPLE = _patterns(
    rf"{_BE} (?:engaged|married|getting married|fiancee?s?|mariee?s?|pacsee?s?)(?: to| a| avec)?"
    rf"{_MAYBE}",
    rf"{_BE} (?:dating|seeing|going out with|in a relationship with|with|en couple avec|avec)"
    rf" {_WHAT}",
    rf"(?:sors?t?|sortons|goe?s? out) (?:avec|with) {_WHAT}",
    rf"(?:va se marier|vais me marier|[sm]e marie|(?:will )?marry|marries|epouse)"
    rf"(?: avec| with)?{_MAYBE}",
)
_ILL = _patterns(
    r"(?:broke|hurt|sprained|tore|injured|fractured|twisted|caught|(?:s'est|me suis) "
    rf"(?:casse|foule|blesse|fracture|dechire)e?) {_WHAT}",
    rf"{_HAVE} (?P<what>.*\b(?:broken|sprained|torn|fractured|hurt|flu|cold|covid|fever|infection"
    r"|grippe|rhume|fievre|angine|gastro|bronchite|casse|foule|fracture|pneumoni[ae]|entorse)"
    r"e?\b.*)",
    rf"{_BE} (?P<what>(?:ill|sick|malade|unwell|injured|blesse|in (?:the )?hospital"
    r"|hospitali[sz]ed?|a l'hopital|alite|on sick leave|en arret|in a wheelchair"
    r"|on crutches)e?\b.*)",
)
_FOR_GOOD = (
    r"(?P<what>[\w'-]+(?: (?!(?:at|for|pour|to|in|en|on|and|et|early|before|avant|with|avec)\b)"
    r"[\w'-]+)*?)(?:,.*| (?:and|et|in|en|since|depuis) .*"
    r"| (?:for|pour|to) (?!(?:an?|the|work|lunch|une?|l[ae]s?|son|sa|her|his|my)\b).*)?"
)
"""What is left, but not at an hour or for a meeting."""
_DIED = r"(?:has |have )?(?:died|passed away|is dead|(?:est|sont) (?:mort|decede)e?s?|was put down)"
_PET = r"(?:dog|cat|parrot|hamster|rabbit|horse|chien|chat|lapin|cheval|perroquet|poisson|fish)"

TABLE: tuple[Matter, ...] = (
    Matter(  # a job that is left
        _HAS_JOB,
        _patterns(
            rf"{_DONE}(?:left|quit|quitte|resigned from|retired from|(?:laid off|let go|fired"
            r"|dismissed|made redundant) (?:by|from)|(?:licencie|vire)e?s? (?:par|de|du)"
            rf"|demissionne (?:de|du)|partie? de(?: chez)?) {_WHAT}",
            rf"(?:{_BE} no longer (?:at|with)|(?:ne |n')?{_BE} plus (?:chez|a|au)) {_WHAT}",
            rf"{_DONE}(?:resigned|retired|laid off|fired|made redundant|(?:licencie|vire)e?"
            r"|demissionne|pris sa retraite|a la retraite|en retraite)"
            r"(?! (?:from|de|du|by|par)\b)(?: .*)?",
            rf"{_DONE}(?:lost|quit|left|given up|perdu|quitte|termine|fini|finished|completed) {_A}"
            rf"(?:stage|internship|apprenticeship|alternance|contrat|contract|{_WORK})"
            rf"(?: (?:at|chez|a|au|with) {_WHAT})?",
        ),
        Agreement.ONE,
    ),
    Matter(  # another job
        _EMPLOYED,
        _patterns(
            rf"{_BE} (?:now|maintenant|desormais) (?:(?:working|employee?|employed) )?"
            rf"(?:at|with|chez) {_WHAT}",
            rf"now works (?:at|for) {_WHAT}",
            rf"travaille (?:maintenant|desormais) chez {_WHAT}",
            rf"{_DONE}(?:hired|(?:embauche|recrute)e?) (?:by|at|par|chez|a) {_WHAT}",
            rf"{_DONE}(?:changed|change de) (?:jobs?|employers?|employeur|boite|{_WORK}|metier)"
            rf"{_MAYBE}",
            rf"{_DONE}(?:found |trouve |got |started |commence )?{_A}{_NEW}{_WORK}{_MAYBE}",
            rf"{_DONE}(?:started|commence) (?:(?:working|work|a travailler) )?(?:at|chez) {_WHAT}",
        ),
        Agreement.SUCCESSOR,
    ),
    Matter(  # work that was looked for
        _patterns(
            rf"{_BE} (?:unemployed|out of work|jobless|au chomage|sans emploi){_MAYBE}",
            rf"(?:{_BE} (?:looking|searching|hunting) for|cherche) {_A}{_NEW}?{_WORK}{_MAYBE}",
        ),
        _patterns(
            rf"{_DONE}(?:found|got|landed|trouve|decroche|obtenu) {_A}{_NEW}?{_WORK}{_MAYBE}",
            rf"{_DONE}(?:hired|(?:embauche|recrute)e?|signed (?:with|for)|signe (?:chez|avec))"
            rf"{_MAYBE}",
        ),
        Agreement.SUCCESSOR,
    ),
    Matter(  # a home that is left
        _LIVING,
        _patterns(
            rf"{_DONE}(?:left|moved (?:out of|away from|from)|quitte|partie?s? de) {_FOR_GOOD}",
            rf"(?:{_BE} no longer in|(?:ne |n')?{_BE} plus (?:a|en|au)) {_WHAT}",
        ),
        Agreement.ONE,
    ),
    Matter(  # another home
        _LIVING,
        _patterns(
            rf"{_DONE}(?:moved|relocated|(?:demenage|emmenage|installe)e?s?)(?: back)? "
            rf"(?:to|in|a|au|aux|en|dans|near|pres d[eu]) {_WHAT}",
            rf"now lives? (?:in|at|near) {_WHAT}|(?:habite|vi[st]) (?:maintenant|desormais)"
            r" (?:a|au|en|dans) (?P<other>\S.*)",
            r"lives? (?:in|at|near) (?P<what>\S.*) now\b.*",
            rf"{_DONE}partie?s? (?:vivre|habiter|s'installer) (?:a|au|en|dans) {_WHAT}",
        ),
        Agreement.SUCCESSOR,
    ),
    Matter(  # a club that is left
        _patterns(
            r"(?:plays?|sings?|dances?|runs?|swims?|belongs?|joue|chante|danse|nage|cour[ts]"
            rf"|fai[ts] partie|{_BE} (?:an? )?(?:member|membre|inscrite?|part)|{_BE}) "
            rf"(?:in|of|at|with|to|for|de|d[ue]|dans|a|au|avec) {_WHAT}"
        ),
        _patterns(rf"{_DONE}(?:left|quit|quitte) {_FOR_GOOD}"),
        Agreement.THING,
    ),
    Matter(  # a couple that parts
        _COUPLE,
        _patterns(
            rf"{_DONE}(?:broke|broken|split) up(?: (?:with )?(?P<what>(?!the\b|an?\b).*))?",
            rf"{_DONE}(?:separe|divorced?|separated|rompu)e?s?(?: (?:from|avec|de|d'))?{_MAYBE}",
            rf"{_DONE}(?:quitte|left|dumped|largue)e? "
            r"(?P<what>[\w-]+(?: (?!(?:at|a|with|avec|in|en|chez|on)\b)[\w-]+){0,2})"
            r"(?: (?:in|en|on|since|depuis) .*)?",
            rf"{_DONE}(?:called off|broke off|broken off|cancell?ed|ended|rompu|annule|mis fin a)"
            r" \w+ (?:engagement|wedding|marriage|relationship|mariage|fiancailles|relation|couple)"
            rf"{_MAYBE}",
            rf"(?:engagement|wedding|mariage|fiancailles)\b.*? {_DONE}"
            r"(?:called off|off|cancell?ed|over|annulee?s?|rompue?s?)\b.*",
            rf"{_BE} (?:single|celibataire|widowed|veuf|veuve|getting divorced)\b.*",
            rf"(?:ne |n')?(?:{_BE}|sor[ts]|sortons) (?:plus|no longer) (?:avec|with|together"
            rf"|ensemble|engaged|marie|married|en couple|fiance)\w*(?: to| a| avec| with)?{_MAYBE}",
        ),
        Agreement.COUPLE,
    ),
    Matter(  # a person who finds a partner
        _patterns(rf"{_BE} (?:single|celibataire)\b.*"),
        _patterns(
            rf"{_BE}{_NOW} (?:dating|en couple|in a relationship|engaged|fiancee?|married|mariee?)"
            r"\b.*",
            rf"{_DONE}(?:engaged|met someone|met somebody|rencontre quelqu'un)\b.*",
        ),
        Agreement.ONE,
    ),
    Matter(  # what was looked for
        _patterns(
            rf"(?:{_BE} )?(?:looking|searching|hunting|waiting|saving(?: up)?|waits?) for {_WHAT}",
            rf"(?:needs?|recherche|cherch(?:e|ons|ent)|attends?|wants? to find|veu[xt] trouver)"
            rf" {_WHAT}",
            rf"{_HAVE} besoin d(?:e |'){_WHAT}",
        ),
        _patterns(
            rf"{_DONE}(?:found|got|landed|bought|rented|adopted|hired|received|obtained|trouve"
            rf"|achete|loue|adopte|embauche|recu|obtenu|decroche|eu) {_WHAT}"
        ),
        Agreement.THING,
    ),
    Matter(  # a possession that is given away
        _patterns(
            rf"(?:{_HAVE}|owns?|possede|drives?|condui[ts]|roule en|rides?|{_BE} selling|vends?)"
            rf" {_WHAT}"
        ),
        _patterns(
            rf"{_DONE}(?:sold|given away|gave away|got rid of|scrapped|vendu|revendu|donne"
            rf"|debarrassee? d[eu]) {_WHAT}",
            rf"(?P<what>\S.*?) {_DONE}(?:sold|vendue?s?|stolen|volee?s?)(?: .*)?",
        ),
        Agreement.THING,
    ),
    Matter(  # a pet that dies
        _patterns(
            rf"{_HAVE} {_WHAT}",
            r"(?P<what>\w+ (?:s'appelle|is called|is named) \S.*)",
        ),
        _patterns(
            rf"(?P<what>\S.*?) {_DIED}(?: .*)?",
            rf"{_DONE}(?:lost|perdu|buried|enterre) {_A}(?P<what>{_PET}.*)",
        ),
        Agreement.THING,
    ),
    Matter((*_LIVING, *_HAS_JOB, *_ILL), _patterns(rf"{_DIED}(?: .*)?"), Agreement.ONE),
    Matter(  # an illness that passes
        _ILL,
        _patterns(
            r"(?P<what>\S.*?) (?:has |have |is |a |est )(?:now )?"
            r"(?:healed|better|mended|(?:gueri|remis)e?)\b.*",
            rf"{_BE} (?:out of|back from|home from|sortie? d(?:e|u)) {_WHAT}",
            rf"{_DONE}(?:left|quitte) (?P<what>(?:the )?hospital|l'hopital)\b.*",
            rf"{_DONE}(?:recovered|(?:remis|gueri|retabli)e?|got over)(?: (?:from|de|du))?{_MAYBE}",
        ),
        Agreement.ONE,
    ),
    Matter(  # a birth
        _patterns(
            rf"{_BE} (?:\w+ )?(?:pregnant|expecting|enceinte)\b.*|attends? un (?:bebe|enfant).*"
        ),
        _patterns(
            rf"{_DONE}(?:gave birth|given birth|accouche)\b.*",
            rf"{_DONE}(?:had|eu) {_A}(?:baby|bebe|fille|son|daughter|fils)\b.*",
        ),
        Agreement.ONE,
    ),
    Matter(  # studies that are over
        _patterns(
            rf"{_BE} (?:an? |une? )?(?:student|studying|etudiante?)(?: (?:at|in|a|en|au))?{_MAYBE}",
            rf"(?:stud(?:y|ies)|etudie)(?: (?:at|in|a|en|au))? {_WHAT}",
        ),
        _patterns(
            rf"{_DONE}(?:graduated(?: from)?|dropped out of|left|diplomee? d[eu]|quitte|fini ses"
            rf" etudes|termine ses etudes|abandonne ses etudes|obtenu son diplome){_MAYBE}"
        ),
        Agreement.ONE,
    ),
)
"""The matters of which an end is read, each with the ways to say that it holds and that it ends."""

STOPPED = _patterns(
    rf"{_DONE}(?:stopped|quit|given up|gave up|dropped|abandoned|finished|completed|cancell?ed"
    r"|ended|terminated|shelved|(?:arrete|abandonne|fini|termine|resilie|annule|lache)"
    r"e?s?|submitted|handed in|published|released|rendu|soutenu|publie|livre|laisse tomber"
    r"|mis fin a|renonce a|unsubscribed from|desabonnee? d[eu]|pulled out of"
    rf"|dropped out of|done with)(?: de| d'| du| des)? ?(?:le |la |les |l')?{_WHAT}",
    rf"(?P<what>\S.*?) (?:{_BE} |{_HAVE} )(?:been |ete )?(?:finished|completed|abandoned|shelved"
    r"|over|done|(?:termine|fini|abandonne)e?s?)(?: .*)?",
)
"""How people say that something that went on does no more."""

NO_LONGER = _patterns(
    r"(?:ne |n')(?P<verb>\w+) plus\b(?P<what>.*)",
    r"(?P<verb>habite|vis|travaille|bosse|suis|fume) plus\b(?!.*\bqu)(?P<what>.*)",
    rf"(?:{_BE} |do |does )?no longer {_WHAT}",
    r"(?:does|do|is|are|am|has|have|can)(?:n't| not) (?P<what>\S.*?) (?:any ?more|any longer)\b.*",
)

AGAIN = _patterns(
    r"re(?P<what>(?:mange|boi[st]|fume|jou|travaille|condui|cour|port|parle)\w* .*|fume)",
    rf"{_DONE}(?:started|gone back to|went back to|recommence a|remise? a) "
    r"(?P<what>\S.*?)(?: again\b.*)?",
    r"(?P<what>\S.*?) (?:again|a nouveau|de nouveau)\b.*",
)

DIETS = _patterns(rf"{_BE} (?:an? |une? )?(?P<what>vegetari[ae]n|vegetalien|vegan)\w*\b.*")

_MEAT = (
    "meat viande steak beef boeuf pork porc chicken poulet ham jambon burger sausage saucisse bacon"
    " lamb agneau fish poisson"
)
_OF_ANIMALS = f"{_MEAT} egg eggs oeuf oeufs cheese fromage milk lait butter beurre honey miel"
NOT_EATEN = {
    "vegetarian": frozenset(stems(_MEAT)),
    "vegetarien": frozenset(stems(_MEAT)),
    "vegan": frozenset(stems(_OF_ANIMALS)),
    "vegetalien": frozenset(stems(_OF_ANIMALS)),
}
"""What the word for a diet denies without saying so."""

WANTED = _patterns(
    rf"(?:(?:has|have|needs?|wants?|plans?|hopes?|intends?|{_BE} (?:going|hoping|planning)"
    rf"|would like) to|must|should|will) {_WHAT}",
    r"(?:doi[st]|devons|veut|veux|voulons|va|vais|allons|compte|espere|souhaite|aimerai[ts]"
    rf"|prevoi[ts] de|{_HAVE} prevu de) {_WHAT}",
)
"""How people say what they mean to do, or must."""

_BEEN = rf"(?:(?:has|have|a|ont) (?:been |ete )?|{_BE} |was |were )"
_LATER = (
    r"(?:moved|postponed|rescheduled|pushed back|put back|put off|brought forward|delayed|shifted"
    r"|(?:reporte|avance|decale|deplace|repousse|remis|ajourne|recule)e?s?)"
)
_OFF = r"(?:cancell?ed|called off|scrapped|(?:annule|supprime)e?s?)"
EVENT_MOVED = _patterns(
    rf"(?P<what>\S.*?) {_BEEN}(?:{_LATER}|{_OFF}|off)\b.*",
    rf"(?:{_HAVE} )?{_LATER} (?P<what>\S.*?)(?: (?:to|till|until|au|a|from|du) .*)?",
    rf"(?:{_HAVE} )?{_OFF} {_WHAT}",
    rf"(?P<what>\S.*?) {_BE} (?:now|maintenant|desormais) (?:on|at|in|le|en|au)\b.*",
    r"(?P<what>\S.*?) (?:will not|is not going to|won't) (?:take place|happen)\b.*",
    r"(?P<what>\S.*?) n'aura (?:pas|plus) lieu\b.*",
    rf"(?P<what>\S.*?) passe (?:a|au) (?:\d|{FRENCH_DAY}).*",
)
"""How people say that what they had in mind for a day will be on another, or never."""

TRAVELS = SentencePattern(
    r"(?:flies|fly|goes|go|travels?|leaves?|part|pars|partons|va|vais|allons|s'envole|voyage) "
    r"|(?:is|am|are) (?:flying|going|travell?ing|leaving) "
)
TRIPS = frozenset(stems("trip journey flight holiday voyage vol sejour vacances train"))
"""What a journey is called that was told with a verb."""

FILLING = SentencePattern(
    r"\b(?:finalement|finally|actually|instead(?! of)|after all|plutot(?! qu)|en fait|enfin|just"
    r"|recently|recemment|officially|deja|already|also|aussi|toujours|still|sadly|unfortunately"
    r"|malheureusement|tout juste|a la place(?! d))\b ?"
)
"""Words that a statement may have or not."""

_FRENCH_PAST = SentencePattern(
    r"(?:a|ai|avons|ont|as) (?!(?:une?|des|l[ae]s?)\b)\w+(?:e|i|u|is|it|ert|es|ees)\b(?! \d)"
    r"|(?:s'est|me suis|se sont|nous sommes) "
)
_PERFECT = SentencePattern(r"^(?:has|have) ")
NO_ACTIVITY = SentencePattern(
    r"(?:likes?|loves?|enjoys?|adores?|aime|adore|hates?|deteste|prefere|prefers?|works?|travaille"
    r"|bosse|lives?|habite|teach(?:es)?|enseigne|sells?|vends?"
    rf"|(?:{_BE} )?(?:looking|waiting)|cherch\w+|attends?|needs?|knows?|connai[ts])\b"
)
"""How a statement begins that is of a taste, a job, a home or a search: no stopping ends that."""
POSSESSES = SentencePattern(r"^(?:has|have|a|ai|avons|ont|owns?|possede)\b")

IN_PASSING = frozenset(stems("take place lieu prevu planned scheduled fixed go passe moved is"))
"""Stems that a statement about an appointment has beside what it is."""


@lru_cache(maxsize=_CACHED)
def is_past(said: str) -> bool:
    """Whether what is said is over already: "bought a house", "a acheté une maison"."""
    if _FRENCH_PAST.match(said):
        return True
    first = next(iter(words(_PERFECT.sub("", said))), "")
    base = BASES.get(first, "")
    is_irregular = base != "" and not base.endswith(("er", "ir", "re"))
    return is_irregular or first.endswith("ed") or first in {"was", "were", "had", "did"}
