"""One module a format, each with an instance `READER`; what they share is a folder above."""
