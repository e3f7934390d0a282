"""Words that try to run, to turn the page around, or to break out of their boxes."""

from __future__ import annotations

import random

MARKUP = (
    "<script>window.evil=1</script>", "<img/src=x/onerror=window.evil=1>", "\"onload='evil()'",
    "<svg/onload=window.evil=1>", "javascript:window.evil=1", "';window.evil=1;//",
    "${window.evil=1}", "</text></svg><script>window.evil=1</script>", "&lt;b&gt;", "&#x3c;b>",
    "{{7*7}}", "%3Cscript%3E", "<!--", "]]>", "\\u003cscript", "`evil`", "__proto__",
    "constructor", "..", "../..", "%2e%2e", "#x", "?word=y",
)  # fmt: skip
TURNS = "\u202e\u202d\u202a\u202b\u202c\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
MARKS = "\u0300\u0301\u0316\u0334\u0338\u0489\u1ab0\u20dd\ufe20\u0e49\u0323"
ODD = (
    "\U0001d552\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467\u4e2d\u0645\u0631\u05d0\u0915\u094d\u0937"
    "\u200b\u200d\ufeff\ufffe\uffff\u00ad\ufdfd"
)
STEMS = "untestably", "happily", "cats", "unlockable", "w" * 60, "i" * 64, "x" * 200, "blackbirds"


def hostile_words(count: int, seed: int = 20161101) -> list[str]:
    """Return so many distinct hostile words, always the same."""
    rng = random.Random(seed)
    makers = (_markup, _turned, _stacked, _odd)
    words = dict.fromkeys(MARKUP)
    while len(words) < count:
        words[rng.choice(makers)(rng)[:256]] = None
    return list(words)[:count]


def _inside(rng: random.Random, what: str) -> str:
    stem = rng.choice(STEMS)
    at = rng.randrange(len(stem) + 1)
    return stem[:at] + what + stem[at:]


def _markup(rng: random.Random) -> str:
    return _inside(rng, rng.choice(MARKUP) + rng.choice(("", *MARKUP)))


def _turned(rng: random.Random) -> str:
    return _inside(rng, "".join(rng.choices(TURNS, k=rng.randint(1, 6))))


def _stacked(rng: random.Random) -> str:
    return _inside(rng, "".join(rng.choices(MARKS, k=rng.randint(1, 120))))


def _odd(rng: random.Random) -> str:
    return _inside(rng, "".join(rng.choices(ODD + TURNS + MARKS, k=rng.randint(1, 12))))
