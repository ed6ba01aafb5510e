"""How good the pet's memory is: read questions with known answers, ask its own recall, score."""
