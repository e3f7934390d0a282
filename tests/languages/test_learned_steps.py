"""Silver steps that are learnt from words read by hand, on small lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import pytest

from morphtree.languages.learned_steps import LearnedSteps
from morphtree.languages.listed_words import Derived, Lemma, ListedWords
from morphtree.lexicon.word_facts import UNKNOWN, Facts
from morphtree.treebank.formats.steps import Step, parse_step

READ = """
    cantar | cantamos = cantar + -amos | bailar | bailamos = bailar + -amos | saltar
    saltamos = saltar + -amos | gritar | gritamos = gritar + -amos | temer | tememos = temer + -emos
    correr | corremos = correr + -emos | beber | bebemos = beber + -emos
    libro | libros = libro + -s | casa | casas = casa + -s | cosa | cosas = cosa + -s
    lunes | martes | cantante = cantar + -ante | hablante = hablar + -ante | hablar
    bastante | saltante = saltar + -ante | bebida | agua | sol | girasol = gira + sol | gira
    tragaluz = traga + luz | traga | luz
"""
LEMMAS = """
    cantamos:cantar bailamos:bailar saltamos:saltar gritamos:gritar tememos:temer corremos:correr
    bebemos:beber libros:libro casas:casa cosas:cosa nadamos:nadar comemos:comer mesas:mesa
    rojas:rojo roja:rojo caminante:caminante nadar:nadar comer:comer mesa:mesa rojo:rojo
    lunes:lunes martes:martes jueves:jueves casacosa:casacosa cosa:cosa casa:casa
    sol:sol cantar:cantar hablar:hablar bastante:bastante cantante:cantante roja:roja
"""


def small() -> ListedWords:
    listed = ListedWords.__new__(ListedWords)
    listed.lemmas = defaultdict(set)
    for pair in LEMMAS.split():
        form, lemma = pair.split(":")
        listed.lemmas[form].add(Lemma(lemma, ""))
    listed.facts = {word: Facts(4.0, UNKNOWN, 0) for word in listed.lemmas}
    listed.derived = {"caminante": [Derived("caminar", "nte", False)]}
    return listed


@pytest.fixture(scope="module")
def read() -> Mapping[str, Step]:
    lines = [line.strip() for row in READ.strip().splitlines() for line in row.split("|")]
    return {step.word: step for step in (parse_step(0, line) for line in lines)}


@pytest.fixture(scope="module")
def maker(read: Mapping[str, Step]) -> LearnedSteps:
    return LearnedSteps(read, small())


@pytest.mark.parametrize(
    "line",
    ["nadamos = nadar + -amos", "comemos = comer + -emos", "mesas = mesa + -s",
     "rojas = roja + -s", "caminante = caminar + -ante", "casacosa = casa + cosa", "jueves",
     "nadar"],
)  # fmt: skip
def test_a_change_that_was_read_is_made_again(maker: LearnedSteps, line: str) -> None:
    """Only where lists relate the words: *jueves* is no form of *jueve*."""
    step = parse_step(0, line)
    whole = maker.chain([step.word], {})[step.word]
    assert [(x.string, x.label) for x in whole.operands] == [
        (x.string, x.label) for x in step.operands
    ]


def test_words_that_were_read_keep_their_steps(
    maker: LearnedSteps, read: Mapping[str, Step]
) -> None:
    steps = maker.chain(["nadamos", "libros"], read)
    assert steps["libros"] is read["libros"]
    assert [*steps][-2:] == ["nadar", "nadamos"]  # bases come first


def test_what_is_made_of_words_that_were_read_is_trusted(
    maker: LearnedSteps, read: Mapping[str, Step]
) -> None:
    steps = maker.chain(["nadamos", "rojas", "casacosa"], read)
    assert maker.trusted(steps, read) == {"casacosa"}
    steps = maker.chain(["mesas"], {**read, "mesa": Step(0, "mesa")})
    assert "mesas" in maker.trusted(steps, {**read, "mesa": Step(0, "mesa")})


def test_a_change_that_often_failed_is_not_made(read: Mapping[str, Step]) -> None:
    """Words on which the lists name a base, and that were read as simple, count against it."""
    listed = small()
    simple = {word: Step(0, word) for word in ("tasas", "rasas", "pasas", "gasas")}
    for word in simple:
        listed.lemmas[word] = {Lemma(word[:-1], "")}
    parts = LearnedSteps({**read, **simple}, listed).parts("mesas")
    assert not parts
