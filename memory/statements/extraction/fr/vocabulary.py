"""The French words that stand around a verb in a statement, as regular expressions."""

FAMILY = (
    r"(?:(?:petit|grand|petite|grande|demi|ex|futur|future|nouveau|nouvelle|meilleur"
    r"|meilleure)[ -])?"
    r"(?:frères?|s(?:œ|oe)urs?|mère|père|maman|papa|fils|filles?|mari|femme|épouse|époux|compagnon"
    r"|compagne|copain|copine|ami|amie|oncle|tante|cousins?|cousines?|neveu|nièce|parents?|enfants?"
    r"|grands-parents|beau-père|belle-mère|beau-frère|belle-s(?:œ|oe)ur|fiancée?|jumeau|jumelle"
    r"|bébé"
    r"|chiens?|chiennes?|chats?|chattes?|chatons?|chiot|lapin|cheval|perroquet|hamster|voisine?"
    r"|collègue|coloc(?:ataire)?|patronne?|chef|prof|boss|médecin|dentiste|psy)"
)
DATE = (
    r"(?:demain|après-demain|ce soir|ce week-?end|lundi|mardi|mercredi|jeudi|vendredi|samedi"
    r"|dimanche|la semaine prochaine|le mois prochain|l'année prochaine|le \d|dans (?:\d+|une?"
    r"|deux|trois|quelques) (?:jours?|semaines?|mois|ans?)|en (?:janvier|février|mars|avril|mai"
    r"|juin|juillet|août|septembre"
    r"|octobre|novembre|décembre)|cet été|cet hiver|cet après-midi|aujourd'hui|bientôt)"
)
CAPITAL = r"(?-i:[A-ZÀ-Ý])[\w'’-]*"
CITY = rf"{CAPITAL}(?:[ -]{CAPITAL})*"
SMALL_CITY = (
    r"(?!la$|l'|cote$|coté$|côté$|deux$|proximité$|moins$|peine$|nouveau$|bord$|bas$|droite$"
    r"|gauche$|plein$|mi-)(?-i:[a-zà-ÿ'-]{4,})$"
)
PLACE = (
    rf"(?:à|a)\s+(?P<city>{CITY}|{SMALL_CITY})|(?:en|au|aux)\s+(?P<country>{CAPITAL})\b(?!\s+de)"
)
WHERE = (
    rf"(?!(?:à|a) (?:côté|cote|proximité|deux pas)\b)(?:{PLACE}|(?:à|a|au|aux|en|dans|chez|près"
    rf"|seule?s?|rue|avec|loin|sous|depuis)\b(?! moins))"
)
TO_PLACE = rf"(?:à|a|au|aux|en|pour|dans|vers|chez|vivre|habiter)\s+(?:l[ae']\s?)?{CAPITAL}"
TRIP = rf"(?:{TO_PLACE}|(?:en vacances|en voyage|en week-?end|à l'étranger)\b|.{{0,60}}\b{DATE}\b)"
JOB = (
    r"(?:(?:une?|ancien|ancienne|jeune)\s+)*(?:infirmi(?:er|ère)|médecin|docteur|chirurgien(?:ne)?"
    r"|dentiste|pharmacien(?:ne)?|kiné|psychologue|vétérinaire|sage-femme|ingénieure?"
    r"|développeu(?:r|se)|dev|programmeu(?:r|se)|informaticien(?:ne)?|graphiste|designeu?r|prof"
    r"|professeure?|enseignante?|instit(?:utrice|uteur)?|étudiante?|lycéen(?:ne)?|chercheu(?:r|se)"
    r"|doctorante?|avocate?|juge|notaire|comptable|banqui(?:er|ère)|journaliste|écrivaine?|auteure?"
    r"|traduct(?:eur|rice)|musicien(?:ne)?|chanteu(?:r|se)|pianiste|guitariste|act(?:eur|rice)"
    r"|photographe|architecte|maçon|plombi(?:er|ère)|électricien(?:ne)?|menuisi(?:er|ère)"
    r"|mécanicien(?:ne)?|garagiste|boulang(?:er|ère)|boucher|cuisini(?:er|ère)|pâtissi(?:er|ère)"
    r"|serveu(?:r|se)|coiffeu(?:r|se)|vendeu(?:r|se)|caissi(?:er|ère)|factrice|facteur"
    r"|pompi(?:er|ère)|polici(?:er|ère)|gendarme|militaire|pilote|hôtesse|chauffeur"
    r"|conduct(?:eur|rice)"
    r"|agricult(?:eur|rice)|jardini(?:er|ère)|fleuriste|consultante?|freelance|indépendante?"
    r"|fonctionnaire|secrétaire|assistante?|direct(?:eur|rice)|manageuse|libraire|bibliothécaire"
    r"|astronome|biologiste|chimiste|physicien(?:ne)?|mathématicien(?:ne)?|stagiaire|apprentie?"
    r"|retraitée?|artiste|peintre|sculpteur|danseu(?:r|se)|prêtre|éducat(?:eur|rice)|auxiliaire)\b"
)
PEOPLE_OF = (
    r"(?:français|belge|suisse|canadien|québécois|anglais|allemand|italien|espagnol|portugais"
    r"|breton"
    r"|marocain|algérien|tunisien|sénégalais|américain|polonais|grec|turc|russe|ukrainien|chinois"
    r"|japonais|libanais|brésilien|parisien|lyonnais|marseillais|toulousain|bordelais|corse|basque"
    r"|alsacien|normand|juif|juive|musulman|catholique|bouddhiste|athée|protestant)(?:e|ne|s)?\b"
)
STATE = (
    r"(?:très\s+)?(?:allergique|intolérante?|végétarien(?:ne)?|végane?|vegan|végétalien(?:ne)?"
    r"|diabétique|asthmatique|épileptique|daltonien(?:ne)?|gauch(?:er|ère)|droiti(?:er|ère)"
    r"|insomniaque|myope|sourde?|aveugle|dyslexique|autiste|célibataire|mariée?|divorcée?"
    r"|veu(?:f|ve)"
    r"|fiancée?|pacsée?|séparée?|papa|maman|père|mère|grand-père|grand-mère|tonton|en couple"
    r"|à la retraite|au chômage|née? (?:à|a|en|le|au)\b|originaire d|d'origine|fan d"
    r"|passionnée? (?:de"
    r"|par|d')|accro |membre d|bénévole|d(?:e|u)\s+(?-i:[A-ZÀ-Ý])|enceinte|en fauteuil"
    r"|fils unique|fille unique|l'aînée?|le cadet|la cadette|(?:le|la|l')\s?"
    rf"(?:{FAMILY})\s+d(?:e\s|u\s|'){CAPITAL})"
)
OWNED = (
    r"(?:pas )?(?:une?|deux|trois|quatre|cinq|six|des|d['e]|plus d['e]|\d+)\s*"
    r"(?:(?:petit|petite|petits|grand|grande|jeune|vieux|vieille|nouveau|nouvelle|autre)s?\s+)?"
    r"(?:frères?|s(?:œ|oe)urs?|fils|filles?|enfants?|garçons?|gosses?|jumeaux|jumelles|bébé"
    r"|cousins?"
    r"|chiens?|chiennes?|chats?|chattes?|chatons?|chiots?|lapins?|chevaux|cheval|poules?|perroquet"
    r"|hamsters?|tortues?|poissons?|voiture|moto|scooter|vélo|maison|jardin|potager"
    r"|appart(?:ement)?"
    r"|piscine|permis|copine|copain|compagne|mari|femme|allergies?|intolérance|phobie|diabète"
    r"|asthme"
    r"|cancer|tatouages?|entreprise|boîte|boutique|restaurant|ferme|doctorat|master|diplôme"
    r"|belle-mère|handicap)\b"
)
MEETING = (
    r"(?:une? )?(?:rendez-vous|rdv|entretien|exam(?:en)?s?|concert|match|réunion|partiels?"
    r"|opération"
    r"|audition|soutenance|mariage|vol|train|avion|cours|consultation|déménagement|anniversaire"
    rf"|compétition|tournoi|oral|soirée|visite)\b.*\b{DATE}"
)
HAD = (
    r"(?:déménagé|emménagé|grandi (?:à|en|au|dans)|vécu|arrêté (?:de fumer|de boire|le|la|l'|mes)"
    r"|adopté|acheté (?:une? |ma |mon )(?:\w+ )?(?:maison|appart(?:ement)?|voiture|moto|bateau|vélo"
    r"|terrain|piano|guitare)|perdu m(?:on|a) (?:travail|boulot|job|père|mère|chien|chienne|chat"
    r"|chatte|frère|s(?:œ|oe)ur|mari|femme|grand-mère|grand-père|portefeuille|emploi|bébé)"
    r"|trouvé (?:un|mon)"
    r" (?:travail|boulot|job|appart|appartement|emploi|stage)|obtenu (?:mon|un|le|la)|eu (?:mon"
    r"|le|un)"
    r" (?:bac|permis|diplôme|bébé|enfant|garçon|accident|concours)|eu une (?:fille|promotion)"
    r"|démissionné|été (?:opérée?|licenciée?|embauchée?|promue?|hospitalisée?)|épousé|rencontré m"
    r"|commencé (?:un|une|mon|ma|le|la|l')|étudié|quitté (?:mon|ma|Paris)|réussi (?:mon|le|ma|l')"
    r"|raté (?:mon|le)|gagné (?:le|la|un|une)|cassé (?:ma|mon) (?:voiture|jambe|bras|téléphone))\b"
)
THINGS = (
    r"(?!l'(?:idée|impression)|le (?:principe|concept|faire|fait)|la (?:façon|manière)|qu|comment"
    r"|quand|pas mal|mieux|(?:croire|savoir|voir|être|avoir|attendre|rester|dire|partir"
    r"|faire ça)\b)"
    rf"(?:(?:le|la|les|l'|un|une|des|du|d'|mon|ma|mes|tous|toutes)\s?\S+|{CAPITAL}|\w+(?:er|ir"
    rf"|re)\b)"
)
LANGUAGES = (
    r"(?:(?:un peu|couramment|très bien|bien|le|l')\s*)*(?:français|anglais|allemand|espagnol"
    r"|italien"
    r"|portugais|arabe|chinois|mandarin|japonais|coréen|russe|polonais|néerlandais|turc|grec|breton"
    r"|occitan|basque|catalan|corse|créole|hébreu|suédois|norvégien|danois|roumain|ukrainien|latin|finnois|hongrois|tchèque|hindi"
    r"|espéranto|langue des signes)\b"
)
SKILLS = r"(?:à\s+(?!le\b)\w+(?:er|ir|re)\b|(?:le|la|l'|les)\s?\w+)"  # à cuisiner, le piano
AMBITION = (
    r"(?:(?:vraiment |bien |aussi )?(?:apprendre (?:à|le|la|l'|les)\s?\w+|devenir\b"
    r"|arrêter (?:de|le|la"
    r"|l')|visiter\b|voyager|acheter (?:une?|ma|mon) (?:maison|appart|appartement|voiture|moto|vélo"
    r"|terrain|piano|guitare)|changer de (?:travail|boulot|vie|métier|voiture|ville)|trouver (?:un"
    r" (?:travail|boulot|job|appart|emploi|stage|logement))|écrire (?:un|mon) (?:livre|roman)"
    r"|passer (?:mon"
    r"|le) (?:permis|bac|concours)|courir (?:un|le) \w+|perdre du poids|perdre \d+|monter (?:ma"
    r"|une) boîte"
    r"|créer (?:ma|mon|une) (?:boîte|entreprise|société)|(?:m'installer|vivre|habiter|partir"
    r"|aller vivre"
    r"|déménager)\s+(?:à|en|au|aux|dans)\b|reprendre (?:mes études|le|la)|avoir (?:des enfants"
    r"|un enfant"
    r"|un chien|un chat)))"
)
CHORE = (
    r"(?:(?:absolument|encore|vraiment|bientôt|penser à)\s+)*(?:(?:appeler|rappeler|acheter|payer"
    r"|réserver|renouveler|envoyer|récupérer|finir|terminer|écrire|rendre|annuler|inscrire|nettoyer"
    r"|préparer|prendre rendez-vous|prendre rdv|poster|déposer|déclarer|réviser|répondre|ranger"
    rf"|commander|vacciner|amener|emmener|aller chercher|aller chez)\b|.*\b{DATE}\b)"
)
SOON = (
    r"(?:déménager|partir|me marier|me pacser|changer de|passer (?:mon|le|l'|un)|avoir (?:un"
    r"|une|\d+)"
    r"|acheter|commencer|emménager|voir (?:le|la|les|l'|m\w+|un|une)|aller|rentrer|revenir"
    r"|être (?:papa|maman|opérée?|absente?"
    r"|en vacances)|courir|fêter|adopter|démissionner|prendre|jouer|rendre visite|chez|au|à|en)\b"
    rf"(?:.*\b{DATE}\b|\s+(?:papa|maman)\b|\s+(?:à|en|au|aux)\s+{CAPITAL})"
)
SPORT = (
    r"(?:du|de la|de l'|des|d'|le|la|au|aux|à la|à l')\s?(?:sport|vélo|yoga|foot(?:ball)?"
    r"|basket|tennis"
    r"|rugby|judo|karaté|natation|danse|course|escalade|randonnée|rando|ski|surf|voile|équitation"
    r"|boxe|muscu(?:lation)?|piano|guitare|violon|batterie|flûte|saxo(?:phone)?|trompette"
    r"|violoncelle"
    r"|accordéon|harpe|ukulélé|basse|théâtre|chorale|chant|photo|peinture|poterie|couture|tricot"
    r"|jardinage|échecs|poker|bridge|pétanque|handball|volley|golf|badminton|escrime|ping-pong"
    r"|droit|médecine|belote)\b"
)
HURT = (
    r"(?:cassé|cassée|fracturé|fracturée|foulé|foulée|blessé|blessée|brûlé|brûlée|tordu|tordue"
    r"|coupé"
    r"|coupée|marié|mariée|fiancé|fiancée|séparé|séparée|pacsé|pacsée|installé|installée|inscrit"
    r"|inscrite|remis|remise|fait (?:opérer|voler|licencier|tatouer|vacciner|mal|opéré|virer))\b"
)

NAME = rf"(?P<name>{CAPITAL}(?:[ -]{CAPITAL})?)"
