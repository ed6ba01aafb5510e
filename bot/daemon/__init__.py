"""The daemon: what runs, holds the lock, serves the page and the control socket."""
