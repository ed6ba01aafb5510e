"""What a good companion says to what no told line answers; pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo

from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.choosing import one_of, plain_line, without_missing_name
from bot.llm.offline.manners.acts import SpeechAct
from bot.llm.offline.manners.reading import Recognition
from bot.llm.offline.questions.asked import AskedKind
from bot.llm.offline.questions.evidence import holds
from bot.llm.offline.questions.talk import TalkLine
from bot.llm.offline.second_person import said_back
from bot.llm.offline.summing_up import lines_meant, shortened, telling, told_together
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts
from memory.language.chat_spelling import spelt_out
from memory.language.dates_in_words import day, time_of_day, weekday
from memory.language.detection import nothing_to_look_up
from memory.language.text import fold

_SIGNED = frozenset(
    {
        SpeechAct.THANKS,
        SpeechAct.GOOD_NIGHT,
        SpeechAct.FAREWELL,
        SpeechAct.LAUGHTER,
        SpeechAct.SIGNS,
    }
)
"""In a group words for these are noise to everybody else."""

_EXPRESSIONS: Mapping[SpeechAct, Expression] = {
    SpeechAct.INSULT: Expression.SAD,
    SpeechAct.HUSH: Expression.NEUTRAL,
    SpeechAct.CRISIS: Expression.SAD,
    SpeechAct.HEARTBREAK: Expression.SAD,
    SpeechAct.MOURNING: Expression.SAD,
    SpeechAct.LONELY: Expression.SAD,
    SpeechAct.TIRED: Expression.SAD,
    SpeechAct.SADNESS: Expression.SAD,
    SpeechAct.THANKS: Expression.LOVE,
    SpeechAct.LOVE: Expression.LOVE,
    SpeechAct.FONDNESS: Expression.LOVE,
    SpeechAct.GOOD_NIGHT: Expression.SLEEPY,
    SpeechAct.FAREWELL: Expression.SLEEPY,
    SpeechAct.FLIRT: Expression.SURPRISED,
    SpeechAct.AFFECTION: Expression.LOVE,
    SpeechAct.WELL_WISHING: Expression.LOVE,
    SpeechAct.WORLD: Expression.CURIOUS,
    SpeechAct.OPENER: Expression.CURIOUS,
    SpeechAct.WRONG: Expression.SAD,
    SpeechAct.OPINION: Expression.THINKING,
    SpeechAct.ADVICE: Expression.THINKING,
    SpeechAct.SUM_UP: Expression.THINKING,
    SpeechAct.AGREEMENT: Expression.NEUTRAL,
}

_OLD_NEWS, _STALE = timedelta(hours=18), timedelta(days=45)
"""A plan is asked about once it may be over, and while it is not long past."""

_FINE_WEATHER = re.compile(r"\b(?:sunny|sunshine|lovely|beau|soleil|grand ciel bleu)\b")
_IN_VAIN = re.compile(r"\b(?:anyway|tant pis|quand meme|never ?mind|for nothing|pour rien)\b")
_WISHES = re.compile(
    r"\b(?:would like|want|wish|dream|hope|love to|aimerais|voudrais|reve|envie|souhaite|veux"
    r"|espere)\b"
)
_AHEAD = re.compile(
    r"\b(?:starting|start|going|flying|moving|have|is on|on|tomorrow|next|my|passe|pars|vais"
    r"|commence|ai|descends|aurai"
    r"|jusqu)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkScene:
    """What a companion knows as it speaks: to whom, when, in which language, and what was said.

    `now` is aware. `talk` is all that was said, oldest first, `here` of it what was said in this
    room. `own` is what it knows and wants of itself, `people` are the others it names,
    `called` the pet's names.
    """

    text: str
    name: str
    now: datetime
    zone: tzinfo
    texts: Texts
    in_group: bool
    talk: Sequence[TalkLine] = ()
    here: Sequence[TalkLine] = ()
    own: Sequence[str] = ()
    people: frozenset[str] = frozenset()
    called: Sequence[str] = ()
    asker: Asker = field(default_factory=Asker)

    @property
    def own_lines(self) -> list[TalkLine]:
        """What the person said in this room."""
        asker = self.asker
        return [
            one for one in self.here if not one.by_pet and asker.is_author(one.person, one.author)
        ]

    @property
    def is_courtesy(self) -> bool:
        """Whether nothing but courtesy was said."""
        return "?" not in self.text and nothing_to_look_up(self.text, self.called)

    def one_of(self, key: str, **values: object) -> str:
        """One of the texts of a manner."""
        choices = self.texts.choices(f"offline.manners.{key}", name=self.name, **values)
        chosen = one_of(choices, f"{self.text}{self.now:%H%M}")
        return chosen if self.name else without_missing_name(chosen)

    def quoted(self, line: TalkLine) -> str:
        """A line of the person as it is said back to them."""
        return plain_line(said_back(line.text) or line.text)


def reply_to_manner(manner: Recognition, scene: TalkScene) -> Reply:
    """What is said to a text that is this: for its act, or for what its family has in common."""
    act = manner.act
    if act is None:
        return Reply(text=scene.one_of(f"of_{manner.family}"), expression=Expression.NEUTRAL)
    expression = _EXPRESSIONS.get(act, Expression.HAPPY)
    if scene.in_group and act in _SIGNED and scene.is_courtesy:
        return Reply(text=sign_for(act, scene.text), expression=expression)
    said = _SAID.get(act)
    return Reply(text=said(scene) if said else scene.one_of(act.value), expression=expression)


def sign_for(manner: SpeechAct, text: str) -> str:
    """One emoji, always the same for the same words."""
    if manner is SpeechAct.GOOD_NIGHT:
        return "🌙"
    if manner is SpeechAct.FAREWELL:
        return "👋"
    return one_of(("💛", "🤗") if manner is SpeechAct.THANKS else ("😄", "😂"), text)


def _clock(scene: TalkScene) -> str:
    told = time_of_day(scene.now, scene.zone, scene.texts.language)
    return scene.one_of("clock", time=" ".join(told.split()))


def _date(scene: TalkScene) -> str:
    if _WEEK_NUMBER.search(spelt_out(scene.text)):
        week = scene.now.astimezone(scene.zone).isocalendar().week
        return scene.one_of("week_number", week=week)
    return scene.one_of("date", date=day(scene.now, scene.zone, scene.texts.language))


_WEEK_NUMBER = re.compile(r"\bweek (?:number|is|are)\b|\b(?:numero de|quelle) semaine\b")


def _weekend(scene: TalkScene) -> str:
    today = weekday(scene.now, scene.zone, scene.texts.language)
    left = _SATURDAY - scene.now.astimezone(scene.zone).weekday()
    if left <= 0:
        return scene.one_of("weekend_yes", today=today)
    return scene.texts.say("offline.manners.weekend_no", today=today, count=left)


_SATURDAY = 5


def _countdown(scene: TalkScene) -> str:
    plain = spelt_out(scene.text)
    what, month, number = next(
        (feast for pattern, feast in _FEASTS if pattern.search(plain)), ("christmas", 12, 25)
    )
    today = scene.now.astimezone(scene.zone).date()
    at = date(today.year, month, number)
    at = at if at >= today else at.replace(year=today.year + 1)
    if at == today:
        return scene.one_of("countdown_today")
    return scene.texts.say(
        "offline.manners.countdown",
        count=(at - today).days,
        what=scene.texts.say(f"offline.manners.{what}"),
        date=day(datetime.combine(at, time(12), scene.zone), scene.zone, scene.texts.language),
    )


_FEASTS = (
    (re.compile(r"new year|nouvel an"), ("new_year", 1, 1)),
    (re.compile(r"halloween"), ("halloween", 10, 31)),
)


def _identity(scene: TalkScene) -> str:
    known = [one for one in scene.own if not _WISHES.search(fold(one))] or list(scene.own)
    if known:
        return scene.one_of("identity_known", what=plain_line(known[0]))
    return scene.one_of("identity")


def _wish(scene: TalkScene) -> str:
    wished = [one for one in scene.own if _WISHES.search(fold(one))]
    return plain_line(wished[0]) if wished else scene.one_of("no_wish")


def _lobby(scene: TalkScene) -> str:
    heard = [one for one in scene.talk if not one.private and not one.by_pet and not one.stated]
    if not heard:
        return scene.one_of("see_empty_lobby")
    return scene.one_of("see_lobby", what=told_together(heard[-1:], _quotes(scene)))


def _sum_up(scene: TalkScene) -> str:
    meant = lines_meant(
        scene.text,
        [one for one in scene.talk if not one.stated],
        scene.now,
        scene.zone,
        in_group=scene.in_group,
        people=scene.people,
    )
    said = telling(meant)
    if not said:
        between = _BETWEEN_US.search(spelt_out(scene.text))
        return scene.one_of("nothing_between_us" if between else "nothing_said")
    return scene.texts.say("offline.manners.summed_up", what=told_together(said, _quotes(scene)))


_BETWEEN_US = re.compile(r"\b(?:nous deux|you and (?:i|me)|us two)\b")


def _quotes(scene: TalkScene) -> tuple[str, str]:
    return ("« ", " »") if scene.texts.language == "fr" else ("“", "”")


def _greeting(key: str) -> Callable[[TalkScene], str]:
    def greeted(scene: TalkScene) -> str:
        asked = _to_ask_about(scene)
        if asked is None:
            return scene.one_of(key)
        return scene.one_of(f"{key}_asking", what=shortened(scene.quoted(asked)))

    return greeted


def _to_ask_about(scene: TalkScene) -> TalkLine | None:
    """A plan that the person told here and that may be over by now."""
    own = scene.own_lines
    if not own or not _OLD_NEWS <= scene.now - own[-1].at <= _STALE:
        return None
    plans = [
        one
        for one in own[-3:]
        if not one.is_question
        and scene.now - one.at >= _OLD_NEWS
        and _AHEAD.search(one.plain)
        and holds(AskedKind.TIME, one.text, ())
    ]
    return plans[-1] if plans else None


def _advice(scene: TalkScene) -> str:
    own = scene.own_lines
    told = [one for one in own if not one.is_question and len(one.plain.split()) > _TELLS]
    recent = [one for one in told if scene.now - one.at <= timedelta(days=7)]
    if recent:
        return scene.one_of("advice_about", what=shortened(scene.quoted(recent[-1])))
    return scene.one_of("advice")


_TELLS = 3


def _thanks(scene: TalkScene) -> str:
    if _IN_VAIN.search(spelt_out(scene.text)):
        return scene.one_of("thanks_for_nothing")
    return scene.one_of("thanks")


def _weather(scene: TalkScene) -> str:
    is_fine = _FINE_WEATHER.search(spelt_out(scene.text))
    return scene.one_of("weather_fine" if is_fine else "weather")


_SAID: Mapping[SpeechAct, Callable[[TalkScene], str]] = {
    SpeechAct.CLOCK: _clock,
    SpeechAct.DATE: _date,
    SpeechAct.WEEKEND: _weekend,
    SpeechAct.COUNTDOWN: _countdown,
    SpeechAct.IDENTITY: _identity,
    SpeechAct.WISH: _wish,
    SpeechAct.LOBBY: _lobby,
    SpeechAct.SUM_UP: _sum_up,
    SpeechAct.GREETING: _greeting("greeting"),
    SpeechAct.BACK: _greeting("back"),
    SpeechAct.ADVICE: _advice,
    SpeechAct.THANKS: _thanks,
    SpeechAct.WEATHER: _weather,
    SpeechAct.JOKE_WANTED: lambda scene: scene.one_of("jokes"),
    SpeechAct.SECRET: lambda scene: scene.one_of("secret_in_group" if scene.in_group else "secret"),
    SpeechAct.CAN_DO: lambda scene: scene.one_of("can_do_in_group" if scene.in_group else "can_do"),
}
