"""Other agents: tools over the Model Context Protocol, each of which is one request of the API.

Start with `tools.py`, then `server.py`. `terminal.py` serves them as `eko mcp` on the standard
streams, `endpoint.py` as `/mcp` beside the API: https://modelcontextprotocol.io
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    pages=("endpoint",),
    terminal=("terminal",),
)
