"""What invented people are called, where they go and what they do, in French and English."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.replace("\n", "|").split("|"))))


FIRST_NAMES = _words(
    """
    David Mickael Sophie Antoine Camille Lucas Emma Hugo Manon Louis Chloé Arthur Inès Jules Léa
    Nathan Zoé Gabriel Alice Raphaël Sarah Thomas Clara Maxime Juliette Oliver Grace Harry
    Amelia George Ruby Charlie Freya Oscar Daisy Noah Willow Leo Hazel Finn Nora Ethan Ivy Mason
    Stella Owen Violet Caleb Aurore Bastien
    """
)
"""Fifty people, enough for three lively communities."""

CITIES = _words(
    """
    Nantes Lyon Brest Rennes Lille Bordeaux Grenoble Angers Tours Dijon Metz Nancy Annecy
    Bayonne Quimper Vannes Toulon Nîmes Cork Leeds York Bath Dublin Bristol Glasgow Oslo Porto
    Turin Ghent Lisbon Vienna Prague Krakow Zurich Malmö Tromsø Bologna Seville Athens Riga
    """
)

THINGS_FR = _phrases(
    """
    le café|le thé|les champignons|la raclette|le saucisson|les huîtres|le chocolat noir|la plongée
    le vélo|la poterie|l'escalade|le piano|les échecs|la photo argentique|le tricot|la menuiserie
    les jeux de rôle|la randonnée|le handball|l'astronomie|les films muets|le jardinage|la voile
    les mots croisés|la course à pied|le jazz manouche|la pêche|les trains miniatures|le judo
    la boulangerie|la calligraphie|les romans noirs|le yoga|la soudure|les abeilles|le karaoké
    """
)

THINGS_EN = _phrases(
    """
    coffee|green tea|mushrooms|olives|dark chocolate|scuba diving|cycling|pottery|climbing|the piano
    chess|film photography|knitting|woodworking|board games|hiking|handball|astronomy|silent movies
    gardening|sailing|crosswords|running|gypsy jazz|fishing|model trains|judo|baking|calligraphy
    crime novels|yoga|welding|beekeeping|karaoke|badminton|surfing
    """
)

JOBS_FR = _phrases(
    """
    infirmière|développeur|boulanger|professeur de maths|électricien|architecte|sage-femme|notaire
    libraire|géologue|chauffeur de bus|graphiste|vétérinaire|comptable|jardinier|traductrice
    """
)

JOBS_EN = _phrases(
    """
    nurse|developer|baker|maths teacher|electrician|architect|midwife|solicitor|bookseller|geologist
    bus driver|graphic designer|vet|accountant|gardener|translator
    """
)

TIMES_FR = _phrases(
    """
    depuis mars|le mardi soir|tous les dimanches|depuis deux ans|pendant les vacances|en ce moment
    avant Noël|la semaine prochaine|depuis son déménagement|quand il pleut|après le travail
    """
)

TIMES_EN = _phrases(
    """
    since March|on Tuesday evenings|every Sunday|for two years|during the holidays|at the moment
    before Christmas|next week|since the move|when it rains|after work
    """
)

SYLLABLES = _words(
    """
    ker va lon mi ra to bel san dru fa gor li nos pra qui ste tam ul vor wen xa yel zor bri cha
    dou el fro gla hep is jo
    """
)
"""Of these, names are made that occur once or a few times each, as real names and brands do."""

FACTS = (
    "{who} habite à {city} {time_fr}",
    "{who} lives in {city} {time_en}",
    "{who} adore {thing_fr} {time_fr}",
    "{who} loves {thing_en} {time_en}",
    "{who} ne supporte pas {thing_fr}",
    "{who} can't stand {thing_en}",
    "Le chien de {who} s'appelle {rare}",
    "{who}'s cat is called {rare}",
    "{who} travaille comme {job_fr} chez {rare}",
    "{who} works as a {job_en} at {rare}",
    "{who} part à {city} avec {other} {time_fr}",
    "{who} is going to {city} with {other} {time_en}",
    "{who} est allergique au {rare}",
    "{other} est le frère de {who}",
    "{who} and {other} play {thing_en} together in {city} {time_en}",
    "{who} a promis à {other} de lui prêter son livre sur {thing_fr}",
    "{who} lent {other} the {rare} board game {time_en}",
    "{who} veut apprendre {thing_fr} à {city}",
    "{who} wants to open a shop for {thing_en} in {city}",
    "La sœur de {who}, {rare}, est {job_fr} à {city}",
    "{who}'s band {rare} rehearses in {city} {time_en}",
    "{who} a perdu ses clés près du pont de {rare} à {city}",
    "{who} a rendez-vous chez le dentiste à {city} {time_fr}",
    "{who} repainted the kitchen {rare} blue {time_en}",
    "Le mot de passe du wifi chez {who} finit par {number}",
    "{who}'s flat in {city} is number {number}",
)

CHATTER = (
    "quelqu'un a déjà testé {thing_fr} à {city} ?",
    "anyone up for {thing_en} in {city} {time_en}?",
    "{other} m'a encore parlé de {thing_fr} {time_fr}, je n'en peux plus",
    "my train to {city} is late again, thanks {rare}",
    "je viens de finir {rare}, franchement la fin est ratée",
    "the {rare} server is down again, {other} is on it",
    "on se retrouve à {city} {time_fr} avec {other} ?",
    "I burnt the {thing_en} again, {other} will laugh at me",
    "trop bien le concert de {rare} hier soir, merci {other}",
    "je cherche un {job_fr} sérieux vers {city}, vous connaissez ?",
    "does anybody know a good {job_en} near {city}?",
    "regardez ça https://{rare}.example/{number} c'est exactement {thing_fr}",
    "mdr {other} a encore oublié son sac",
    "lol same, {thing_en} is not for me {time_en}",
    "bonne journée tout le monde, ici il pleut sur {city}",
    "new high score: {number} on {rare}, who can beat that",
)

QUESTIONS = (
    "où habite {who} ?",
    "where does {who} live?",
    "il aime quoi {who} déjà ?",
    "what does {who} like?",
    "comment s'appelle le chien de {who} ?",
    "what's the name of {who}'s cat again?",
    "tu sais si {who} part à {city} {time_fr} ?",
    "is {who} still going to {city} with {other} {time_en}?",
    "qui joue à {thing_fr} par ici ?",
    "who could teach me {thing_en}?",
    "tu te souviens de {rare} ?",
    "who told you about {rare}?",
    "il me faudrait un {job_fr} à {city}, une idée ?",
    "do you know a {job_en} in {city}?",
    "c'est quoi le mot de passe du wifi chez {who} ?",
    "j'offre quoi à {who} pour son anniversaire ? {other} pensait à {thing_fr}",
    "what should I bring to {who}'s place, {thing_en} or some {rare}?",
    "je vais à {city} avec {other} {time_fr}, je dois prévenir qui ?",
)

UNRELATED = (
    "combien font {number} fois {number} ?",
    "what's the capital of Mongolia?",
    "raconte une blague sur les pingouins quantiques",
    "how do you spell onomatopoeia",
    "écris un haïku au sujet du zirconium",
    "does the fridge dream of electric cheese",
)
"""What nothing that is kept can answer."""

SMALL = ("ok", "merci !", "lol", "salut eko", "haha", "👍")
"""What is not looked up at all."""
