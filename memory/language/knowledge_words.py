"""The words by which a row of knowledge is found: its own, and those people ask for it with."""

from collections.abc import Mapping

from memory.model.knowledge import KnowledgeKind

ASKED_WITH: Mapping[str, str] = {
    "age": "âge ans old age",
    "birthday": "anniversaire naissance né née birthday born",
    "birthplace": "né née naissance origine born from birthplace",
    "car": "voiture bagnole roule conduit car drives",
    "city": "habite vit ville adresse lives city town address",
    "country": "habite vit pays lives country",
    "email": "mail courriel adresse email address",
    "employer": "travaille bosse boîte entreprise employeur works company employer",
    "job": "travaille travail métier boulot profession works work job profession living",
    "name": "appelle nom prénom name called",
    "partner": "couple conjoint copain copine mari femme partner spouse husband wife",
    "phone": "téléphone numéro portable phone number",
    "project": "projet travaille project works",
    "school": "école étudie études fac université school studies university",
    "workplace": "travaille bosse bureau works office workplace",
}
"""By the key of a core fact, since "est fleuriste" has no word of "quel est son métier ?"."""


def knowledge_words(kind: KnowledgeKind, title: str, content: str) -> str:
    """The text that full text finds a row of knowledge by."""
    asked_with = ASKED_WITH.get(title, "") if kind is KnowledgeKind.FACT else ""
    return f"{title}\n{content}\n{asked_with}"
