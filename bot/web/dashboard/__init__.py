"""The owner's dashboard: a module a page, each with its templates and its table of texts."""
