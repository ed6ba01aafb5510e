"""How people name a time in French and English, folded and without apostrophes; pure."""

import re

from memory.language.times.intervals import Grain, of_span
from memory.language.times.phrase_readings import (
    END,
    LAST,
    LATEST,
    NEXT,
    PARTS,
    THIRDS,
    UNITS,
    Reading,
    ago_named,
    ahead_named,
    beside_named,
    day_named,
    english_day_named,
    holiday_named,
    in_figures,
    last_weekday_named,
    month_named,
    next_weekday_named,
    part_named,
    rolling_named,
    season_named,
    third_named,
    week_named,
    weekday_named,
    weekday_of_next_week_named,
    year_named,
)
from memory.language.times.vocabulary import (
    AMOUNTS,
    ENGLISH_DAY,
    ENGLISH_MONTH,
    FRENCH_DAY,
    FRENCH_MONTH,
    FRENCH_MONTH_AFTER_DE,
    FRENCH_MONTH_AFTER_EN,
    PLAIN_ENGLISH_MONTH,
    SEASONS,
    SHORT_DAY,
    either,
    month_of,
)

Phrase = tuple[re.Pattern[str], Reading]


def _phrase(pattern: str, read: Reading) -> Phrase:
    return re.compile(rf"\b(?:{pattern})\b"), read


_YEAR = r"(?:19|20)[0-9]{2}"
_AND_YEAR = rf"(?:,? (?:of |de )?(?P<y>{_YEAR}))?"
_D, _M = r"(?P<d>[0-3]?[0-9])", r"(?P<m>[01]?[0-9])"
_NTH = r"(?:st|nd|rd|th)"
_N = rf"(?P<n>[0-9]{{1,3}}|{either(AMOUNTS)})"
_IN = r"(?:en|in|of|during|de|back in|(?:le|au) mois de)"
_AFTER_SINCE = r"(?<=depuis )|(?<=since )"
_FR_MONTH = rf"(?P<month>{FRENCH_MONTH})"
_EN_MONTH = rf"(?P<month>{ENGLISH_MONTH})"

_UNIT = rf"(?P<unit>{'|'.join(UNITS.values())})"
_LONG_UNIT = rf"(?P<unit>{'|'.join(list(UNITS.values())[:4])})"
_PART = rf"(?: (?:au |en |dans la |dans l |in the |at )?(?P<part>{'|'.join(PARTS.values())}))?"
_THIRD = rf"(?P<third>{'|'.join(THIRDS.values())})(?: (?:de|d|du mois de|in))?"
_SEASON = rf"(?P<season>{either(SEASONS)})"
_WEEKEND = r"(?:week ?ends?|we)"
_NOT_VERB = r"(?! (?:boot|framework|mvc|security|under|apart|in|into|on|off|for|short|flat|back)\b)"
"""What follows where `spring` and `fall` are no seasons."""
_COUNTED = (
    r"(?! ?(?:lignes?|lines?|mots?|words?|euros?|balles|dollars?|bucks|steps?|fois|times|metres?"
    r"|people|personnes|points?|pixels?|px|ms|[€$£%]))"
)
"""What makes of a year a mere number."""
_NO_DATE = (
    rf"(?!,? (?:the )?[0-9]{{1,2}}{_NTH}?\b(?! ?(?:h|:|am|pm|heures?|o clock)))"
    rf"(?!,? (?:{ENGLISH_MONTH}) [0-9])"
)
"""Not followed by a day of the month, which says more than a weekday; an hour may follow."""
_NO_LATER = r"(?! (?:de|d) (?!ca\b|cela\b))"
""""il y a deux semaines de vacances" is no date."""
_FR_DATE = rf"(?:le )?(?:(?:{FRENCH_DAY}) )?(?P<d>[0-3]?[0-9]|1er|premier) {_FR_MONTH}{_AND_YEAR}"
_EN_DATE = (
    rf"(?:on )?(?:the )?(?:(?:{ENGLISH_DAY}),? )?(?P<d>[0-3]?[0-9]){_NTH}?(?: of)? {_EN_MONTH}"
    rf"{_AND_YEAR}"
)
_EN_DATE_BACK = rf"(?:on )?{_EN_MONTH}\.? (?:the )?(?P<d>[0-3]?[0-9]){_NTH}?(?![0-9:/%]){_AND_YEAR}"

_DATES: tuple[Phrase, ...] = (
    _phrase(rf"(?<![/.-])(?P<y>{_YEAR})[-/]{_M}[-/]{_D}(?![/.-][0-9a-z])", in_figures),
    _phrase(
        rf"(?P<what>semaine|{_WEEKEND}) du {_D}/{_M}(?:/(?P<y>{_YEAR}|[0-9]{{2}}))?", week_named
    ),
    _phrase(rf"(?P<what>semaine|{_WEEKEND}) du {_FR_DATE}", week_named),
    _phrase(rf"(?P<what>semaine) (?P<side>avant|apres) {_FR_DATE}", beside_named),
    _phrase(rf"(?P<what>week|day) (?P<side>before|after) {_EN_DATE}", beside_named),
    _phrase(rf"(?P<what>week|day) (?P<side>before|after) {_EN_DATE_BACK}", beside_named),
    _phrase(rf"(?P<what>(?:week|weekend) of) {_EN_DATE}", week_named),
    _phrase(rf"(?P<what>(?:week|weekend) of) {_EN_DATE_BACK}", week_named),
    _phrase(
        rf"(?:le |on )?(?<![0-9./-]){_D}(?P<dot>[/.-]){_M}(?P=dot)(?P<y>{_YEAR})(?![/.-][0-9])",
        in_figures,
    ),
    _phrase(rf"(?:le |on )?(?<![0-9./-]){_D}/{_M}/(?P<y>[0-9]{{2}})(?![/.-])", in_figures),
    _phrase(rf"(?:(?:le|du|au|on|the) |{_AFTER_SINCE}){_D}/{_M}(?![/.0-9-])", in_figures),
    _phrase(r"(?<![0-9./-])(?P<d>[0-3][0-9])/(?P<m>0[1-9]|1[0-2])(?![/.0-9-])", in_figures),
    _phrase(_FR_DATE, day_named),
    _phrase(_EN_DATE, english_day_named),
    _phrase(_EN_DATE_BACK, english_day_named),
    _phrase(rf"le (?P<d>[0-3]?[0-9]){END}", lambda a, f: a.day_of_month(int(f["d"]))),
    _phrase(
        rf"(?:on )?the (?P<d>[0-3]?[0-9]){_NTH}{END}", lambda a, f: a.day_of_month(int(f["d"]))
    ),
)

_MONTHS: tuple[Phrase, ...] = (
    _phrase(
        rf"{_THIRD} (?P<month>{FRENCH_MONTH}|{ENGLISH_MONTH}){_AND_YEAR}",
        lambda a, f: a.third_of_month(third_named(f), month_of(f["month"]), year_named(f)),
    ),
    _phrase(rf"{_THIRD} (?P<y>{_YEAR})", lambda a, f: a.third_of_year(third_named(f), int(f["y"]))),
    _phrase(
        rf"(?:{_IN} )?(?P<month>{FRENCH_MONTH}|{ENGLISH_MONTH})\.?,? (?:of |de )?(?P<y>{_YEAR})"
        rf"{_COUNTED}",
        lambda a, f: a.month(month_of(f["month"]), int(f["y"])),
    ),
    _phrase(
        rf"(?:en |le mois de )?{_FR_MONTH} {LATEST}",
        lambda a, f: a.last_month(month_of(f["month"])),
    ),
    _phrase(rf"(?:en )?{_FR_MONTH} {NEXT}", lambda a, f: a.next_month(month_of(f["month"]))),
    _phrase(rf"(?<!the )last {_EN_MONTH}", lambda a, f: a.last_month(month_of(f["month"]))),
    _phrase(rf"next {_EN_MONTH}", lambda a, f: a.next_month(month_of(f["month"]))),
    _phrase(
        rf"(?:(?:en|mois de|pour|courant) |(?<=depuis ))(?P<month>{FRENCH_MONTH_AFTER_EN})",
        month_named,
    ),
    _phrase(rf"de (?P<month>{FRENCH_MONTH_AFTER_DE})", month_named),
    _phrase(
        rf"(?:(?:in|during|throughout|month of|back in) |(?<=since ))(?P<month>{ENGLISH_MONTH})"
        rf"(?! (?:order|i|be|we)\b)",
        month_named,
    ),
    _phrase(rf"(?:of|for|from|around|this|past) (?P<month>{PLAIN_ENGLISH_MONTH})", month_named),
    _phrase(rf"(?:cet|cette|ce|this|last|past|next) {_SEASON}{_NOT_VERB}{_AND_YEAR}", season_named),
    _phrase(rf"(?:l |le |en |au |the )?{_SEASON} (?:{LAST}|{NEXT})", season_named),
    _phrase(
        rf"(?:{_IN} )?(?:l |the )?{_SEASON},? (?:of |de )?(?P<y>{_YEAR}){_COUNTED}", season_named
    ),
    _phrase(
        rf"(?:(?:en|au|(?:pendant|durant) l|(?:in|during|over|for)(?: the)?) |(?<=depuis )l |"
        rf"(?<=since )(?:the )?){_SEASON}"
        rf"{_NOT_VERB}(?P<y>)",
        season_named,
    ),
)

_HOLIDAYS: tuple[Phrase, ...] = tuple(
    _phrase(
        rf"(?:(?:(?:a|pour|pendant|au|le|at|on|for|over|during|last|this|de) |{_AFTER_SINCE})"
        rf"(?:la |l )?"
        rf"(?:{names})(?: {LATEST})?|(?:{names}) {LATEST}|(?:{names})(?= {_YEAR})){_AND_YEAR}",
        holiday_named(holiday),
    )
    for holiday, names in (
        (
            "christmas",
            r"noel|reveillon de noel|xmas|christmas(?: (?:day|eve|break|time))?|christmastime",
        ),
        ("new year", r"nouvel an|jour de l an|reveillon|new years?(?: s)?(?: (?:eve|day))?"),
        ("halloween", r"halloween"),
        ("valentine", r"(?:saint|st) valentin|valentines?(?: s)? day"),
    )
)

_CALENDAR: tuple[Phrase, ...] = (
    _phrase(rf"(?:apres|apr) demain{_PART}", lambda a, f: a.days_away(2, part_named(f))),
    _phrase(r"(?:the )?day after tomorrow", lambda a, _: a.days_away(2)),
    _phrase(rf"(?:avant|avt) ?hier{_PART}", lambda a, f: a.days_away(-2, part_named(f))),
    _phrase(r"(?:the )?day before yesterday", lambda a, _: a.days_away(-2)),
    _phrase(
        rf"(?:demain|tomorrow|tomorow|tommorow|tmrw|tmr){_PART}",
        lambda a, f: a.days_away(1, part_named(f)),
    ),
    _phrase(
        rf"(?:hier|hyer|yesterday|yesturday|yesteday|yday){_PART}",
        lambda a, f: a.days_away(-1, part_named(f)),
    ),
    _phrase(r"last night|la nuit (?:derniere|passee)", lambda a, _: a.days_away(-1, "night")),
    _phrase(r"cette nuit", lambda a, _: a.this_night()),
    _phrase(r"ce mat(?:in)?|this morning", lambda a, _: a.days_away(0, "morning")),
    _phrase(r"ce midi", lambda a, _: a.days_away(0, "noon")),
    _phrase(
        r"c(?:et|ette|t) (?:apres midi|aprem|apres m)|this afternoon",
        lambda a, _: a.days_away(0, "afternoon"),
    ),
    _phrase(r"ce soir|this evening|tonight", lambda a, _: a.days_away(0, "evening")),
    _phrase(
        r"a?ujou?rd ?h?ui|auj|ajd|today|earlier today|tout a l heure|toute a l heure",
        lambda a, _: a.days_away(0),
    ),
    _phrase(
        r"l autre (?:jour|soir|nuit)|the other (?:day|night|week)",
        lambda a, _: a.rolling(14, "day"),
    ),
    _phrase(
        rf"(?:la )?(?:semaine|sem) (?:{LAST}|d avant)|last (?:week|wk)",
        lambda a, _: a.ago(1, "week"),
    ),
    _phrase(r"(?:cette|c[te]tte|cet) semaine|this week", lambda a, _: a.ago(0, "week")),
    _phrase(rf"(?:la )?semaine {NEXT}|next week", lambda a, _: a.ahead(1, "week")),
    _phrase(rf"(?:le )?mois {LAST}|mois d avant|last month", lambda a, _: a.ago(1, "month")),
    _phrase(r"ce mois(?: ci)?|this month", lambda a, _: a.ago(0, "month")),
    _phrase(rf"(?:le )?mois {NEXT}|next month", lambda a, _: a.ahead(1, "month")),
    _phrase(
        rf"(?:l ?)?(?:annee|an) {LAST}|annee d avant|last (?:year|yr)",
        lambda a, _: a.ago(1, "year"),
    ),
    _phrase(r"cette annee|this year", lambda a, _: a.ago(0, "year")),
    _phrase(rf"(?:l ?)?(?:annee|an) {NEXT}|next (?:year|yr)", lambda a, _: a.ahead(1, "year")),
    _phrase(
        rf"(?:le )?{_WEEKEND} {LAST}|last week ?ends?",
        lambda a, _: of_span(a.past.weekend(-1), Grain.DAY),
    ),
    _phrase(
        rf"(?:le )?{_WEEKEND} {NEXT}|next week ?ends?",
        lambda a, _: of_span(a.past.weekend(1), Grain.DAY),
    ),
    _phrase(
        r"(?:ce|au|du) (?:week ?end|we)|(?:this|over the|during the|on the|at the|the past|of the)"
        r" week ?end|(?<=depuis )le week ?end",
        lambda a, _: a.weekend(),
    ),
)

_COUNTS: tuple[Phrase, ...] = (
    _phrase(
        rf"(?:il )?(?:y ?a|yavait) (?:a peu pres |environ )?{_N} ?(?:de |d )?{_UNIT}{_NO_LATER}",
        ago_named,
    ),
    _phrase(rf"(?:(?:a|about) )?{_N} ?(?:of )?{_UNIT} (?:ago|earlier)", ago_named),
    _phrase(rf"dans {_N} {_LONG_UNIT}", ahead_named),
    _phrase(rf"in {_N} {_LONG_UNIT}", ahead_named),
    _phrase(rf"depuis {_N} ?{_LONG_UNIT}", rolling_named),
    _phrase(rf"(?:c|l)es (?:{_N} )?derni(?:ers|eres) {_LONG_UNIT}", rolling_named),
    _phrase(rf"(?:the |these |this )?(?:last|past) {_N} {_LONG_UNIT}", rolling_named),
    _phrase(r"(?:the |this )past (?P<n>)(?P<unit>week|month|year)", rolling_named),
)

_WEEKDAYS: tuple[Phrase, ...] = (
    _phrase(rf"(?:le )?(?P<day>{FRENCH_DAY}) (?:en huit|en 8)", weekday_of_next_week_named),
    _phrase(rf"(?P<day>{FRENCH_DAY}){_PART} {LAST}", last_weekday_named),
    _phrase(rf"(?:le )?(?P<day>{FRENCH_DAY}){_PART} {NEXT}", next_weekday_named),
    _phrase(rf"(?:last|past) (?P<day>{ENGLISH_DAY}|{SHORT_DAY}){_PART}", last_weekday_named),
    _phrase(rf"this (?P<day>{ENGLISH_DAY}|{SHORT_DAY}){_PART}", weekday_named),
    _phrase(rf"next (?P<day>{ENGLISH_DAY}|{SHORT_DAY}){_PART}", next_weekday_named),
    _phrase(
        rf"(?<!\ble )(?<!\bles )(?<!\bun )(?<!chaque )(?P<day>{FRENCH_DAY}){_PART}{_NO_DATE}",
        weekday_named,
    ),
    _phrase(
        rf"(?<!every )(?<!each )(?<!\ba )(?<!black )(?<!good )(?<!ash )(?<!ruby )(?:on )?"
        rf"(?P<day>{ENGLISH_DAY}){_PART}{_NO_DATE}",
        weekday_named,
    ),
)

_YEARS: tuple[Phrase, ...] = (
    _phrase(
        rf"(?:(?:en|in|of|during|from|l annee|the year|back in|de) |{_AFTER_SINCE})"
        rf"(?P<y>{_YEAR}){_COUNTED}(?![0-9/.:-])",
        lambda a, f: a.year(int(f["y"])),
    ),
)

FEASTS = frozenset(read for _, read in _HOLIDAYS)
"""How days are read that are named by what is kept on them."""

PHRASES: tuple[Phrase, ...] = (
    *_DATES,
    *_MONTHS,
    *_HOLIDAYS,
    *_CALENDAR,
    *_COUNTS,
    *_WEEKDAYS,
    *_YEARS,
)
"""Tried in order, the more precise first: what one has read, none after it reads again."""
