"""The doctor: what works, what does not, and what there is to do."""
