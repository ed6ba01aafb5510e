"""The pages of memory: what is kept, one statement, core facts, what is kept twice, forgettings."""
