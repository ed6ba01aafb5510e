"""Voice notes become words, by any server that speaks the transcriptions of OpenAI's audio API.

It may use what `bot/llm/service/` has. Start with `openai_audio.py`.
"""
