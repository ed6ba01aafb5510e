"""What a line with reported speech in it says of the person who asks; pure."""

from collections.abc import Collection
from dataclasses import replace

from bot.llm.offline.questions.asked import AskedQuestion
from bot.llm.offline.questions.evidence import holds
from bot.llm.offline.questions.relations import relations_in
from bot.llm.offline.questions.talk import InContext
from bot.llm.offline.questions.weighing import is_specific
from memory.language.chat_spelling import spelt_out
from memory.language.parts.reading import QUOTATION, others_words, own_words


def said_of_asker(asked: AskedQuestion, one: InContext, known: Collection[str]) -> InContext | None:
    """A line as it may answer a question: what it reports says nothing of who asks of themselves.

    It does of the relative that is asked about: `My brother told me: "I live in Nantes"`.
    """
    subject = asked.subject
    if not subject.of_asker or subject.people or not others_words(one.line.text):
        return one
    own = own_words(one.line.text)
    if subject.relations & relations_in(spelt_out(own)):
        return one
    read = replace(one, line=replace(one.line, text=own))
    holds_it = holds(asked.kind, own.replace(QUOTATION, ""), known)
    return read if holds_it or not is_specific(asked.kind) else None
