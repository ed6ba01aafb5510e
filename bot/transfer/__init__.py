"""Files that memory comes from and goes to: exports, recordings, seeds."""
