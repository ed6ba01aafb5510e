"""Who a request is from, and what it may do: the owner, a manager of a community, a key."""
