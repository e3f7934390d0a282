"""The spelling rules of English word formation, as a table of data rows.

A row reads: where the base ends in ``ending`` and the suffix is one of ``suffixes``, what stands
after the slash in ``ending`` becomes one of ``becomes``, the likeliest first.  The first row that
matches decides, so rows go from the special to the general; without a match nothing changes.
"""

from __future__ import annotations

from typing import NamedTuple


class SpellingRule(NamedTuple):
    """One row of the table; in its patterns ``|`` must stand inside a group."""

    name: str
    ending: str  # a regular expression, "what stays/what is replaced", for the end of the base
    suffixes: str  # separated by spaces; VOWEL stands for all that begin with a vowel letter
    becomes: str  # spellings separated by "|"; \1 is a group; a final "!" swallows the suffix
    examples: str  # "base suffix word, ...", one at least for every spelling, in that order

    def steps(self) -> list[tuple[str, str, str]]:
        """Return the examples as (base, suffix, word)."""
        triples = (example.split() for example in self.examples.split(","))
        return [(base, suffix, word) for base, suffix, word in triples]


VOWEL = "*"
ION = "ion ive"  # these take the participle stem of a Latin verb: decide, decis-
ATION = "ation ative atory"
IC = "ic ical"
IZE = "ize ise"
ISM = f"ist istic ism {IZE}"
LATIN = "ate ian oid ine ite itis osis ectomy ology"
ANCE = "ance ancy ant"
DOUBLING = "ed er est eth ing y ie able ish en ee ery age or ess ance ence ent"
Y_TO_I = f"ful ment ness ly some ed er or est eth able age an ar ary al ous {ANCE}"

C = "(?:[^aeiou]|qu)"  # a final y after it is a vowel
ONSET = "(?:y|[^aeiouy]*(?:qu)?)"
CODA = "([bdfgklmnprtvz])"
# Verbs of a prefix and one syllable are stressed on the last: begin, admit, equip.
STRESSED = (
    "^(?:in|re|un)?(?:a[bcdln]|be|com|con|de|dis|e(?=mit|qu)|en|ex|for|in|mis|o(?=mit)|oc|out"
    "|over|per|pre|re|sub|trans|un|up)[^aeiouy]+u?"
)
SHORT = f"^(?:in|mis|re|un)?{ONSET}[aeiouy]{{1,2}}[^aeiouy]+"  # one syllable, a prefix aside
LONG = "[aeiouy][^aeiouy]+[aeiouy]+[^aeiouy]*"  # two syllables at least
LEARNED = "(?:arch|gog|gon|graph|log|metr|nom|path|phon|soph)"  # neoclassical, before y

# fmt: off
INFLECTION = (
    ("is, plural", "/is", "s", "e|ise", "crisis s crises, iris s irises"),
    ("z, plural", "[^aeiou]u?[aiu]/z", "s", "zze", "quiz s quizzes"),
    ("ch, plural", "ch/", "s", "e|", "church s churches, monarch s monarchs"),
    ("sibilant, plural", "(?:[sxz]|sh)/", "s", "e", "fox s foxes, wish s wishes"),
    ("y, plural", f"{C}/y", "s", "ie", "city s cities, soliloquy s soliloquies"),
    ("o, plural", "[^aeiou]/o", "s", "o|oe", "piano s pianos, hero s heroes"),
    ("f, plural", "(?:l|ea|oa|ie|ar)/f", "s", "ve|f", "wolf s wolves, chief s chiefs"),
    ("oof, plural", "oo/f", "s", "f|ve", "roof s roofs, hoof s hooves"),
    ("fe, plural", "i/fe", "s", "ve|fe", "knife s knives, fife s fifes"),
    ("s, possessive", "s/", "'s", "|'!", "boss 's boss's, cats 's cats'"),
    ("ie before ing", "/ie", "ing", "y", "die ing dying, untie ing untying"),
    ("age and -inge", "(?:^a|in)g/e", "ing", "|e", "cringe ing cringing, singe ing singeing"),
)

NUMERALS = (
    ("-ve, ordinal", "/ve", "th", "f", "five th fifth, twelve th twelfth"),
    ("five", "fi/ve", "teen ty", "f", "five teen fifteen, five ty fifty"),
    ("eight", "eigh/t", "th teen ty", "", "eight th eighth, eight teen eighteen"),
    ("nine, ordinal", "nin/e", "th", "", "nine th ninth"),
    ("-ty, ordinal", "t/y", "th", "ie", "twenty th twentieth, sixty th sixtieth"),
)

CONSONANT_SUFFIXES = (
    ("dge before ment", "dg/e", "ment", "e|", "judge ment judgement, judge ment judgment"),
    ("ue before ment", "u/e", "ment", "", "argue ment argument"),
    ("ue before ly", "[^gq]u/e", "ly", "", "true ly truly, undue ly unduly"),
    ("le before ly", "[^aeiou]/le", "ly", "", "gentle ly gently, testable ly testably"),
    ("whole", "who/le", "ly", "l", "whole ly wholly"),
    ("ll before ly", "l/l", "ly", "", "full ly fully, dull ly dully"),
    ("ll shortens", "l/l", "ful ment", "|l", "skill ful skilful, install ment installment"),
    ("ic before ly", "ic/", "ly", "al|", "basic ly basically, public ly publicly"),
    ("ay before ly", "a/y", "ly", "i|y", "day ly daily, gray ly grayly"),
    ("compass points", "(?:^|th)(?:north|south|east|west)/", "ly", "er", "north ly northerly"),
    ("ie", "i/e", "ly ness", "", "eerie ly eerily, eerie ness eeriness"),
    ("awe", "aw/e", "ful", "", "awe ful awful"),
    ("ly before hood", "l/y", "hood", "i", "likely hood likelihood, lively hood livelihood"),
    ("t before ce", "[ae]n/t", "ce", "", "important ce importance, silent ce silence"),
    ("t before cy", "(?:[ae]n|a)/te?", "cy", "", "vacant cy vacancy, private cy privacy"),
)

# The stems that Latin verbs have before -ion and its like.
PARTICIPLES = (
    ("mit", "/mit", f"{ION} ible ory", "miss", "permit ion permission, admit ible admissible"),
    ("cede", "[cs]/e(?:de|ed)", f"{ION} or", "ess",
     "concede ion concession, succeed ive successive, supersede ion supersession"),
    ("de", "[aeiou]/de", f"{ION} ible", "s", "decide ion decision, explode ive explosive"),
    ("tend", "[nt]ten/d", ION, "t", "attend ive attentive, contend ion contention"),
    ("nd", "n/d", ION, "s", "extend ion extension, expand ive expansive"),
    ("nd before ible", "n/d", "ible", "s|d", "defend ible defensible, extend ible extendible"),
    ("vert", "ver/t", ION, "s", "convert ion conversion, subvert ive subversive"),
    ("cur", "cur/", ION, "s", "recur ive recursive, incur ion incursion"),
    ("duce", "du/ce", f"{ION} or", "ct", "reduce ion reduction, produce ive productive"),
    ("ceive", "ce/ive", f"{ION} ible or", "pt", "receive ion reception, deceive ive deceptive"),
    ("sume", "sum/e", ION, "pt", "consume ion consumption, presume ive presumptive"),
    ("scribe", "scri/be", ION, "pt", "describe ion description, prescribe ive prescriptive"),
    ("vene", "ven/e", ION, "t", "convene ion convention, intervene ion intervention"),
    ("tain", "t/ain", ION, "ent", "detain ion detention, retain ive retentive"),
    ("olve", "ol/ve", ION, "ut", "resolve ion resolution, evolve ion evolution"),
    ("quire", "qui/re", f"{ION} or", "sit", "acquire ion acquisition, inquire ive inquisitive"),
    ("pose", "pos/e", f"{ION} or", "it", "propose ion proposition, compose or compositor"),
    ("pel", "p/el", ION, "uls", "expel ion expulsion, repel ive repulsive"),
    ("-olish, -onish", "o[ln]/ish", "ion", "it", "abolish ion abolition, admonish ion admonition"),
    ("nce before ive", "en/ce", "ive", "s", "offence ive offensive, defence ive defensive"),
    ("ion before ive", "[st]/ion", "ive or", "", "evasion ive evasive, competition or competitor"),
)

ATION_STEMS = (
    ("-ify, -ply", "(?:if|pl)/y", ATION, "ic",
     "purify ation purification, imply ation implication"),
    ("-ify, -ply before ion", "(?:if|pl)/y", "ion", "icat", "modify ion modification"),
    ("-efy, -isfy before ion", "[es]f/y", "ion", "act", "stupefy ion stupefaction"),
    ("-ify before ant", "if/y", ANCE, "ic", "signify ant significant"),
    ("-ply", "pl/y", f"able {ANCE}", "i|ic", "comply ant compliant, apply able applicable"),
    ("city before ous", "[ao]c/ity", "ous", "i", "ferocity ous ferocious, audacity ous audacious"),
    ("ity", "(?:[aeiou][^aeiou]+|u)it/y", "able ous ate ative", "",
     "charity able charitable, calamity ous calamitous, quality ative qualitative"),
    ("iety", "i/ety", "able al ous", "", "society al social, anxiety ous anxious"),
    ("y before ation", f"{C}/y", ATION, "i|", "vary ation variation, occupy ation occupation"),
    ("-py", "p/y", "ant ancy", "", "occupy ant occupant"),
    ("y before ion", f"{C}/y", "ion", "at", "occupy ion occupation"),
    ("nounce", "n/ounce", ATION, "unci", "pronounce ation pronunciation"),
    ("voke", "vo/ke", ATION, "c", "provoke ation provocation, evoke ative evocative"),
    ("voke before able", "vo/ke", "able", "k|c", "evoke able evokable, revoke able revocable"),
    ("ai shortens", "(?:[cp]l|^v)/ai([mn])", f"{ATION} ity", r"a\1",
     "explain ation explanation, exclaim ation exclamation, vain ity vanity"),
    ("-tain before ance", "t/ain", "ance", "en", "sustain ance sustenance"),
    ("peat", "p/eat", "ition itive", "et", "repeat ition repetition"),
    ("-ter before ation", "t/er", ATION, "er|r", "alter ation alteration, filter ation filtration"),
)

# -ic, -al, -ous, -ize and their like, where they meet a Greek or Latin ending.
LEARNED_ENDINGS = (
    ("ma", "m/a", f"{IC} {ISM}", "at|", "drama ic dramatic, panorama ic panoramic"),
    ("gram", "gra/m(?:me)?", IC, "mmat", "diagram ic diagrammatic, programme ic programmatic"),
    ("-lem, -tem", "[lt]em/", f"{IC} {IZE}", "at|", "problem ic problematic, system ic systemic"),
    ("-heme", "hem/e", f"{IC} {IZE}", "at|", "theme ic thematic, grapheme ic graphemic"),
    ("sia", "/sia", f"{IC} {ISM}", "s|t", "amnesia ic amnesic, dyspepsia ic dyspeptic"),
    ("sis before ic", "/sis", IC, "t|s", "emphasis ic emphatic, basis ic basic"),
    ("pse before ic", "p/se", IC, "t", "ellipse ic elliptic, synapse ic synaptic"),
    ("x before ic", "/x", "ic", "ct|x", "syntax ic syntactic, paradox ic paradoxic"),
    ("x before ical", "/x", "ical", "x|ct", "paradox ical paradoxical, syntax ical syntactical"),
    ("xy before ic", "/xy", IC, "ct", "galaxy ic galactic, apoplexy ic apoplectic"),
    ("ism before ic", "/ism", IC, "ist|", "euphemism ic euphemistic, metabolism ic metabolic"),
    ("ism before ist", "/ism", ISM, "", "pacifism ist pacifist, hypnotism ize hypnotize"),
    ("asm", "as/m", IC, "t|m", "sarcasm ic sarcastic, orgasm ic orgasmic"),
    ("ia", "/ia", f"{IC} {ISM} {LATIN}", "", "mania ic manic, phobia ic phobic"),
    ("cy, sy before ic", "/[cs]y", IC, "t", "democracy ic democratic, ecstasy ic ecstatic"),
    ("nce before ic", "n/ce", f"{IC} ist", "t", "romance ic romantic, science ist scientist"),
    ("os", "/os", IC, "|ot", "cosmos ic cosmic, chaos ic chaotic"),
    ("in", "/in", IC, "|in", "toxin ic toxic, insulin ic insulinic"),
    ("able before ic", "ab/le", IC, "", "syllable ic syllabic"),
    ("ics", "ic/s", f"al ian {ISM}", "", "politics al political, physics ist physicist"),
    ("us before ous", "/us", "ous", "|u", "phosphorus ous phosphorous, sinus ous sinuous"),
    ("us, um, is, es", "/(?:us|um|is|es)", f"{IC} {ISM} {LATIN} al ous", "",
     "focus al focal, minimum ize minimize, series al serial"),
    ("a", "/a", f"{IC} {ISM} {LATIN} al an ation ous", "|a",
     "parabola ic parabolic, algebra ic algebraic"),
    ("o", "/o", f"{IC} an ity ist oid ite", "|o", "volcano ic volcanic, hero ic heroic"),
    ("our", "[aeiou][^aeiou]+i?/our", f"ous ary ation ial ate {ISM}", "or|our",
     "glamour ous glamorous, behaviour ism behaviourism"),
    ("ble", "b/le", f"ity {ISM}", "il", "able ity ability, stable ize stabilize"),
    ("ogue", "og/ue", f"{IC} {ISM}", "", "analogue ic analogic, monologue ist monologist"),
    ("ple before ity", "pl/e", "ity", "ic", "simple ity simplicity, multiple ity multiplicity"),
    ("le", "[^aeiou]/le", "ar ous ate", "ul|l", "angle ar angular, trouble ous troublous"),
    ("que", "/que", "ity", "qu|c", "antique ity antiquity, opaque ity opacity"),
    ("cious before ity", "[ao]c/ious", "ity", "", "ferocious ity ferocity, tenacious ity tenacity"),
    ("-lous, -mous, -uous", "[elmu]/ous", "ity", "|os",
     "credulous ity credulity, nebulous ity nebulosity"),
    ("ous before ity", "/ous", "ity", "os|", "generous ity generosity, barbarous ity barbarity"),
    ("ual before ity", "u/al", "ity", "al|", "sensual ity sensuality, perpetual ity perpetuity"),
    ("-ternal before ity", "tern/al", "ity", "|al",
     "maternal ity maternity, external ity externality"),
    ("ity before ify", "/ity", "ify", "", "dignity ify dignify, identity ify identify"),
)

AL_OUS = (
    ("stressed end before al", f"{STRESSED}(?:[iu](?=t)|u(?=r)|(?<=f)e)/([rt])", "al", r"\1\1",
     "acquit al acquittal, refer al referral, demur al demurral"),
    ("nce before al", "n/c[ey]", "al ous", "ti|ci|t",
     "essence al essential, province al provincial, coincidence al coincidental"),
    ("nce before ial", "n/ce", "ial ious", "t|c",
     "substance ial substantial, province ial provincial"),
    ("ce before al", "/ce", "al", "ci|c", "office al official, practice al practical"),
    ("ce before ous", "/ce", "ous", "ci", "grace ous gracious, malice ous malicious"),
    ("age before ous", "ag/e", "ous", "e|in",
     "courage ous courageous, cartilage ous cartilaginous"),
    ("ge before ous", "[ei]g/e", "ous", "i",
     "prestige ous prestigious, sacrilege ous sacrilegious"),
    ("-tude", "tud/e", "al ous", "in", "attitude al attitudinal, multitude ous multitudinous"),
    ("en", "/en", "al ous", "in|en", "abdomen al abdominal, burden ous burdenous"),
    ("-ime, -ume", "[iu]m/e", "al ous", "in|", "crime al criminal, spume ous spumous"),
    ("-icon, -enon", "(?:ic|en)/on", "al", "", "lexicon al lexical, phenomenon al phenomenal"),
    ("ment before al", "ment/", "al", "", "ornament al ornamental"),
    ("nt before al", "nt/", "al", "|i|u",
     "accident al accidental, president al presidential, event al eventual"),
    ("ct, pt, xt, it before al", "[cipx]t/", "al", "u|", "fact al factual, orbit al orbital"),
    ("t before al", "t/", "al", "|i", "coast al coastal, part al partial"),
    ("x before al", "x/", "al", "u", "sex al sexual"),
    ("or before al", "or/", "al", "|i", "doctor al doctoral, editor al editorial"),
    ("lt, pt, st before ous", "[lps]t/", "ous", "u", "tempest ous tempestuous"),
    ("t before ous", "t/", "ous", "|u", "portent ous portentous, spirit ous spirituous"),
    ("r before ous", "[ao]r/", "ous", "|i", "humor ous humorous, uproar ous uproarious"),
    ("ction, ption", "[cp]t/ion", "ous", "i|u", "infection ous infectious, unction ous unctuous"),
    ("ion before ous", "[cgtv]i/on", "ous", "", "caution ous cautious, oblivion ous oblivious"),
    ("f becomes v", "/f", "ous ery", "v", "grief ous grievous, thief ery thievery"),
    ("f before ish", "/f", "ish", "f|v", "wolf ish wolfish, elf ish elvish"),
    ("learned y before al", f"{LEARNED}/y", "al", "ic", "biology al biological"),
    ("y before al", f"{C}/y", "al", "i|ic", "industry al industrial, category al categorical"),
    ("learned y before ous", "(?:[hlm]|og|(?:al|at|nd)r|(?:ph|t)on)/y", "ous", "",
     "monotony ous monotonous, analogy ous analogous, idolatry ous idolatrous"),
    ("y before ous", f"{C}/y", "ous", "i|", "glory ous glorious, mutiny ous mutinous"),
)

# Where -er and -or lose their vowel.
SYNCOPE = (
    ("-ter before ess", "t/[eo]r", "ess", "r", "actor ess actress, waiter ess waitress"),
    ("-erer before ess", "er/er", "ess", "", "sorcerer ess sorceress"),
    ("-ter before ic", "[ae]t/er", IC, "r", "meter ic metric, theater ical theatrical"),
    ("-ter before ous", "t/er", "ous", "r|er", "disaster ous disastrous, roister ous roisterous"),
    ("-er before ous", "[bdp]/er", "ous", "er|r", "thunder ous thunderous, wonder ous wondrous"),
    ("-er before y", "[gt]/er", "y", "er|r", "water y watery, hunger y hungry"),
    ("-er before ance", "[bdt]/er", ANCE, "r|er", "hinder ance hindrance, utter ance utterance"),
)

DOUBLED = (
    ("c takes k", "[ai]c/", "ed er ing y", "k", "panic ed panicked, picnic er picnicker"),
    ("short s word", f"^{ONSET}[aeiou]/s", DOUBLING, "ss|s", "gas ed gassed, bus ing busing"),
    ("short word doubles", rf"^{ONSET}[aeiouy]/{CODA}", DOUBLING, r"\1\1",
     "stop ing stopping, quit er quitter, fun y funny"),
    ("wool", "woo/l", "en y", "ll|l", "wool y woolly, wool en woolen"),
    ("-fer, stress moves", "fer/", "able ence ent ee", "", "prefer able preferable"),
    ("weak -er", "(?:ff|[^ft]|[^e]t)er/", DOUBLING, "", "offer ed offered, enter ing entering"),
    ("weak -en, -on, -or", "(?:[eo]n|(?:c|[^h])h?or)/", DOUBLING, "", "reckon ing reckoning"),
    ("stressed end doubles", rf"{STRESSED}[aeiou]/{CODA}", DOUBLING, r"\1\1|\1",
     "occur ence occurrence, begin er beginner, debit ing debiting"),
    ("l doubles", "(?:[^aeiou]|[iu])[aeiou]/l", "ed er est ing or able y", "ll|l",
     "travel er traveller, travel er traveler, dial ing dialing"),
    ("el doubles", "[^aeiou]e/l", f"{ATION} ion ous ent", "ll|l",
     "cancel ation cancellation, rebel ion rebellion, marvel ous marvelous"),
    ("el before ist", "[^aeiou]e/l", "ist", "l|ll", "novel ist novelist, panel ist panellist"),
    ("tal before ic", "ta/l", "ic ine", "ll", "metal ic metallic, crystal ine crystalline"),
    ("tal before ize", "ta/l", IZE, "l|ll", "vital ize vitalize, crystal ize crystallize"),
    ("p, g, m double", "[^aeiou](?:[aiu](?=[gp])|e(?=g)|a(?=m))/([gmp])", "ed er ing", r"\1\1|\1",
     "worship er worshipper, program ing programming, gossip ing gossiping"),
    ("weak end may double", r"[^aeiou][aeiou]/([gmpst])", "ed er ing", r"\1|\1\1",
     "market er marketer, focus ed focussed"),
)

FINAL_Y = (
    ("short y word", "^[^aeiouy]+/y", "ly ness er", "y|i", "shy ness shyness, dry ly drily"),
    ("learned y before er", "(?:graph|nom|soph|rolog)/y", "er", "", "astronomy er astronomer"),
    ("y before less", f"{C}/y", "less", "i|y", "mercy less merciless, battery less batteryless"),
    ("y becomes i", f"{C}/y", Y_TO_I, "i",
     "happy er happier, beauty ful beautiful, rely able reliable, marry age marriage"),
    ("ey becomes i", "[^aeiou]/ey", "est ness ly", "i|ey",
     "pricey est priciest, grey ness greyness"),
    ("ey before er", "[^aeiou]/ey", "er", "ey|i", "convey er conveyer, pricey er pricier"),
    ("double consonant, y", r"([^aeiou])\1/y", "ist ism", "y", "lobby ist lobbyist"),
    ("y before ist", f"{C}/y", "ist ism", "|y", "colony ist colonist, copy ist copyist"),
    ("y before i", f"{C}/y", f"{IC} ics istic {IZE} ify ian ity ial ious iac", "",
     "history ic historic, beauty ify beautify, comedy ian comedian"),
)

FINAL_E = (
    ("ate", f"{LONG}/ate", f"able ee {ANCE}", "|at",
     "calculate able calculable, nominate ee nominee, validate able validatable"),
    ("short e word", "^[^aeiouy]+e/", VOWEL, "", "be ing being"),
    ("two e merge", "[eioy]/e", "ed er est eth en ee eer ery", "",
     "free ed freed, canoe ed canoed"),
    ("ee, oe, ye stay", "[eoy]e/", VOWEL, "", "see ing seeing, canoe ist canoeist"),
    ("soft c, g", "[cg]e/", "able ous", "", "notice able noticeable, gorge ous gorgeous"),
    ("ue before y", "ue/", "y", "", "glue y gluey"),
    ("e before an", "/e", "an", "e|", "chile an chilean, rome an roman"),
    ("short word may keep e", f"{SHORT}/e", "able age y ish", "|e",
     "like able likable, like able likeable, mile age mileage"),
    ("e drops", "/e", VOWEL, "", "achieve able achievable, create ion creation"),
)

# Special before general: a stem that -ion changes is not doubled, an -er that is lost neither.
_GROUPS = (
    INFLECTION, NUMERALS, CONSONANT_SUFFIXES, PARTICIPLES, ATION_STEMS, LEARNED_ENDINGS, AL_OUS,
    SYNCOPE, DOUBLED, FINAL_Y, FINAL_E,
)
# fmt: on
RULES = tuple(SpellingRule(*row) for group in _GROUPS for row in group)
