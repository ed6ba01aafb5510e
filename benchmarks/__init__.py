"""How fast the pet is and how much it finds again, in a source checkout only."""
