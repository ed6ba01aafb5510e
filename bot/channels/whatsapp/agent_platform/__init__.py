"""Meta's Agent Platform: a talk between one person and their own agent, asked for and not called.

Its manual, version 1 of 2026-08-25:
https://www.whatsapp.com/developer/WhatsApp-Agent-Platform-Developer-Manual.pdf; what others saw of
it: https://elimeshi1.github.io/Whagent/ and
https://hermes-agent.nousresearch.com/docs/plugins/whatsapp-agent-platform.
"""
