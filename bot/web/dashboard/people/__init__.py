"""The pages of people: who there is, what is known of each, and what can be done about it."""
