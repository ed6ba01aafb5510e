"""How operations, resources, pages and words of the terminal are made, for every topic.

`access/` says who asks and what they may; `api/` what every resource keeps to; `pages/` draws;
`terminal/` asks a running daemon and shows what comes. A topic is known here only as registered.
"""
