"""The command line: each command asks the running daemon, or opens the data folder itself."""
