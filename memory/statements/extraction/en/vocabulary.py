"""The English words that stand around a verb in a statement, as regular expressions."""

FAMILY = (
    r"(?:(?:little|big|older|younger|elder|twin|step|half|ex|future|new|best|grand|great)[ -]?)*"
    r"(?:brothers?|sisters?|mother|mom|mum|father|dad|sons?|daughters?|husband|wife|partner"
    r"|boyfriend|girlfriend|friend|uncle|aunt|cousins?|nephew|niece|parents?|kids|children"
    r"|grandmother|grandfather|grandma|grandpa|fianc(?:é|e)e?|twins?|baby|dogs?|cats?|kitten|puppy"
    r"|rabbit|horse|parrot|hamster|neighbou?r|colleague|coworker|roommate|flatmate|boss|doctor"
    r"|dentist|therapist|teacher|(?:mother|father|brother|sister|son|daughter)-in-law)"
)
MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
DATE = (
    r"(?:tomorrow|tonight|today|(?:this|next) (?:week|month|year|weekend|summer|winter|spring|fall"
    r"|morning|afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|(?:on |by |before )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    rf"|in (?:\d+|a|an|one|two|three|few) (?:days?|weeks?|months?|years?)|(?:in|on) {MONTHS}"
    rf"|{MONTHS} \d+|\d+(?:st|nd|rd|th)? (?:of )?{MONTHS}|(?:on )?the \d+(?:st|nd|rd|th))"
)
CAPITAL = r"(?-i:[A-ZÀ-Ý])[\w'-]*"
NATION = (
    r"(?:France|England|Scotland|Ireland|Wales|Spain|Italy|Germany|Portugal|Belgium|Switzerland"
    r"|Austria|Poland|Sweden|Norway|Denmark|Finland|Greece|Turkey|Russia|Ukraine|Canada|Mexico"
    r"|Brazil|Argentina|Chile|Peru|Colombia|Japan|China|India|Korea|Vietnam|Thailand|Indonesia"
    r"|Australia|Morocco|Algeria|Tunisia|Egypt|Nigeria|Kenya|Senegal|Israel|Lebanon|Iran|Iraq"
    r"|Romania|Hungary|Croatia|Serbia|Bulgaria|Iceland|Cuba|Pakistan|Bangladesh|Philippines"
    r"|Malaysia|Taiwan|Netherlands|Czechia|Slovakia|Slovenia|Estonia|Latvia|Lithuania"
    r"|New Zealand|South Africa|South Korea|(?:the )?(?:UK|USA?|United States|United Kingdom"
    r"|Netherlands|Philippines|EU|U\.K\.|U\.S\.))"
)
REGION = (
    r"(?:Europe|Asia|Africa|America|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut"
    r"|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine"
    r"|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada"
    r"|New (?:Hampshire|Jersey|Mexico)|North|South|East|West|Ohio|Oklahoma|Oregon|Pennsylvania"
    r"|Tennessee|Texas|Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming|Quebec|Ontario"
    r"|Brittany|Normandy|Provence|Bavaria|Tuscany|Scandinavia)"
)
CITY = (
    rf"in\s+(?:(?:the\s+)?(?P<country>{NATION})\b|(?!{REGION}\b)"
    rf"(?P<city>{CAPITAL}(?:[ -]{CAPITAL})*))"
)
WHERE = rf"(?:{CITY}|(?:in|at|near|with|alone|abroad|together|outside|next to|by)\b)"
TRAVEL_PLACE = (
    r"(?!(?:Ubuntu|Linux|Windows|Debian|Gnome|KDE|Vista|Mac|Python|Java|XP|Feisty|Gutsy|Hardy"
    r"|Dapper"
    rf"|Edgy|GitHub|Google|Discord)\b){CAPITAL}"
)
"""Destinations of a trip: "leaving for" an operating system is no journey."""
TRIP = (
    rf"(?:(?:for|to|in)\s+(?:the\s+)?{TRAVEL_PLACE}|(?:on (?:holiday|vacation)|abroad)\b"
    rf"|(?:to|for|back)\b(?!\s+(?:try|use|be|do|get)\b).{{0,50}}\b{DATE}\b)"
)
JOB = (
    r"an?\s+(?:(?:junior|senior|retired|former|freelance|software|web|data|school|high school"
    r"|primary school|english|french|math|maths|music|civil|mechanical|electrical|medical|vet"
    r"|college|university|law|nursing|phd|grad|graduate|professional|computer science)\s+)*"
    r"(?:nurse|doctor|surgeon|dentist|pharmacist|physiotherapist|psychologist|vet|veterinarian"
    r"|midwife|engineer|developer|programmer|designer|teacher|professor|student|researcher"
    r"|scientist|lawyer|judge|accountant|banker|journalist|writer|author|translator|musician|singer"
    r"|pianist|guitarist|actor|actress|photographer|architect|builder|plumber|electrician|carpenter"
    r"|mechanic|baker|butcher|cook|chef|waiter|waitress|hairdresser|cashier|postman|firefighter"
    r"|police officer|soldier|pilot|driver|farmer|gardener|florist|consultant|freelancer|secretary"
    r"|librarian|bookseller|astronomer|biologist|chemist|physicist|mathematician|intern|apprentice"
    r"|artist|painter|sculptor|dancer|priest|social worker|sysadmin|paramedic|therapist|bartender"
    r"|barista|tailor|teaching assistant|vegetarian|vegan|diabetic|twin|widow|widower|grandmother"
    r"|grandfather|father|mother|dad|mom|mum|volunteer)\b(?!\s+(?:of this|on this|user))"
)
PEOPLE_OF = (
    r"(?:(?:half|part)[ -])?(?:french|belgian|swiss|canadian|english|british|scottish|irish|welsh"
    r"|german|italian|spanish|portuguese|moroccan|algerian|tunisian|senegalese|american|polish"
    r"|greek"
    r"|turkish|russian|ukrainian|chinese|japanese|korean|lebanese|brazilian|mexican|dutch|swedish"
    r"|norwegian|danish|finnish|indian|australian|jewish|muslim|catholic|buddhist|atheist"
    r"|protestant)(?=$|[\s,.]+(?:and|by|but|from|born|$))"
)
STATE = (
    r"(?:allergic|lactose|gluten|coeliac|celiac|vegetarian|vegan|diabetic|asthmatic|epileptic"
    r"|colou?r-?\s?blind|left-handed|right-handed|dyslexic|autistic|deaf|married|single|divorced"
    r"|widowed|engaged|separated|pregnant|retired|unemployed|self-employed|\d{1,2} years old"
    r"|(?:afraid|scared|terrified) of (?!this|that|it)|in love with|born (?:in|on)|originally from"
    r"|from\s+(?:the\s+)?(?-i:[A-ZÀ-Ý])\w*|a (?:huge |big )?fan of(?! (?:the|this|that|it)\b)"
    r"|an only child|the (?:oldest"
    r"|youngest)"
    rf"|(?:the (?:{FAMILY}) of\s+{CAPITAL})|{CAPITAL}'s (?:{FAMILY}))\b"
)
OWNED = (
    r"(?:an?|no|one|two|three|four|five|any|\d+)\s+"
    r"(?:(?:little|big|older|younger|elder|twin|new|old|black|white|year-old|pet|bad|severe)\s+)*"
    r"(?:brothers?|sisters?|sons?|daughters?|kids?|children|child|twins|baby|cousins?|dogs?|cats?"
    r"|kittens?|puppy|puppies|rabbits?|horses?|chickens|parrots?|hamsters?|car|motorbike|house"
    r"|garden|driving licen[cs]e|wife|husband|girlfriend|boyfriend|allergy|phobia|tattoos?|farm"
    r"|phd|master's degree|degree in)(?=$|[\s,.])(?!\s+(?:process|tree|node|command|window"
    r"|theme|file))"
)
ILLNESS = r"(?:diabetes|asthma|epilepsy|cancer|adhd|migraines|dyslexia|insomnia|arthritis)\b"
MEETING = (
    r"(?:an? )?(?:\w+ )?(?:appointment|interview|exam|exams|test|concert|match|meeting|surgery"
    r"|wedding"
    rf"|flight|train|deadline|audition|birthday|party|tournament|class)\b.*\b{DATE}"
)
THINGS = (
    r"(?:(?!how|when|what|why|where|being|having|your|my way|about|not\b|to\b|the\b|some\b"
    r"|both\b|all\b"
    r"|seeing|knowing|hearing|getting|a (?:lot|bit|good|nice)\b)\w+"
    r"|to (?:cook|read|swim|run|hike|dance|sing|travel|draw|paint|write|ski|bake|cycle|climb"
    r"|knit|fish"
    r"|garden|surf|camp|sew)\b|the (?-i:[A-ZÀ-Ý])\w+|the (?:sea|ocean|beach|mountains?|rain|snow"
    r"|cold|heat"
    r"|summer|winter|spring|theat(?:re|er)|movies|outdoors|countryside|piano|guitar|violin)\b)"
    r"(?!.*:\s)"
)
"""What "the" points at is rarely in the sentence, and a wish to do something rarely lasts."""
LANGUAGES = (
    r"(?:(?:a little|some|fluent|no|only|both)\s+)*(?:french|english|german|spanish|italian"
    r"|portuguese|arabic|chinese|mandarin|japanese|korean|russian|polish|dutch|turkish|greek|hebrew"
    r"|swedish|norwegian|danish|finnish|romanian|ukrainian|catalan|basque|latin|esperanto|hindi"
    r"|sign language)\b"
)
PLAYED = (
    r"(?:the\s+)?(?:guitar|piano|violin|drums|flute|sax|saxophone|trumpet|cello|accordion|harp|bass"
    r"|ukulele|chess|football|soccer|basketball|tennis|rugby|golf|badminton|volleyball|handball"
    r"|hockey|baseball|cricket|poker|bridge|squash)\b"
)
AMBITION = (
    r"to\s+(?:learn\b|become\s+an?\b|visit\s+(?-i:[A-ZÀ-Ý])|travel (?:to|around)|move to"
    r"|buy an? (?:house|flat|apartment|car|boat|bike|piano|guitar)|quit (?:smoking|drinking|my job)"
    r"|stop (?:smoking|drinking)|lose weight|write an? (?:book|novel)|run an? (?:marathon|\d+)"
    r"|change (?:jobs|careers)|get (?:a new job|a job|married|my degree|my license|a dog|a cat)"
    r"|adopt an?|have (?:kids|children|a baby)|go back to (?:school|university|college)|retire"
    r"|live in\s+(?-i:[A-ZÀ-Ý])|study (?:law|medicine|\w+ in|at)|start my own (?:business|company))"
)
CHORE = (
    r"(?:to\s+)?(?:remember to\s+)?(?:(?:call|ring|phone|buy|pay|book|renew|send|pick up"
    r"|write to|visit"
    r"|return|cancel|register|clean|prepare|schedule|order|post|mail|wash|feed|water|study for"
    r"|take (?:my|the) (?:dog|cat|car|kids?|son|daughter))\s+(?:the|my|our|a|an|some)\b"
    rf"|.*\b{DATE}\b)"
)
SOON = (
    rf"(?:(?:move|fly|travel|go)\s+to\s+{TRAVEL_PLACE}|(?:get married|marry|have a baby|retire"
    rf"|graduate"
    r"|move out|be a (?:father|mother|dad|mom|mum))\b"
    r"|(?:visit|leave|start|meet|see|be in|take|have|fly|travel|move|go to|arrive|defend|run|play"
    rf"|come back|return)\b.*\b{DATE}\b)"
)
BODY = (
    r"(?:left |right )?(?:arm|leg|wrist|ankle|shoulder|hand|foot|finger|toe|nose|collarbone|rib"
    r"|ribs"
    r"|hip|knee|elbow|tooth|phone|glasses)\b"
)
LOST = rf"(?:job|wallet|phone|keys|passport|{FAMILY})\b"

POSSESSOR = r"(?:my|his|her|their)"

NAME = rf"(?P<name>{CAPITAL}(?: {CAPITAL})?)"
BIRTHDAY = (
    rf"(?P<birthday>(?:on )?(?:the )?(?:{MONTHS} \d{{1,2}}(?:st|nd|rd|th)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTHS}))"
)
