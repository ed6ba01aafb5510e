"""What is not brought up though it fits: another's own, and what is to be left alone. Pure."""

from collections.abc import Sequence

from memory.language.questions.own import asks_of_own, tells_of_self
from memory.language.text import fold, stems
from memory.model.retrieval import Candidate, Question
from memory.retrieval.query import Query
from memory.rules.forgetting.topic import Topic, topic_of

OF_ANOTHER = "another's own"

LEFT_ALONE = "to be left alone"


def withheld(rows: Sequence[Candidate], question: Question, asked: Query) -> dict[str, str]:
    """Why rows are not brought up for a question, by their reference; most have no reason.

    What others say of their own never answers "my ...". A topic that the person asked to be left
    alone is brought up when they speak of it themselves.
    """
    quiet = [
        topic
        for topic in map(topic_of, question.quiet_topics)
        if not topic.is_among(stems(question.query))
    ]
    is_own = asks_of_own(question.text)
    reasons: dict[str, str] = {}
    for row in rows:
        if is_own and _is_anothers(row, question, asked):
            reasons[row.ref] = OF_ANOTHER
        elif any(_speaks_of(row, topic) for topic in quiet):
            reasons[row.ref] = LEFT_ALONE
    return reasons


def _is_anothers(row: Candidate, question: Question, asked: Query) -> bool:
    if row.author_id is None or question.person in (row.author_id, row.about):
        return False
    is_namesake = fold(row.author or "") in asked.speaker
    names_asker = asked.speaker & set(map(fold, row.subjects)) or _names(row.content, asked)
    if names_asker and not is_namesake:
        return False
    return row.about is not None or tells_of_self(row.content)


def _names(content: str, asked: Query) -> bool:
    said = f" {fold(content)} "
    return any(f" {name} " in said for name in asked.speaker)


def _speaks_of(row: Candidate, topic: Topic) -> bool:
    return topic.is_among(row.words.split()) or topic.is_in(" ".join(row.subjects))
