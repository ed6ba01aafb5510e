"""Import of an export: what is brought in, under which ids, and what must not come back."""
