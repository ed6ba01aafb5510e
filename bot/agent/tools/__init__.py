"""Tools that the model may call in a turn, one file each. `bot.wiring.memory` lists them."""
