"""WhatsApp itself: its payloads and markup, whichever of its two services is used."""
