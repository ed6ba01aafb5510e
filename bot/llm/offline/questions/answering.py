"""Which line of the talk answers a question, and whether any does; pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from bot.llm.offline.acquaintances import Asker, acquaintances_of, first_name
from bot.llm.offline.plans.answering import PlanAnswer, plan_answer
from bot.llm.offline.questions.asked import (
    ASKING_STEMS,
    AskedKind,
    AskedQuestion,
    kind_of,
    question_text,
    without_asking_words,
)
from bot.llm.offline.questions.claimed import tells, wanted_in
from bot.llm.offline.questions.eligibility import (
    is_learnt,
    is_of_another,
    is_reply,
    may_answer,
)
from bot.llm.offline.questions.evidence import gives_reason, holds, is_hedged, names_author
from bot.llm.offline.questions.likeness import QuestionWords, accented
from bot.llm.offline.questions.meaning import meaning_features
from bot.llm.offline.questions.relations import (
    relations_in,
    relatives_named_in,
    words_of_relations,
)
from bot.llm.offline.questions.reported import said_of_asker
from bot.llm.offline.questions.standing import QuestionStanding
from bot.llm.offline.questions.subjects import (
    folded_names,
    names_in_words,
    subject_of,
    without_frame,
)
from bot.llm.offline.questions.talk import (
    InContext,
    TalkLine,
    aliases_in,
    in_context,
    told_in,
)
from bot.llm.offline.questions.weighing import (
    MAYBE,
    SURE,
    AnswerFeatures,
    is_specific,
    judged,
    of_kind,
    of_question,
    says_all,
    says_just_it,
    says_less,
    says_little,
    scores_of,
)
from memory.claims.reader import is_luring
from memory.claims.signs import signs_in
from memory.language.chat_spelling import is_french
from memory.language.questions.asking import share_that_asks
from memory.language.text import fold, light_stems, stems
from memory.language.word_lists import NEGATIONS
from memory.model.namesakes import NamesOfPeople, unmarked
from memory.model.people import PersonId
from memory.statements.changes import changed_and_changing, takes_back


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAnswer:
    """The line that answers, with how much speaks for it: its score, see `weighing.py`.

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


SeenLines = Mapping[int, AnswerFeatures]
"""What is seen of the line at each place that may answer, in order."""


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
        self._standing = QuestionStanding(
            people=self._people, asker=self._asker, aliases=self._aliases, pet=self._pet
        )
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
        subject = subject_of(plain, text, self._known, self._aliases, self._pet)
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
        seen = self._weighable(asked, text)
        if not seen:
            return None
        scores = dict(zip(seen, scores_of([*seen.values()]), strict=True))
        whole = {at: one for at, one in scores.items() if one >= MAYBE and says_all(seen[at])}
        place = _best(scores)
        if whole and says_little(seen[place]):
            place = _best(whole)
        score = scores[place]
        if asked.kind is AskedKind.NAME and (named := _just_it(place, scores, seen)) != place:
            place, score = named, max(scores[named], min(score, MAYBE))
        score = judged(score, seen[place], asked)
        if score < MAYBE:
            return None
        place = self._in_own_words(place, scores, seen)
        line = self._lines[place].line
        namesakes = self._of_namesakes(asked, place, scores, seen)
        likely = sorted((one, at) for at, one in scores.items() if one >= MAYBE)
        ranked = [self._lines[at].line for _, at in likely]
        rival = next((one for one in reversed(ranked) if self._disagree(line, one)), None)
        if rival is not None and rival.speaker in asked.subject.people:
            line, rival = rival, line  # whose life it is says it first
        return FoundAnswer(line=line, score=score, against=rival, namesakes=namesakes)

    def _in_own_words(self, place: int, weighed: Mapping[int, float], seen: SeenLines) -> int:
        """Where the author of what was learnt says it themself, if a line does; else its place."""
        learnt = self._lines[place].line
        own = {
            at: score
            for at, score in _saying_as_much(place, weighed, seen).items()
            if not self._lines[at].line.stated and self._lines[at].line.speaker == learnt.speaker
        }
        return _best(own) if learnt.stated and own else place

    def _of_namesakes(
        self, asked: AskedQuestion, answer: int, weighed: Mapping[int, float], seen: SeenLines
    ) -> tuple[TalkLine, ...]:
        """What the others say of it whom the question may as well be about: as much of it."""
        keys = asked.subject.people
        speaker = self._lines[answer].line.speaker
        if speaker not in keys:
            return ()
        as_much = _saying_as_much(answer, weighed, seen)
        own = [
            {at: score for at, score in as_much.items() if self._lines[at].line.speaker == key}
            for key in sorted(keys - {speaker})
        ]
        return tuple(self._lines[_best(those)].line for those in own if those)

    def planned(self, text: str) -> PlanAnswer | None:
        """What of a plan of these lines answers a text, where no line does by itself."""
        told = [one.line for one in self._lines if not one.asks_pet]
        return plan_answer(self.read(text), self._asker, told)

    def who_is(self, text: str) -> FoundAnswer | None:
        """The line that tells whose other name a text asks for; None where it asks for none."""
        return self._alias(self.read(text))

    def features(self, text: str) -> Mapping[TalkLine, AnswerFeatures]:
        """What is seen of each line that may answer a text, for the fitting of the weights."""
        seen = self._weighable(self.read(text), text)
        return {self._lines[place].line: features for place, features in seen.items()}

    def _weighable(self, asked: AskedQuestion, text: str) -> SeenLines:
        like = QuestionWords(asked.plain, asked.topic)
        of_replies = asked.subject.of_pet and _OF_REPLIES.search(asked.plain) is not None
        among = [
            (place, read)
            for place, one in enumerate(self._lines)
            if may_answer(one, text)
            and (of_replies or not is_reply(one.line))
            and (read := said_of_asker(asked, one, self._known)) is not None
        ]
        meaning = meaning_features(text, [self._lines[place].line for place, _ in among])
        of_it = of_question(asked, len(among))
        found = [
            (place, {**self._features(asked, read, like, place), **means, **of_it})
            for (place, read), means in zip(among, meaning, strict=True)
        ]
        tells_most = max((one["tells it"] for _, one in found), default=0.0)
        says_most = max((one["coverage"] for _, one in found), default=0.0)
        return {
            place: {**one, "tells most": tells_most, "says less": says_most - one["coverage"]}
            for place, one in found
        }

    @cached_property
    def _changes(self) -> list[tuple[float, float]]:
        """For each line how likely a later one changes it, and it an earlier one."""
        found = [(0.0, 0.0)] * len(self._lines)
        told: dict[str, list[int]] = {}
        for at, one in enumerate(self._lines):
            if not (one.line.by_pet or one.line.stated):
                told.setdefault(one.line.speaker, []).append(at)
        for own in told.values():
            chances = changed_and_changing([told_in(self._lines[at].line) for at in own])
            for at, both in zip(own, chances, strict=True):
                found[at] = both
        return found

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
        is_word_for_word = said.issuperset(asked.topic)
        if relations_in(line.plain) & asked.subject.relations:
            said |= asked.relatives
        coverage = like.coverage(said, set())
        standing = self._standing.of(asked.subject, one)
        news = self._news(one, like)
        near_it = said | set(stems(one.context))
        is_of_class = like.finds(asked.of_class, near_it)
        is_reason = asked.kind is AskedKind.REASON and gives_reason(line.text)
        changed, changing = self._changes[place]
        says_some = bool(asked.topic) and coverage > 0
        found: dict[str, float] = {
            "asks": share_that_asks(line.text),
            "certainty": line.certainty,
            "changed": changed,
            "changing": changing,
            "coverage": coverage,
            "context": like.coverage(said, set(stems(one.context))) - coverage,
            "standing": standing,
            "astray": float(standing <= 0),
            "other relative": float(is_of_another(asked.subject, line)),
            "of a relative": float(self._standing.is_of_unasked(asked.subject, line)),
            "of the class": float(bool(asked.of_class) and is_of_class),
            "of no such class": float(bool(asked.of_class) and not is_of_class),
            "hedged": float(is_hedged(line.plain)),
            "learnt": float(is_learnt(line)),
            "length": min(len(line.text), _LONGEST) / 100,
            "luring": float(is_luring(line.text)),
            "wishes": float(not _WISHES.isdisjoint(signs_in(line.plain))),
            "takes back": float(takes_back(line.plain) and says_some),
            "known of itself": float(line.by_pet and line.stated),
            "to the pet": float(one.to_pet and not line.by_pet),
            "recency": place / max(1, len(self._lines) - 1),
            "other words": float(not is_word_for_word),
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
_WISHES = frozenset(("wish", "suppose", "dream"))
_MOST_NEWS = 5
_LONGEST = 300
_AS_WELL = -3.0
"""The score from which a line that says as much of a question may as well be meant."""

_EVEN = 0.04
"""Scores that are as good as the same: the later line wins."""
_FILLERS = light_stems() | frozenset(
    stems("yes no lol haha mdr ok oh well just really very again btw now still only honestly")
)


def _saying_as_much(
    place: int, weighed: Mapping[int, float], seen: SeenLines
) -> Mapping[int, float]:
    """The scores of the lines that say as much of the question as that at a place."""
    least = seen[place]["coverage"]
    return {
        at: score
        for at, score in weighed.items()
        if score >= _AS_WELL and seen[at]["coverage"] >= least
    }


def _just_it(place: int, weighed: Mapping[int, float], seen: SeenLines) -> int:
    """Where the very thing that is asked about is named, if the line at a place names another.

    Where all have names, a cat is no kitten, and an uncle rather an uncle than an oncle.
    """
    exact = {at: one for at, one in weighed.items() if one >= _AS_WELL and says_just_it(seen[at])}
    word_for_word = {at: one for at, one in exact.items() if not seen[at]["other words"]}
    if word_for_word and seen[place]["other words"]:
        return _best(word_for_word)
    return _best(exact) if exact and says_less(seen[place]) else place


def _best(scores: Mapping[int, float]) -> int:
    """The place of the best score; the later one of those that are as good as the same."""
    best = max(scores.values())
    return max(at for at, score in scores.items() if score >= best - _EVEN)
