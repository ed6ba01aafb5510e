"""What the command line does on a data folder, as values: each is a request and its answer."""
