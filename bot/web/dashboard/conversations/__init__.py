"""The pages of conversations: each answer with why, and what would be recalled for a question."""
