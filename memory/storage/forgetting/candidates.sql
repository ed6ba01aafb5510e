-- name: messages_near
-- Of those that say one of the words, the latest: what a person asks to have forgotten is fresh.
SELECT m.id, m.text FROM messages_fts AS f
CROSS JOIN messages AS m ON m.id = f.rowid
WHERE messages_fts MATCH :match AND m.deleted_at IS NULL AND m.author_kind = 'person'
    AND m.id NOT IN (SELECT value FROM json_each(:asking))
    AND (:asker IS NULL OR m.person_id = :asker)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY f.rowid DESC LIMIT :limit

-- name: messages_lately
SELECT m.id, m.text FROM messages AS m
WHERE m.person_id = :asker AND m.author_kind = 'person' AND m.deleted_at IS NULL
    AND m.id NOT IN (SELECT value FROM json_each(:asking))
ORDER BY m.id DESC LIMIT :limit

-- name: statements_near
-- Statements that no message stands behind any more: the others go with their messages.
SELECT m.id, m.content AS text FROM memories_fts AS f
CROSS JOIN memories AS m ON m.seq = f.rowid
WHERE memories_fts MATCH :match AND m.content <> '' AND m.forgotten_at IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id
        WHERE s.memory_id = m.id AND g.deleted_at IS NULL
    )
    AND (:asker IS NULL OR m.person_id = :asker)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY f.rowid DESC LIMIT :limit

-- name: said_by_others
-- What other people said of it, where the asker may read it.
SELECT m.author, m.text FROM messages_fts AS f
CROSS JOIN messages AS m ON m.id = f.rowid
WHERE messages_fts MATCH :match AND m.deleted_at IS NULL AND m.author_kind = 'person'
    AND m.person_id <> :asker
    AND (:scope IS NULL OR m.audience IN (SELECT value FROM json_each(:scope)))
ORDER BY f.rowid DESC LIMIT :limit
