"""Which line of the talk answers a question, and whether any does; pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.llm.offline.acquaintances import Asker, acquaintances_of, first_name
from bot.llm.offline.questions.asked import (
    ASKING_STEMS,
    AskedKind,
    AskedQuestion,
    kind_of,
    question_text,
    without_asking_words,
)
from bot.llm.offline.questions.changes import changed_by, takes_back
from bot.llm.offline.questions.claimed import tells, wanted_in
from bot.llm.offline.questions.eligibility import (
    is_learnt,
    is_of_another,
    is_of_unasked,
    is_reply,
    may_answer,
    speaks_of,
)
from bot.llm.offline.questions.evidence import gives_reason, holds, is_hedged, names_author
from bot.llm.offline.questions.likeness import QuestionWords, accented
from bot.llm.offline.questions.relations import (
    relations_in,
    relatives_named_in,
    subject_relation,
    words_of_relations,
)
from bot.llm.offline.questions.reported import said_of_asker
from bot.llm.offline.questions.subjects import (
    Subject,
    folded_names,
    names_in_words,
    subject_of,
    without_frame,
)
from bot.llm.offline.questions.talk import InContext, TalkLine, aliases_in, in_context
from bot.llm.offline.questions.weighing import (
    MAYBE,
    SURE,
    AnswerFeatures,
    as_claimed,
    held_back,
    is_specific,
    of_kind,
    says_all,
    score_of,
    where_words_are_said,
)
from memory.language.chat_spelling import is_french
from memory.language.text import fold, light_stems, stems
from memory.language.word_lists import NEGATIONS
from memory.model.namesakes import NamesOfPeople, unmarked
from memory.model.people import PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAnswer:
    """The line that answers, with how much speaks for it, as a logarithm of odds.

    `against` is the line of another author who is known to say otherwise, `namesakes` are those of
    others who go or went by the name that was asked about.
    """

    line: TalkLine
    score: float
    against: TalkLine | None = None
    namesakes: tuple[TalkLine, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether the line is likely enough to be told as the answer."""
        return self.score >= SURE


Coverage = Mapping[int, float]
"""How much of the question the line at each place says."""


class Answerer:
    """Looks for answers among lines of talk, in the order they were said.

    `asker` is who asks, `pet` are the pet's names, `names` those of the people who are known.
    """

    def __init__(
        self,
        lines: Sequence[TalkLine],
        asker: Asker,
        pet: Collection[str],
        names: NamesOfPeople = MappingProxyType({}),
    ) -> None:
        self._pet = folded_names(pet)
        told = [one for one in lines if not one.by_pet]
        authors = [(one.person, name) for one in told for name in (one.author, one.then)]
        self._people = acquaintances_of(names, [*authors, (asker.person, asker.name)])
        self._asker = self._people.key_of(asker.person, asker.name)
        lines = [self._known_author(one) for one in lines]
        named = {name for one in lines for name in relatives_named_in(one.text)}
        called = {first_name(one.author) for one in told}
        known = called | folded_names([*named, asker.name]) | self._people.bearers.keys()
        self._known = frozenset(known - self._pet - {""})
        self._aliases = aliases_in(lines, self._known)
        self._lines = in_context(lines, self._pet)
        self._disagreeing = {
            frozenset((one.speaker, key))
            for one in lines
            for name in one.against
            for key in self._people.behind(folded_names([unmarked(name)]))
            if one.speaker
        }

    def _known_author(self, line: TalkLine) -> TalkLine:
        """A line with the person behind the name of its author, where only one goes by it."""
        if line.by_pet or line.person or not line.author:
            return line
        key = self._people.key_of(None, line.author)
        is_person = key != first_name(line.author)
        return replace(line, person=PersonId(key)) if is_person else line

    def read(self, text: str) -> AskedQuestion:
        """What a text asks."""
        plain = without_frame(question_text(text))
        plain = " ".join(word for word in plain.split() if word not in self._pet)
        kind = kind_of(plain)
        subject = subject_of(plain, self._known, self._aliases, self._pet)
        named = names_in_words(plain, self._known, self._aliases)
        rest = " ".join(word for word in without_asking_words(plain).split() if word not in named)
        if is_french(plain):
            rest = _POSSESSIVE.sub(" ", rest)
        topic = tuple(
            dict.fromkeys(
                stem
                for stem in [*stems(rest), *accented(text)]
                if stem not in ASKING_STEMS and stem not in NEGATIONS and not _DIGIT.fullmatch(stem)
            )
        )
        classed = _CLASS.search(plain)
        of_class = "" if classed is None else next(iter(stems(classed["noun"])), "")
        return AskedQuestion(
            plain=plain,
            kind=kind,
            subject=replace(subject, people=self._people.behind(subject.people)),
            topic=topic,
            wanted=wanted_in(text),
            of_class=of_class if of_class in topic else "",
            relatives=frozenset(stems(" ".join(words_of_relations(plain)))),
        )

    def answer(self, text: str) -> FoundAnswer | None:
        """The line that answers a text best; None where none may."""
        asked = self.read(text)
        if alias := self._alias(asked):
            return alias
        weighable = self._weighable(asked, text)
        weighed = [
            (score_of(features, is_learnt=is_learnt(self._lines[place].line)), place)
            for place, features in weighable
        ]
        if not weighed:
            return None
        features = dict(weighable)
        if asked.wants_claim:
            weighed = where_words_are_said(weighed, features)
        whole = [one for one in weighed if says_all(one[0], features[one[1]], asked)]
        weighed = whole or weighed
        score, place = _best(weighed)
        if asked.wants_claim:
            score = as_claimed(score, features[place], self._lines[place].line, asked)
        else:
            score = held_back(score, place, features, asked)
        if score < MAYBE:
            return None
        line = self._changed(asked, place).line
        coverage = {at: seen["coverage"] for at, seen in weighable}
        scores = {at: one for one, at in weighed}
        namesakes = self._of_namesakes(asked, place, scores, coverage) if score >= SURE else ()
        ranked = [self._lines[at].line for one, at in sorted(weighed) if one >= SURE]
        rival = next((one for one in reversed(ranked) if self._disagree(line, one)), None)
        if rival is not None and rival.speaker in asked.subject.people:
            line, rival = rival, line  # whose life it is says it first
        return FoundAnswer(line=line, score=score, against=rival, namesakes=namesakes)

    def _of_namesakes(
        self, asked: AskedQuestion, answer: int, weighed: Mapping[int, float], said: Coverage
    ) -> tuple[TalkLine, ...]:
        """What the others say of it whom the question may as well be about: as much of it."""
        keys = asked.subject.people
        speaker = self._lines[answer].line.speaker
        if speaker not in keys:
            return ()
        as_much = [
            (score, place)
            for place, score in weighed.items()
            if score >= MAYBE and said[place] >= said[answer]
        ]
        own = [
            [one for one in as_much if self._lines[one[1]].line.speaker == key]
            for key in sorted(keys - {speaker})
        ]
        return tuple(self._changed(asked, _best(those)[1]).line for those in own if those)

    def who_is(self, text: str) -> FoundAnswer | None:
        """The line that tells whose other name a text asks for; None where it asks for none."""
        return self._alias(self.read(text))

    def features(self, text: str) -> Mapping[TalkLine, AnswerFeatures]:
        """What is seen of each line that may answer a text, for the fitting of the weights."""
        weighable = self._weighable(self.read(text), text)
        return {self._lines[place].line: features for place, features in weighable}

    def _weighable(self, asked: AskedQuestion, text: str) -> list[tuple[int, AnswerFeatures]]:
        like = QuestionWords(asked.plain, asked.topic)
        of_replies = asked.subject.of_pet and _OF_REPLIES.search(asked.plain) is not None
        return [
            (place, self._features(asked, read, like, place))
            for place, one in enumerate(self._lines)
            if may_answer(one.line, text)
            and (of_replies or not is_reply(one.line))
            and (read := said_of_asker(asked, one, self._known)) is not None
        ]

    def _disagree(self, one: TalkLine, other: TalkLine) -> bool:
        """Whether it is known that the authors of two lines say otherwise than each other."""
        authors = frozenset((one.speaker, other.speaker))
        return authors in self._disagreeing

    def _alias(self, asked: AskedQuestion) -> FoundAnswer | None:
        """The line that says whose other name one is: "who is dev?"."""
        if asked.kind not in {AskedKind.PERSON, AskedKind.NAME} or len(asked.topic) > 1:
            return None
        for one in self._lines:
            said = set(fold(one.line.text).replace("=", " ").split())
            for alias, name in self._aliases.items():
                if {alias, f"{alias}s"} & set(asked.plain.split()) and {alias, name} <= said:
                    return FoundAnswer(line=one.line, score=SURE)
        return None

    def _features(
        self, asked: AskedQuestion, one: InContext, like: QuestionWords, place: int
    ) -> AnswerFeatures:
        line = one.line
        said = {*stems(line.plain), *accented(line.text)}
        if relations_in(line.plain) & asked.subject.relations:
            said |= asked.relatives
        coverage = like.coverage(said, set())
        standing = self._standing(asked.subject, one)
        news = self._news(one, like)
        near_it = said | set(stems(one.context))
        is_of_class = like.finds(asked.of_class, near_it)
        is_reason = asked.kind is AskedKind.REASON and gives_reason(line.text)
        found: dict[str, float] = {
            "coverage": coverage,
            "context": like.coverage(said, set(stems(one.context))) - coverage,
            "standing": standing,
            "astray": float(standing <= 0),
            "other relative": float(is_of_another(asked.subject, line)),
            "of a relative": float(is_of_unasked(asked.subject, line)),
            "of the class": float(bool(asked.of_class) and is_of_class),
            "of no such class": float(bool(asked.of_class) and not is_of_class),
            "hedged": float(is_hedged(line.plain)),
            "known of itself": float(line.by_pet and line.stated),
            "to the pet": float(one.to_pet and not line.by_pet),
            "recency": place / max(1, len(self._lines) - 1),
            "says nothing": float(not news and not is_specific(asked.kind)),
            "news": min(news, _MOST_NEWS) / _MOST_NEWS,
            "reason": float(is_reason),
            "tells it": tells(line, asked) if standing > 0 and not line.by_pet else 0.0,
        }
        names = self._known | self._aliases.keys()
        holds_it = is_specific(asked.kind) and holds(asked.kind, line.text, names)
        if asked.is_of_own_name:
            holds_it = names_author(line.plain)
        return {**found, **of_kind(asked.kind, held=holds_it, text=line.text)}

    def _news(self, one: InContext, like: QuestionWords) -> int:
        """How many words of content a line says that the question does not."""
        names = names_in_words(one.line.plain, self._known, self._aliases)
        old = set(stems(" ".join(names)))
        said = [stem for stem in stems(one.line.plain) if stem not in _FILLERS]
        return sum(not like.says(stem) and stem not in old for stem in dict.fromkeys(said))

    def _standing(self, subject: Subject, one: InContext) -> float:
        """How far a line is of, or about, whom the question is about, in 0..1."""
        if subject.of_pet and not subject.people:
            return self._of_pet(subject, one)
        if one.line.by_pet:
            return 0.0
        if subject.people:
            return self._of_people(subject, one.line)
        if subject.of_asker and not subject.of_group:
            return self._of_asker(one.line)
        return 1.0 if one.line.speaker == self._asker else _OTHERS_WORD

    def _of_people(self, subject: Subject, line: TalkLine) -> float:
        names = self._people.names_of(subject.people)
        others = {alias for alias, name in self._aliases.items() if name in names}
        about = any(speaks_of(name, line.text) for name in names | others)
        is_theirs = line.speaker in subject.people
        return 1.0 if is_theirs or about else 0.0

    def _of_asker(self, line: TalkLine) -> float:
        if line.speaker != self._asker:
            names = self._people.names_of({self._asker})
            return 0.8 if any(speaks_of(name, line.text) for name in names) else 0.0
        is_of_another = _THIRD.search(line.plain) and not _FIRST.search(line.plain)
        return 0.7 if is_of_another else 1.0

    def _of_pet(self, subject: Subject, one: InContext) -> float:
        line = one.line
        if line.by_pet:
            return 0.85 if not subject.of_asker else 0.5
        names = bool(set(line.plain.split()) & self._pet)
        spoken_to = one.to_pet and _SECOND.search(line.plain) is not None
        if not (names or spoken_to):
            return 0.0
        if subject.of_asker and line.speaker != self._asker:
            return 0.5
        return 1.0

    def _changed(self, asked: AskedQuestion, place: int) -> InContext:
        """The line that takes back what the best one says, among its author's next ones."""
        if asked.wants_claim:
            return self._changed_claim(asked, place)
        best = self._lines[place]
        later = [
            one
            for one in self._lines[place + 1 :]
            if one.line.speaker == best.line.speaker
            and one.line.room == best.line.room
            and not one.line.by_pet
        ][:_NEXT]
        for one in later:
            if (
                takes_back(one.line.plain, plainly=not is_specific(asked.kind))
                and not one.line.is_question
                and holds(asked.kind, one.line.text, self._known)
                and not subject_relation(one.line.plain)
            ):
                return one
        return best

    def _changed_claim(self, asked: AskedQuestion, place: int) -> InContext:
        """The line after which it is so no more, of its author's later ones."""
        best = self._lines[place]
        later = [
            one
            for one in self._lines[place + 1 :]
            if one.line.speaker == best.line.speaker
            and not one.line.by_pet
            and (asked.subject.relations or not subject_relation(one.line.plain))
        ]
        changed = changed_by(best.line, [one.line for one in later], asked)
        return best if changed is None else later[changed]


_FIRST = re.compile(r"\b(?:i|me|my|we|our|us|mine|je|j|m|me|moi|mon|ma|mes|on|nous|notre|nos)\b")
_THIRD = re.compile(
    r"^(?!(?:it|that|this|there|c|ca|ce|il y|the|le|la|les|my|mon|ma)\b)(?:he|she|they|il|elle"
    r"|\w+) (?:a|has|got|had|ont) "
)
"""A line without its author: "lucas a eu 14"."""
_POSSESSIVE = re.compile(r"\bson\b")
_DIGIT = re.compile(r"\d")
_CLASS = re.compile(
    r"\b(?:which|what|how many|quel(?:le)?s?|combien (?:de|d)|comme|c est quoi l[ae]s?)"
    r" (?!is\b|are\b|s\b|was\b|did\b|do\b|does\b|have\b|has\b|can\b|would\b|will\b|am\b|i\b"
    r"|we\b|est\b|sont\b|nouve\w+\b|trucs?\b|thing)(?P<noun>\w+)"
)
_OF_REPLIES = re.compile(
    r"\b(?:say|said|tell|told|answer\w*|dit|dis|disais|repond\w*|raconte\w*|promis\w*|promise\w*)\b"
)
"""Asks for what the pet said."""
_MOST_NEWS = 5
_EVEN = 0.04
"""Scores that are as good as the same: the later line wins."""
_NEXT = 3
_SECOND = re.compile(r"\b(?:you|your|yours|tu|te|t|toi|ton|ta|tes)\b")
_FILLERS = light_stems() | frozenset(
    stems("yes no lol haha mdr ok oh well just really very again btw now still only honestly")
)
_OTHERS_WORD = 0.95
"""Where no one is meant, who asks is meant a little more."""


def _best(weighed: Sequence[tuple[float, int]]) -> tuple[float, int]:
    """The best score with its place; the later one of those that are as good as the same."""
    best = max(score for score, _ in weighed)
    return max((one for one in weighed if one[0] >= best - _EVEN), key=lambda one: one[1])
