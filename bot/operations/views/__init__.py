"""What is looked through page by page: readings for the dashboard and the API, as JSON.

Each is a function of the pet and of the caller, whose scope it keeps to; none changes anything.
What a page goes on with is `next`, None on the last one.
"""
