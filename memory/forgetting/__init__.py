"""What is to be forgotten, decided without a table, a clock or a model."""
