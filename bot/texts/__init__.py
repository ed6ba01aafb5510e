"""What people read, in every language: one file of texts each, and what finds a text in them.

Texts stand in `en.toml`, `fr.toml` and whatever other language has a file here, never in Python;
`docs/texts.md` says how to change one and how to add a language. Start with `catalogue.py`, which
reads them; `choice.py` says which language a reader gets, `commands.py` what a command is called.
`forgetting.py`, `provenance.py` and `log_sentences.py` put sentences together, `sanitizing.py`
makes what strangers wrote harmless to a screen. May use `agent`, `model` and `ports`, and nothing
that talks to people: commands, channels and the command line use this room.
"""
