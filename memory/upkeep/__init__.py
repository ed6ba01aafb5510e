"""What follows what is kept: the vector index, and the settings that change while the pet runs."""
