"""What a message to a companion may be, and which of these are met alike; pure."""

from collections.abc import Mapping
from enum import StrEnum


class SpeechAct(StrEnum):
    """What a message is, as what its reply has to answer."""

    GREETING = "greeting"
    BACK = "back"
    HOW_ARE_YOU = "how_are_you"
    GOOD_NIGHT = "good_night"
    FAREWELL = "farewell"
    THANKS = "thanks"
    APOLOGY = "apology"
    AGREEMENT = "agreement"
    LAUGHTER = "laughter"
    WELL_WISHING = "well_wishing"
    LOVE = "love"
    FLIRT = "flirt"
    AFFECTION = "affection"
    FONDNESS = "fondness"
    INSULT = "insult"
    HUSH = "hush"
    TEASE = "tease"
    WRONG = "wrong"
    DOUBT = "doubt"

    IDENTITY = "identity"
    PERSON_OR_BOT = "person_or_bot"
    MACHINE = "machine"
    MAKER = "maker"
    GENDER = "gender"
    AGE = "age"
    LIFE = "life"
    TASTE = "taste"
    WISH = "wish"
    PRIVACY = "privacy"
    WATCHING = "watching"
    LOBBY = "lobby"
    MEMORY_HOW = "memory_how"
    FORGET_HOW = "forget_how"
    SECRET = "secret"  # noqa: S105 - no password
    CAN_DO = "can_do"
    PICTURES = "pictures"
    LANGUAGES = "languages"

    CLOCK = "clock"
    DATE = "date"
    WEEKEND = "weekend"
    COUNTDOWN = "countdown"
    SUM_UP = "sum_up"
    JOKE_WANTED = "joke_wanted"
    JOKE_TOLD = "joke_told"
    KNOCK = "knock"
    PLAY = "play"
    CREATIVE = "creative"
    BEYOND = "beyond"
    PROBING = "probing"
    WORLD = "world"
    ADVICE = "advice"
    OPINION = "opinion"
    MUSING = "musing"
    ASKS_TOLD_ME = "asks_told_me"
    ASKS_TOLD_OTHER = "asks_told_other"
    ASKS_TOLD_GROUP = "asks_told_group"
    REMIND = "remind"
    REMEMBER = "remember"
    FORGET = "forget"

    CRISIS = "crisis"
    MOURNING = "mourning"
    HEARTBREAK = "heartbreak"
    LONELY = "lonely"
    TIRED = "tired"
    SADNESS = "sadness"
    WORRIED = "worried"
    ANGRY = "angry"
    ILL = "ill"
    BAD_NEWS = "bad_news"
    BORED = "bored"
    GOOD_NEWS = "good_news"
    LOOKING_FORWARD = "looking_forward"
    PROUD = "proud"
    BIRTHDAY = "birthday"

    PLAN = "plan"
    FACT_OWN = "fact_own"
    FACT_OTHER = "fact_other"
    LIKING = "liking"
    DISLIKE = "dislike"
    CALL_ME = "call_me"
    DAILY = "daily"
    WEATHER = "weather"
    GOSSIP = "gossip"
    PONDER = "ponder"
    OPENER = "opener"
    TO_GROUP = "to_group"
    CORRECTION = "correction"

    CODE = "code"
    FOREIGN = "foreign"
    SIGNS = "signs"
    MASH = "mash"


class Family(StrEnum):
    """Acts that one reply suits, where the act itself is not sure."""

    HELLO = "hello"
    PARTING = "parting"
    WARMTH = "warmth"
    CROSS = "cross"
    REACTION = "reaction"
    ITSELF = "itself"
    KEEPING = "keeping"
    REQUEST = "request"
    THOUGHT = "thought"
    RECALL = "recall"
    LOW = "low"
    HIGH = "high"
    STATEMENT = "statement"


_A = SpeechAct
MEMBERS: Mapping[Family, frozenset[SpeechAct]] = {
    Family.HELLO: frozenset({_A.GREETING, _A.BACK, _A.HOW_ARE_YOU}),
    Family.PARTING: frozenset({_A.GOOD_NIGHT, _A.FAREWELL}),
    Family.WARMTH: frozenset({_A.THANKS, _A.LOVE, _A.FLIRT, _A.AFFECTION, _A.WELL_WISHING}),
    Family.CROSS: frozenset({_A.INSULT, _A.HUSH, _A.TEASE, _A.WRONG}),
    Family.REACTION: frozenset({_A.AGREEMENT, _A.LAUGHTER}),
    Family.ITSELF: frozenset(
        {
            *(_A.IDENTITY, _A.PERSON_OR_BOT, _A.MACHINE, _A.MAKER, _A.GENDER, _A.AGE, _A.LIFE),
            *(_A.TASTE, _A.WISH, _A.FONDNESS),
        }
    ),
    Family.KEEPING: frozenset(
        {_A.PRIVACY, _A.WATCHING, _A.LOBBY, _A.MEMORY_HOW, _A.FORGET_HOW, _A.SECRET}
    ),
    Family.REQUEST: frozenset(
        {_A.BEYOND, _A.CREATIVE, _A.PLAY, _A.PICTURES, _A.PROBING, _A.WORLD, _A.JOKE_WANTED}
    ),
    Family.THOUGHT: frozenset({_A.ADVICE, _A.OPINION, _A.MUSING}),
    Family.RECALL: frozenset({_A.ASKS_TOLD_ME, _A.ASKS_TOLD_OTHER, _A.ASKS_TOLD_GROUP}),
    Family.LOW: frozenset(
        {
            *(_A.CRISIS, _A.MOURNING, _A.HEARTBREAK, _A.LONELY, _A.TIRED, _A.SADNESS),
            *(_A.WORRIED, _A.ANGRY, _A.ILL, _A.BAD_NEWS),
        }
    ),
    Family.HIGH: frozenset({_A.GOOD_NEWS, _A.LOOKING_FORWARD, _A.PROUD, _A.BIRTHDAY}),
    Family.STATEMENT: frozenset(
        {
            *(_A.PLAN, _A.FACT_OWN, _A.FACT_OTHER, _A.LIKING, _A.DISLIKE, _A.CALL_ME, _A.DAILY),
            *(_A.WEATHER, _A.GOSSIP, _A.PONDER, _A.OPENER, _A.TO_GROUP, _A.REMEMBER),
        }
    ),
}
"""The acts of each family; the others stand alone."""

TELLING = frozenset(
    {
        *MEMBERS[Family.STATEMENT] - {_A.WEATHER, _A.OPENER},
        *MEMBERS[Family.HIGH],
        *(_A.BAD_NEWS, _A.ILL, _A.WORRIED, _A.ANGRY, _A.CORRECTION, _A.WRONG),
    }
)
"""Acts that tell something, which is taken up as a statement."""
TELLING_FAMILIES = frozenset({Family.STATEMENT, Family.HIGH, Family.LOW})
