"""French relatives and trades, and towns without a capital, as regular expressions."""

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
SMALL_CITY = (
    r"(?!la$|l'|cote$|coté$|côté$|deux$|proximité$|moins$|peine$|nouveau$|bord$|bas$|droite$"
    r"|gauche$|plein$|mi-)(?-i:[a-zà-ÿ'-]{4,})$"
)
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
