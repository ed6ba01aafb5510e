"""What every platform needs, whichever it is."""
