"""What a model does besides talking: extracting facts, comparing statements, summarising."""
