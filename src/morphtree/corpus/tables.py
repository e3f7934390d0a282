"""The tables of a corpus as data frames: counted words, vocabulary, morphemes, families, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

import morphtree.daft
from morphtree.arrow.types import analysis_type, arrow
from morphtree.corpus.counting import BATCH, TokenFinder, WordCounter, counts_type, tokens_type
from morphtree.corpus.engine import daft
from morphtree.corpus.listing import literal

PART = "part"  # the column that a table is cut by
STEM = "stem"
TOKEN = ("start", "end", "token", "word")

morphtree.daft.in_batches(WordCounter, "counts", counts_type(), BATCH)
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


def kinds_type() -> Any:
    """Return the type of the morphemes of a word, each once: what they are, not where."""
    pa = arrow()
    return pa.list_(pa.struct([("form", pa.string()), ("role", pa.string())]))


class MorphemeFinder:
    """Finds the distinct morphemes of each word, so that no table of all words need be grouped."""

    def __init__(self, *, stems: bool = False) -> None:
        self._stems = stems  # alone, without the hyphens of the written word

    def kinds(self, morphemes: Any) -> Any:
        """Return the distinct forms and roles of each row."""
        pa, lists = arrow(), morphemes.to_arrow()
        each, rows = lists.flatten(), import_module("pyarrow.compute").list_parent_indices(lists)
        table = pa.table({"row": rows, "form": each.field("form"), "role": each.field("role")})
        table = _bare_stems(table) if self._stems else table
        found = table.group_by([*table.column_names]).aggregate([]).sort_by("row").combine_chunks()
        ends = np.searchsorted(found["row"].to_numpy(), np.arange(len(lists) + 1)).astype(np.int32)
        kinds = found.select(["form", "role"]).to_struct_array().combine_chunks()
        element = kinds_type().value_type
        return pa.ListArray.from_arrays(pa.array(ends), kinds.cast(element), type=kinds_type())


def _bare_stems(table: Any) -> Any:
    """Return the stems of a table of morphemes as `trees.tree.bare` writes them."""
    compute = import_module("pyarrow.compute")
    table = table.filter(compute.equal(table["role"], STEM))
    forms = compute.replace_substring(table["form"], "-", "")
    bare = compute.if_else(compute.equal(forms, ""), table["form"], forms)
    return table.set_column(table.column_names.index("form"), "form", bare)


morphtree.daft.in_batches(MorphemeFinder, "kinds", kinds_type(), BATCH)


def _morphemes_of_words(words: Any, *, stems: bool = False) -> Any:
    """Return the distinct morphemes of each word, or stems, with the tokens that they occur in."""
    col = daft().col
    finder = daft().cls(MorphemeFinder, use_process=False)(stems=stems)
    kinds = finder.kinds(col("morphemes")).alias("kind")
    each = words.where(col("morphemes").not_null()).select(kinds, "count").explode("kind")
    return each.where(col("kind").not_null()).select(
        col("kind")["form"].alias("form"), col("kind")["role"].alias("role"), "count",
        (col("count") == 1).cast(daft().DataType.int64()).alias("once"),
    )  # fmt: skip


def _grouped(each: Any, by: Sequence[str], types: str, tokens: str) -> Any:
    """Count the words and the tokens of morphemes; hapaxes are of the corpus."""
    col = daft().col
    return each.groupby(*by).agg(
        col("once").count().alias(types), col("count").sum().alias(tokens),
        col("once").sum().alias("hapaxes"),
    )  # fmt: skip


def morphemes(words: Any) -> Any:
    """Return the morphemes of a vocabulary, the most frequent first."""
    col = daft().col
    found = _grouped(_morphemes_of_words(words), ["form", "role"], "types", "tokens")
    found = found.with_column("productivity", col("hapaxes") / col("tokens"))
    return found.sort(["tokens", "form", "role"], desc=[True, False, False])


def families(words: Any) -> Any:
    """Return the families of words that share a stem; a compound belongs to several."""
    col = daft().col
    stems = _morphemes_of_words(words, stems=True).with_column(STEM, col("form"))
    found = _grouped(stems, [STEM], "family_size", "family_tokens")
    return found.sort(["family_size", "family_tokens", STEM], desc=[True, True, False])


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
    return daft().read_parquet([*map(literal, places)])
