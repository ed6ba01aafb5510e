"""What Telegram tells, in the pet's terms: its objects, rooms and members, up to the inbox."""
