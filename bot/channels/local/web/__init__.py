"""The page: one room in a browser."""
