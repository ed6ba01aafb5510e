"""One vendor each: the database, the vector stores and the embedders."""
