"""How pages of the dashboard are drawn: templates, the menu, charts."""
