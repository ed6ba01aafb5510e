"""An ablation leaves nothing out: every weight, relation and reading has a variant of its own."""

from dataclasses import fields, replace
from datetime import timedelta
from uuid import UUID

from benchmarks.variants import EXTRAS, WHOLE, Variant, read_less, thinned, variants
from memory.language.synonyms import NEAR, TRANSLATED
from memory.model.retrieval import Candidate, Company, Near, Section, Told
from memory.model.statements import Association, MemoryId, Relation
from memory.model.stores import Collection
from memory.retrieval.query import Query, Term
from memory.retrieval.question_reader import OTHER_NAME
from memory.retrieval.weights import Weights
from tests.cast import NOON


def row(number: int) -> Candidate:
    """A candidate that is known by its number."""
    return Candidate(
        section=Section.LIVE,
        collection=Collection.LIVE,
        id=UUID(int=number),
        revision=1,
        content=str(number),
        at=NOON + timedelta(minutes=number),
    )


def changed(variant: Variant) -> set[str]:
    """The weights that a variant changes."""
    own, usual = variant.weights, Weights()
    return {
        one.name for one in fields(Weights) if getattr(own, one.name) != getattr(usual, one.name)
    }


def test_every_weight_is_ablated_by_itself() -> None:
    """A weight that is new needs a variant; before and after are one thing, the neighbours."""
    alone = [changed(variant) for variant in variants()]
    missing = {one.name for one in fields(Weights)}
    missing -= {name for names in alone if len(names) == 1 for name in names}
    assert missing == {"after", "before"}
    assert {"after", "before"} in alone


def test_every_relation_is_ablated_by_itself() -> None:
    """All others keep their weight."""
    usual = Weights().relations
    left = [variant.weights.relations for variant in variants()]
    for relation in Relation:
        assert {one: usual[one] for one in usual if one != relation} in left


def test_every_variant_is_another_and_has_a_name_of_its_own() -> None:
    """One that is like the whole would show a difference of nothing."""
    found = variants()
    assert found[0] == WHOLE
    assert len({one.name for one in found}) == len(found)
    plain = [replace(one, name="") for one in found]
    assert all(one not in plain[:place] for place, one in enumerate(plain))


def test_every_extra_of_reading_can_be_left_unread() -> None:
    """A share tells where another stem comes from."""
    others = (("cat", TRANSLATED), ("felin", NEAR), ("minou", OTHER_NAME))
    asked = Query(text="le chat", terms=(Term("chat", others),))
    left = {extra: read_less(asked, frozenset({extra})).terms[0].stems[1:] for extra in EXTRAS}
    assert left == {
        "translations": ("felin", "minou"),
        "near words": ("cat", "minou"),
        "other names": ("cat", "felin"),
    }
    assert read_less(asked, frozenset()) is asked


def test_without_other_names_somebody_goes_by_what_the_text_says() -> None:
    """Whoever the text names is still named."""
    asked = Query(text="où habite Dev ?", named=(frozenset({"dev", "mickael"}),))
    assert read_less(asked, frozenset({"other names"})).named == (frozenset({"dev"}),)
    assert read_less(asked, frozenset({"translations"})).named == asked.named


def test_rows_that_came_only_with_what_is_off_are_gone() -> None:
    """A message behind a statement goes with its own neighbours; the statement stays."""
    found, behind, beside, next_, tied = map(row, range(1, 6))
    tie = Association(
        start=MemoryId(found.id), end=MemoryId(tied.id), relation=Relation.PART_OF, weight=1.0
    )
    company = Company(
        near=(
            Near(of=found.id, row=next_.id, offset=1),
            Near(of=behind.id, row=beside.id, offset=1),
        ),
        told=(Told(memory=found.id, message=behind.id),),
        ties=(tie,),
    )
    everyone = [found, behind, beside, next_, tied]
    assert thinned([found], everyone, company, frozenset()) == (everyone, company)
    rows, left = thinned([found], everyone, company, frozenset({"told"}))
    assert rows == [found, next_, tied]
    assert (left.near, left.told, left.ties) == (company.near[:1], (), (tie,))
    rows, left = thinned([found], everyone, company, frozenset({"near"}))
    assert (rows, left.near) == ([found, behind, tied], ())
    rows, left = thinned([found], everyone, company, frozenset({"ties"}))
    assert (rows, left.ties) == ([found, behind, beside, next_], ())
