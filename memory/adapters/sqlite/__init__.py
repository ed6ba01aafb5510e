"""The truth: one SQLite file. The only package that speaks SQL."""
