"""What finds facts in conversations, and when they are read, for the pet of the tests."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from bot.llm.offline.extraction import RuleExtractor
from bot.llm.tasks.extraction import ModelExtractor
from bot.llm.tasks.fact_forms import CONVERSATION_FORM
from bot.ports import Model
from observers.conversation_facts import ExtractionRules
from observers.ports import Extractor

EXTRACTION = ExtractionRules(
    idle=timedelta(seconds=20),
    every_turns=5,
    span_turns=3,
    span_chars=2000,
    overlap_turns=1,
    attempts=2,
    zone=ZoneInfo("Europe/Paris"),
    pet_name="Eko",
)
"""The pet's own numbers, but for spans that a test can fill."""


def by_rules(_model: Model) -> Extractor:
    """Facts as a pet without a model finds them."""
    return RuleExtractor()


def by_model(model: Model) -> Extractor:
    """Facts as a model records them, in the form it is given."""
    return ModelExtractor(model, CONVERSATION_FORM, prompt="Record what is worth keeping.")
