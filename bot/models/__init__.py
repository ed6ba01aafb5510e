"""Language models the pet can think with, one adapter each."""
