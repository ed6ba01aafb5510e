-- The time zone of a message's author then: as their device says, or as they said themselves.
ALTER TABLE messages ADD COLUMN zone TEXT;
CREATE INDEX messages_zone ON messages (person_id, sent_at) WHERE zone IS NOT NULL;
