"""The tables of a corpus as data frames: counted words, vocabulary, morphemes, families, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import morphtree.daft
from morphtree.arrow.types import analysis_type, arrow
from morphtree.corpus.counting import BATCH, TokenFinder, WordCounter, counts_type, tokens_type
from morphtree.corpus.engine import daft
from morphtree.corpus.lines import LineReader

PART = "part"  # the column that a table is cut by
STEM = "stem"
TOKEN = ("start", "end", "token", "word")

morphtree.daft.in_batches(WordCounter, "counts", counts_type(), BATCH)
morphtree.daft.in_batches(LineReader, "lines", arrow().list_(arrow().string()), 1)
morphtree.daft.in_batches(TokenFinder, "tokens", tokens_type(), BATCH)


def counted(texts: Any) -> Any:
    """Return the words of texts with their counts; the count without a word is of empty rows."""
    col = daft().col
    counts = daft().cls(WordCounter, use_process=False)().counts(col("text")).alias("found")
    pairs = texts.select(counts).explode("found").where(col("found").not_null())
    pairs = pairs.select(col("found")["word"].alias("word"), col("found")["count"].alias("count"))
    return pairs.groupby("word").agg(col("count").sum())


def merged(counts: Any, parts: int, least: int) -> Any:
    """Add up the counts of words, and cut the table into parts by a hash of the word."""
    col = daft().col
    words = counts.where(col("word").not_null()).groupby("word").agg(col("count").sum())
    return _cut(words.where(col("count") >= least), parts)


def _cut(words: Any, parts: int) -> Any:
    col = daft().col
    return words.with_column(PART, (col("word").hash() % parts).cast(daft().DataType.int32()))


def vocabulary(words: Any, parts: int, model: str, controls: dict[str, Any]) -> Any:
    """Return the analyses of counted words."""
    col = daft().col
    found = morphtree.daft.parse(col("word"), model, **controls).alias("found")
    return _cut(words.select("word", "count", found).select("word", "count", *_fields()), parts)


def _fields() -> list[Any]:
    return [daft().col("found")[field.name].alias(field.name) for field in analysis_type()]


def _morphemes_of_words(words: Any) -> Any:
    """Return the distinct morphemes of each word, with the tokens that they occur in."""
    col = daft().col
    each = words.where(col("morphemes").not_null()).explode("morphemes")
    each = each.select(
        col("morphemes")["form"].alias("form"), col("morphemes")["role"].alias("role"), "word",
        "count", (col("count") == 1).cast(daft().DataType.int64()).alias("once"),
    )  # fmt: skip
    return each.groupby("form", "role", "word").agg(
        col("count").sum().alias("tokens"), col("once").max()
    )


def _frequencies(each: Any, *keys: str) -> Any:
    """Return how many words have a morpheme, in how many tokens, and how many occur once."""
    col = daft().col
    return each.groupby(*keys).agg(
        col("word").count().alias("types"), col("tokens").sum(), col("once").sum().alias("hapaxes")
    )


def morphemes(words: Any) -> Any:
    """Return the morphemes of a vocabulary, the most frequent first; hapaxes are of the corpus."""
    col = daft().col
    found = _frequencies(_morphemes_of_words(words), "form", "role")
    found = found.with_column("productivity", col("hapaxes") / col("tokens"))
    return found.sort(["tokens", "form", "role"], desc=[True, False, False])


def families(words: Any) -> Any:
    """Return the families of words that share a stem; a compound belongs to several."""
    col = daft().col
    each = _morphemes_of_words(words).where(col("role") == STEM)
    found = _frequencies(each, "form").select(
        col("form").alias("stem"), col("types").alias("family_size"),
        col("tokens").alias("family_tokens"), "hapaxes",
    )  # fmt: skip
    return found.sort(["family_size", "family_tokens", "stem"], desc=[True, True, False])


def tokens(texts: Any, words: Any) -> Any:
    """Return every token of texts with its place, and the analysis of its word."""
    col = daft().col
    found = daft().cls(TokenFinder, use_process=False)().tokens(col("text")).alias("found")
    each = texts.select("path", col("text").hash().alias("row"), found).explode("found")
    each = each.where(col("found").not_null()).select(
        "path", "row", *(col("found")[name].alias(name) for name in TOKEN)
    )  # fmt: skip
    known = words.select("word", "tree", "morphemes", "prob")
    return each.join(known, on="word", how="left")


def read(places: Sequence[str]) -> Any:
    """Read the files of a table."""
    return daft().read_parquet([*places])
