"""People, their accounts and aliases, and joining two of them into one."""
