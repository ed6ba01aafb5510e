"""WhatsApp by Meta's Cloud API: calls come to a webhook, answers go out by the Graph API.

Start with `channel.py`. `webhook.py` judges who calls, `reader.py` reads what they bring,
`intake.py` hands it on; `sender.py` sends by `graph.py`. The documentation:
https://developers.facebook.com/documentation/business-messaging/whatsapp
"""
