"""The pages of the brain: what it holds by category, and what hangs together, node by node."""
