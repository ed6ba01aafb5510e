"""The words of French and English that carry no content of their own, accents folded away."""


def word_set(text: str) -> frozenset[str]:
    """The words that stand in a text with spaces between."""
    return frozenset(text.split())


NEGATIONS = word_set(
    "ne ni pas plus jamais aucun aucune rien not never no none nothing nobody cannot"
)
"""Kept where other function words are dropped: without them a statement says its opposite."""

FRENCH_STOP_WORDS = word_set(
    """
    ai aie aient ait as au aux avaient avais avait avec avez avoir avons ayant c ca ce ceci cela ces
    cet cette ceux chez ci comme d dans de des donc dont du elle elles en es est et etaient etais
    etait etant etes etre eu eux fait ici il ils j je jusqu l la le les leur leurs lorsqu lui m ma
    mais me meme mes moi mon nos notre nous on ont ou par parce peut peuvent peux pour pourrais
    pourrait pourriez pouvez pouvons puis puisqu qu quand que quel quelle quelles quels qui quoi
    quoiqu s sa se sera serait ses si sommes sont suis sur t ta te tes toi ton tous tout toute
    toutes tres tu un une vos votre vous y combien deja koi qqn qqun quelqu truc trucs
    """
)
"""`son` (a noun in English) and `ete` (summer) are left out on purpose."""

ENGLISH_STOP_WORDS = word_set(
    """
    a about all also am an and any are as at be been being but by can could did do does doing for
    from had has have having he her here hers him his how i if in into is it its just me my of off
    on or our ours over she should so some than that the their theirs them then there these they
    this those to too us very was we were what when where which who whom whose why will with would
    you your yours anybody anyone anything ever many much somebody someone something
    """
)

STOP_WORDS = (FRENCH_STOP_WORDS | ENGLISH_STOP_WORDS) - NEGATIONS

LIGHT_WORDS = word_set(
    """
    aller va vas vais vont allez venir vient viens passer passe faire fais faites dire dis dit
    parler parle raconter raconte savoir sais sait vouloir veux veut voudrais falloir faut falloir
    mettre mets prendre prends voir vois vu donner donne connaitre connais penser penses croire
    trouver trouve devoir dois aimer aime bien bon bonne vrai vraiment alors aussi encore
    maintenant toujours personne gens jour fois moment idee question reponse nom
    go going goes went come comes came make makes made say says said tell tells told talk talks
    talked know knows knew want wants get gets got put take takes took see sees saw give gives gave
    think thinks find finds found use uses used like likes good well really still now time day
    people person way lot idea question answer name kind type new
    """
)
"""Words that say little in any room, however seldom they are said in one that is new."""

_SHARED = word_set("a as on me or but an son main an in comment plus pour chat no")

FRENCH_MARKS = (
    FRENCH_STOP_WORDS
    | word_set(
        """
        pas jamais rien aucun oui non bonjour bonsoir salut merci coucou mdr ptdr stp svp voila
        aime adore deteste habite travaille demain hier aujourdhui semaine oublie souviens sais
        pourquoi combien comment bien aussi encore toujours alors ouais nuit bonne accord quoi
        retiens rappelle connais parle sans sous entre frere soeur mere pere fils fille
        """
    )
) - (ENGLISH_STOP_WORDS | _SHARED)
"""Words that tell French from English."""

ENGLISH_MARKS = (
    ENGLISH_STOP_WORDS
    | word_set(
        """
        not never yes hello hi hey thanks thank please good night morning bye love like hate live
        work works lives tomorrow yesterday today week remember forget know talk brother sister
        because now going want need again always still out up down really sorry who
        """
    )
) - (FRENCH_STOP_WORDS | _SHARED)
"""Words that tell English from French."""

LANGUAGE_WORDS = word_set(
    """
    anglais anglaise francais francaise espagnol allemand italien langue langues traduis traduire
    traduit traduction english french spanish german italian language languages translate
    translated translation russe chinois japonais coreen arabe grec ukrainien hebreu hindi russian
    chinese mandarin cantonese japanese korean arabic greek ukrainian bulgarian hebrew thai alphabet
    cyrillic cyrillique kanji hiragana katakana
    """
)
"""Who says one of these may want an answer in another language than their own."""

SMALL_TALK = word_set(
    """
    ok okay okey okk kk k d'ac dac accord oui ouais ouaip ouep yep yes yeah yup yea si non nope nan
    nah merci thanks thank thx ty tnx thnx mercii salut bonjour bonsoir coucou hello hi hey yo hola
    slt bjr bsr wesh bye ciao tchao adieu goodbye cya welcome please stp svp plz pls bravo cool
    super genial top nice great awesome perfect parfait nickel wow waouh ouah oups oops pfff pff hmm
    hum euh heu bah ben bof ah oh eh hein ouf yay hourra xd lmao rofl ptdr mouais sure right
    exactly exact exactement voila compris noted understood sorry pardon desole desolee gg bienvenue
    amen ouch aie merde zut meh np sup lu re b1 hiya howdy brb afk wb omg wtf
    all guys dude dudes folks everyone everybody people bro mate buddy man mec mecs gars tlm
    """
)
"""Single words after which there is nothing to look up."""

SMALL_TALK_PHRASES = frozenset(
    phrase.strip()
    for phrase in """
    ca va|ca va bien|ca va et toi|et toi|ca roule|tout va bien|tout bon|bonne nuit
    bonne journee|bonne soiree|bonne annee|bon appetit|bon week end|bon weekend|bon courage
    bonne chance|bien dormi|dors bien|fais de beaux reves|merci beaucoup|merci bien
    merci a toi|merci a vous|merci mille fois|mille mercis|grand merci|de rien|pas de probleme
    pas de souci|pas de soucis|pas grave|pas mal|a plus|a plus tard|a demain|a bientot|a toute
    a tout a l heure|a tout a heure|bien sur|je vois|j ai compris|ai compris|c est bon|est bon
    c est cool|est cool|tres bien|trop bien|bien joue|bien recu|bien vu|ah bon|tant mieux
    tant pis|t inquiete|inquiete|quoi de beau|good night|good morning|good evening
    good afternoon|good day|good bye|good luck|good job|thank you|thank you very much
    thank you so much|thanks a lot|thanks so much|many thanks|thanks much|you are welcome
    you welcome|no problem|no worries|no prob|how are you|how are you doing|how do you do
    how is it going|how it going|see you|see ya|see you later|see you soon|see you tomorrow
    later|what s up|i see|got it|i got it|all good|all right|alright|well done|of course
    never mind|nevermind|me too|moi aussi|sleep well|sweet dreams|take care|have a nice day
    have a good day|nice to meet you|same|what up|whats up|so cool|very good|very nice
    sounds good|love it|for sure|oh no|oh non|my bad|there you go|come on|oh well|not anymore
    yes i do|it does|hold on|one sec|just a sec|i know|i know right|makes sense|let me see|see you
    help me|i need help|can you help me|can anyone help|can anyone help me|anyone here|any idea
    any ideas|thanks in advance|merci d avance|je sais|attends|un instant|une seconde|j arrive
    arrive|aide moi|a l aide|tu peux m aider|tu peux aider|besoin d aide|tout le monde|les gars
    what now|what next|and now|et maintenant|not really|pas vraiment|same here|pareil|i do|i did
    """.replace("\n", "|").split("|")
    if phrase.strip()
)
"""Expressions of several words after which there is nothing to look up."""
