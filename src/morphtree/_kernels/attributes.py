"""The attributes of a span: `values` are hashes of letters, `numbers` small; 0 if nothing to say.

`_layout.py` numbers them and says which function computes which. Types in attributes.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.bases import (
    better,
    kin_of_span,
    kin_of_whole,
    prefixed,
    spelling,
    suffixed,
)
from cython.cimports.morphtree._kernels.hashing import BOUNDARY
from cython.cimports.morphtree._kernels.lookups import facts_of
from cython.cimports.morphtree._kernels.mixing import (
    fetch_key,
    find,
    find_there,
    may_have,
    mix,
    string_hash,
)

from morphtree._kernels._layout import BITS, FIRST_BIT, computed_by, numbers

if not cython.compiled:  # attributes.pxd has the same for the compiler
    STRING, LENGTH, EDGE = numbers("string length edge")
    LEFT, RIGHT, HEAD, TAIL = numbers("left1 right1 head1 tail1")
    REST, BEFORE = numbers("rest before")
    ATTESTED, ZIPF, KIND, SPEECH = numbers("attested zipf kind speech")
    WORD_ZIPF, WORD_SPEECH, GAIN, PARADIGM = numbers("word_zipf word_speech gain paradigm")
    DERIVED, ANY_KIN, ANY_TOLD = numbers("derived any_kin any_told")
    COMPLEXITY, STEM = numbers("complexity stem")
    JOINED_ZIPF, JOINED_KIND, JOINED_SPEECH = numbers("joined_zipf joined_kind joined_speech")
    SUFFIX_LINK, SUFFIX_KIN, SUFFIX_TOLD = numbers("suffix_link suffix_kin suffix_told")
    PREFIX_LINK, PREFIX_KIN, PREFIX_TOLD = numbers("prefix_link prefix_kin prefix_told")
    KIN, TOLD = numbers("kin told")
    CHANGE, DISTANCE, INNER, HYPHEN = numbers("change distance inner hyphen")
    OTHER_ZIPF, OTHER_KIND, OTHER_SPEECH = numbers("other_zipf other_kind other_speech")
    OTHER_KIN, OTHER_TOLD, OTHER_LENGTH = numbers("other_kin other_told other_length")

    # where the facts of a word are
    ZIPF_BITS, KIND_BITS, SPEECH_BITS = BITS["zipf"], BITS["kind"], BITS["speech"]
    BY_SUFFIX, BY_PREFIX = BITS["by_suffix"], BITS["by_prefix"]
    MEANT = BITS["compared"] | BITS["defined"]
    ANY_TOLD_BITS, ANY_KIN_BITS = BITS["any_told"], BITS["any_kin"]
    COMPLEXITY_BITS = BITS["complexity"]
    KIND_AT, SPEECH_AT, DERIVED_AT = FIRST_BIT["kind"], FIRST_BIT["speech"], FIRST_BIT["by_suffix"]
    ANY_TOLD_AT, ANY_KIN_AT = FIRST_BIT["any_told"], FIRST_BIT["any_kin"]
    COMPLEXITY_AT = FIRST_BIT["complexity"]

# the attributes that each function below computes, as bits
LETTERS = cython.declare(cython.ulonglong, computed_by("letters"))
FACTS = cython.declare(cython.ulonglong, computed_by("facts"))
SPELLINGS = cython.declare(cython.ulonglong, computed_by("spellings"))
CHANGES = cython.declare(cython.ulonglong, computed_by("changes"))
HYPHENS = cython.declare(cython.ulonglong, computed_by("hyphen"))
OTHERS = cython.declare(cython.ulonglong, computed_by("other"))

NEAR = cython.declare(cython.int, 7)  # parts of what bases.py answers
LISTED = cython.declare(cython.int, 32)
DASH = cython.declare(cython.longlong, ord("-"))

SEPARATOR = cython.declare(cython.ulonglong, 2)  # between two strings in a hash


def fill_attributes(tables, s, i, j):
    """Compute the attributes of one span that some template looks at, and their groups."""
    s.values[STRING] = s.hashes[i, j]
    s.numbers[LENGTH] = min(j - i, 8)
    s.numbers[EDGE] = 1 + (1 if i == 0 else 0) + (2 if j == s.m else 0)
    if tables.wanted & FACTS:
        fill_facts(tables, s, i, j)
    if tables.wanted & SPELLINGS:
        fill_spellings(tables, s, i, j)
    if tables.wanted & CHANGES:
        s.values[CHANGE] = change_hash(s, i, j)
        s.numbers[DISTANCE] = 1 + min(max(changes(s, i, j), 0), 3)
        s.numbers[INNER] = 1 + min(max(changes(s, i, max(i, j - 2)), 0), 2)
    if tables.wanted & LETTERS:
        fill_letters(s, i, j)
    if tables.wanted & HYPHENS:
        s.numbers[HYPHEN] = hyphen(s, i, j) if s.hyphens else 0
    if tables.wanted & OTHERS:
        fill_other(tables, s, i, j)


def fill_word(s):
    """Write what the lexicon knows of the whole word."""
    s.numbers[WORD_ZIPF] = zipf_class(s.whole_facts)
    s.numbers[WORD_SPEECH] = speech_class(s.whole_facts)


def fill_bases(tables, s):
    """Note what is left of the word without each ending that it has."""
    s.hyphens = False
    for i in range(s.n):
        if s.word[i] == DASH:
            s.hyphens = True
    s.base_count = 0
    for k in range(tables.ending_start.shape[0] - 1):
        size = tables.ending_start[k + 1] - tables.ending_start[k]
        if size < s.n:
            for i in range(size):
                if s.word[s.n - size + i] != tables.endings[tables.ending_start[k] + i]:
                    break
            else:
                s.bases[s.base_count] = s.word_hashes[0, s.n - size]
                s.base_facts[s.base_count] = facts_of(tables, s.bases[s.base_count])
                s.base_count += 1


def hyphen(s, i, j):
    """Return 2 for a span with a hyphen inside, 1 if there is one elsewhere, 0 if there is none."""
    answer = 0
    for k in range(s.n):
        if s.word[k] == DASH:
            answer = max(answer, 2 if s.position[i] < k < s.position[j] - 1 else 1)
    return answer


def fill_other(tables, s, i, j):
    """Write what is known of the other part of the form: what stands before the span, or after."""
    if i > 0 and i == s.other_of:
        return
    s.other_of = i
    for k in range(OTHER_ZIPF, OTHER_LENGTH + 1):
        s.numbers[k] = 0
    if i > 0 or j < s.m:
        start = 0 if i > 0 else j
        end = i if i > 0 else s.m
        facts = s.facts[start, end]
        kin = kin_of_span(tables, s, start, end)
        s.numbers[OTHER_ZIPF] = zipf_class(facts)
        s.numbers[OTHER_KIND] = word_kind(facts)
        s.numbers[OTHER_SPEECH] = speech_class(facts)
        s.numbers[OTHER_KIN] = kin & NEAR
        s.numbers[OTHER_TOLD] = kin >> 3
        s.numbers[OTHER_LENGTH] = min(end - start, 8)


def look_at_letters(s):
    """Hash the letters around every boundary of the form; what the last form had is kept."""
    s.letters_of = -1
    s.other_of = -1
    pad_letters(s)
    look_left(s)
    for i in range(max(0, s.same - 3), s.m + 1):
        h = SEPARATOR
        for k in range(4):
            h = mix(h, s.padded[i + 3 + k])
            s.at_end[i, RIGHT - LEFT + k] = h if k <= s.m - i else 0
            if k < 2:
                s.at_start[i, HEAD - LEFT + k] = h
    for i in range(s.m + 1):
        s.at_end[i, REST - LEFT] = string_hash(SEPARATOR, s.form, i, s.m)


def pad_letters(s):
    """Put boundaries around the form."""
    for k in range(3):
        s.padded[k] = BOUNDARY
    for k in range(s.same, s.m):
        s.padded[3 + k] = cython.cast(cython.ulonglong, s.form[k])
    for k in range(s.m + 3, s.m + 7):
        s.padded[k] = BOUNDARY


def look_left(s):
    """Hash the letters on the left of every boundary."""
    before = s.at_start[s.same, BEFORE - LEFT] if s.same else SEPARATOR
    for i in range(s.same, s.m + 1):
        s.at_start[i, BEFORE - LEFT] = before
        before = mix(before, s.padded[i + 3])
        h = SEPARATOR
        for k in range(3):
            h = mix(h, s.padded[i + 2 - k])
            s.at_start[i, k] = h if k <= i else 0
            s.at_end[i, TAIL - LEFT + k] = h


def fill_letters(s, i, j):
    """Write the letters around a span and at its ends."""
    if i != s.letters_of:
        s.letters_of = i
        s.values[BEFORE] = s.at_start[i, BEFORE - LEFT]
        for k in range(3):
            s.values[LEFT + k] = s.at_start[i, k]
    for k in range(2):
        s.values[HEAD + k] = s.at_start[i, HEAD - LEFT + k] if k < j - i else 0
    s.values[REST] = s.at_end[j, REST - LEFT]
    for k in range(4):
        s.values[RIGHT + k] = s.at_end[j, RIGHT - LEFT + k]
    for k in range(3):
        s.values[TAIL + k] = s.at_end[j, TAIL - LEFT + k] if k < j - i else 0


def zipf_class(facts):
    """Return 1 for an unknown string, then classes of two thirds of a power of ten."""
    return 1 if facts == 0 else 2 + min((facts & ZIPF_BITS) * 3 // 32, 9)


def word_kind(facts):
    """Tell ordinary words, names and unknown ones apart, each with a part of speech or without."""
    return 1 + 2 * ((facts & KIND_BITS) >> KIND_AT) + (1 if facts & SPEECH_BITS else 0)


def speech_class(facts):
    """Return one more than the parts of speech, as bits."""
    return 1 + ((facts & SPEECH_BITS) >> SPEECH_AT)


def paradigm(tables, s, h):
    """Return one more than the number (at most 3) of endings that make an attested word.

    The whole word itself does not count.
    """
    mask = cython.cast(cython.ulonglong, s.paradigms.shape[0] - 1)
    kept = s.paradigms[h & mask]
    if kept == 0 or (kept ^ h) > mask:
        kept = (h | mask) - mask + 1 + count_endings(tables, s, h)
        s.paradigms[h & mask] = kept
    count: cython.int = (kept & mask) - 1
    if s.whole_facts:
        for k in range(s.base_count):
            if s.bases[k] == h:
                count -= 1
    return 1 + min(count, 3)


def count_endings(tables, s, h):
    """Return how many endings make an attested word of the string with this hash.

    In two passes, so that memory is fetched for all of them at once.
    """
    count: cython.ulonglong = 0
    likely = 0
    for k in range(tables.ending_start.shape[0] - 1):
        other = string_hash(h, tables.endings, tables.ending_start[k], tables.ending_start[k + 1])
        if may_have(tables.words, other):
            s.pending[likely] = other
            likely += 1
            fetch_key(tables.words, other)
    for x in range(likely):
        if find_there(tables.words, s.pending[x]) >= 0:
            count += 1
    return count


def fill_facts(tables, s, i, j):
    """Write what the lexicon knows of the span's string."""
    facts = s.facts[i, j]
    s.numbers[PARADIGM] = 0
    if (tables.wanted >> PARADIGM) & 1:
        s.numbers[PARADIGM] = paradigm(tables, s, s.hashes[i, j])
    s.numbers[ATTESTED] = 1 if facts else 0
    s.numbers[STEM] = 0
    if (tables.wanted >> STEM) & 1:
        s.numbers[STEM] = 2 if find(tables.stems, s.hashes[i, j]) >= 0 else 1
    s.numbers[ZIPF] = zipf_class(facts)
    s.numbers[KIND] = word_kind(facts)
    s.numbers[SPEECH] = speech_class(facts)
    s.numbers[DERIVED] = 1 + ((facts & (BY_SUFFIX | BY_PREFIX)) >> DERIVED_AT)
    s.numbers[ANY_TOLD] = (facts & ANY_TOLD_BITS) >> ANY_TOLD_AT
    s.numbers[ANY_KIN] = (facts & ANY_KIN_BITS) >> ANY_KIN_AT
    s.numbers[COMPLEXITY] = (facts & COMPLEXITY_BITS) >> COMPLEXITY_AT
    s.numbers[GAIN] = 0
    if facts and s.whole_facts:
        gain = 128 + (facts & ZIPF_BITS) - (s.whole_facts & ZIPF_BITS)
        s.numbers[GAIN] = 1 + max(gain, 0) // 16


def changes(s, i, j):
    """In how many letters a span differs from the word."""
    return s.differences[i] - s.differences[j]


def fill_spellings(tables, s, i, j):
    """Look up a branching span as a word of its own, in any way that it may be written.

    The lexicon may derive it without its prefix.
    """
    s.numbers[SUFFIX_LINK] = s.numbers[PREFIX_LINK] = 1
    s.numbers[SUFFIX_KIN] = s.numbers[PREFIX_KIN] = 0
    s.numbers[SUFFIX_TOLD] = s.numbers[PREFIX_TOLD] = 0
    best = 0
    plain = i  # the last place up to which the word is written as the form is
    kin = kin_of_span(tables, s, i, j)
    for x in range(1, s.closed_starts[j, 0] + 2):
        k = s.closed_starts[j, x] if x <= s.closed_starts[j, 0] else j
        if k <= i:
            continue
        h = s.hashes[i, j]
        facts = s.facts[i, j]
        if s.differences[i] == s.differences[k]:
            plain = k
        else:
            h = spelling(s, i, k, j)
            facts = facts_of(tables, h)
            if facts:
                kin = better(kin, kin_of_whole(tables, s, h, facts))
                fill_prefixed(tables, s, h, facts, i, k, j)
        if (facts & ZIPF_BITS) > (best & ZIPF_BITS) or best == 0:
            best = facts
        if facts & (BY_SUFFIX | MEANT) and k < j:
            answer = suffixed(tables, s, h, facts, i, k)
            fill_base(s, SUFFIX_LINK, answer, facts & BY_SUFFIX)
    if plain > i:
        fill_prefixed(tables, s, s.hashes[i, j], s.facts[i, j], i, plain, j)
    without_prefix(tables, s, i, j)
    s.numbers[KIN] = kin & NEAR
    s.numbers[TOLD] = kin >> 3
    s.numbers[JOINED_ZIPF] = zipf_class(best)
    s.numbers[JOINED_KIND] = word_kind(best)
    s.numbers[JOINED_SPEECH] = speech_class(best)
    if s.numbers[COMPLEXITY] == 0:
        s.numbers[COMPLEXITY] = (best & COMPLEXITY_BITS) >> COMPLEXITY_AT


def fill_prefixed(tables, s, h, facts, i, k, j):
    """Look up a span, as it is written up to k, as a derivation by a prefix."""
    if facts & (BY_PREFIX | MEANT):
        answer = prefixed(tables, s, h, facts, i, k, j)
        fill_base(s, PREFIX_LINK, answer, facts & BY_PREFIX)


def without_prefix(tables, s, i, j):
    """Look up what is left of a span without a prefix, as a derivation by a suffix."""
    for y in range(1, s.closed_ends[i, 0] + 1):
        p = s.closed_ends[i, y]
        if p >= j:
            break
        for x in range(1, s.closed_starts[j, 0] + 1):
            k = s.closed_starts[j, x]
            if k <= p:
                continue
            h = spelling(s, p, k, j)
            facts = s.facts[p, j] if h == s.hashes[p, j] else facts_of(tables, h)
            if facts & (BY_SUFFIX | MEANT):
                answer = suffixed(tables, s, h, facts, p, k)
                fill_base(s, SUFFIX_LINK, answer, facts & BY_SUFFIX)


def change_hash(s, i, j):
    """Hash how the last letters of the span are written in the word; 1 if they are unchanged."""
    start = max(i, j - 3)
    if s.copied[j] >= j - start:
        return 1
    at = s.position[start]
    end = s.position[j]
    while start < j and at < end and s.form[start] == s.word[at]:
        start += 1
        at += 1
    if start == j and at == end:
        return 1
    return string_hash(mix(string_hash(SEPARATOR, s.form, start, j), SEPARATOR), s.word, at, end)


def fill_base(s, link, answer, derived):
    """Note what is known of one way to derive the span: is it listed, how near is the base."""
    kin = link - SUFFIX_LINK + SUFFIX_KIN
    told = link - SUFFIX_LINK + SUFFIX_TOLD
    s.numbers[kin] = max(s.numbers[kin], answer & NEAR)
    s.numbers[told] = max(s.numbers[told], (answer >> 3) & 3)
    if derived:
        s.numbers[link] = max(s.numbers[link], 3 if answer & LISTED else 2)
