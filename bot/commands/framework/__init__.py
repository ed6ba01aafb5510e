"""What every command goes through: syntax, authority, dispatch, refusal."""
