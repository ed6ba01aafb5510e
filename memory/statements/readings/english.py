"""English relatives, trades, countries and months, as regular expressions."""

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
