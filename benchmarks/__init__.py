"""How fast the pet is: `eko bench`, in a source checkout only."""
