"""The web: the owner's dashboard and the API, server-rendered, on the operations of `eko`.

`site.py` puts it together; `access/` says who asks and what they may; `api/` answers programs,
`dashboard/` people. It may use everything below it, and is used by the daemon only.
"""
