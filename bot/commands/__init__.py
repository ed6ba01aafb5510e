"""What people can ask of the pet outside any turn: one table for every channel."""
