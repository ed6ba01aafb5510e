-- Voice notes: whether their words were written down, in which language, and how long they were.
-- The sound is kept nowhere; `url` is where its platform has it, '' once nothing is fetched again.
CREATE TABLE voice_notes (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN (
        'waiting', 'heard', 'silent', 'too_long', 'failed', 'spent', 'forwarded', 'unobserved'
    )),
    url TEXT NOT NULL,
    media_type TEXT NOT NULL,
    seconds REAL NOT NULL,
    size INTEGER NOT NULL,
    -- As the server names it; '' where it told none.
    language TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX voice_notes_waiting ON voice_notes (message_id) WHERE state = 'waiting';
-- What is taken back or forgotten is not listened to, and nothing of it stays.
CREATE TRIGGER voice_notes_of_gone_messages AFTER UPDATE OF deleted_at ON messages
WHEN new.deleted_at IS NOT NULL BEGIN
    DELETE FROM voice_notes WHERE message_id = new.id;
END;
-- How long the sound was that a call listened to, in milliseconds; 0 for calls without sound.
ALTER TABLE llm_usage ADD COLUMN audio_ms INTEGER NOT NULL DEFAULT 0;
