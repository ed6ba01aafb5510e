-- What people claim in their messages: where a clause stands in the text, and what it is read as.
-- The words stay where they are, so that what is forgotten of a message takes its claims along.
CREATE TABLE claims (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    slot TEXT NOT NULL,
    status TEXT NOT NULL,
    of_author INTEGER NOT NULL,
    certainty REAL NOT NULL,
    PRIMARY KEY (message_id, "start", "end", slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX claims_slot ON claims (slot, message_id);
-- The messages whose claims are still to be read, or to be read once more.
CREATE TABLE claims_waiting (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE
) STRICT;
CREATE TRIGGER claims_of_new_message AFTER INSERT ON messages
WHEN new.author_kind = 'person' AND new.text <> '' AND new.deleted_at IS NULL BEGIN
    INSERT INTO claims_waiting (message_id) VALUES (new.id);
END;
CREATE TRIGGER claims_of_new_text AFTER UPDATE OF text ON messages
WHEN old.text <> new.text AND new.author_kind = 'person' BEGIN
    DELETE FROM claims WHERE message_id = new.id;
    INSERT OR IGNORE INTO claims_waiting (message_id) VALUES (new.id);
END;
INSERT INTO claims_waiting (message_id)
SELECT id FROM messages WHERE author_kind = 'person' AND text <> '' AND deleted_at IS NULL;
