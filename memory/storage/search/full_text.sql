-- name: people
-- Who goes by which name where it may be read: that two names are one person's may be a secret.
SELECT DISTINCT person_id AS id, spelling AS name FROM aliases
WHERE person_id IS NOT NULL AND memory_id IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: rooms
SELECT id, name FROM rooms

-- name: messages
-- One that belongs to an exchange goes where that goes; what still waits is what is being asked.
SELECT CAST(m.id AS TEXT) AS id, m.sent_at AS at, m.turn_id AS turn FROM (
    SELECT rowid AS id FROM messages_fts WHERE :wanted <> '' AND messages_fts MATCH :wanted
    UNION ALL
    SELECT id FROM messages WHERE :wanted = ''
) AS hit CROSS JOIN messages AS m ON m.id = hit.id
LEFT JOIN turns AS t ON t.id = m.turn_id
WHERE m.deleted_at IS NULL
    AND (m.handling IN ('observed', 'answered', 'stale') OR m.author_kind = 'pet')
    AND (t.id IS NULL OR t.search_text <> '')
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:authors IS NULL OR m.author COLLATE NOCASE IN (SELECT value FROM json_each(:authors))
        OR (m.author_kind = 'person' AND m.person_id IN (SELECT value FROM json_each(:persons))))
    AND (:rooms IS NULL OR m.room_id IN (SELECT value FROM json_each(:rooms)))
    AND m.sent_at >= :after AND m.sent_at < :before
    AND (:unwanted = '' OR m.id NOT IN (
        SELECT rowid FROM messages_fts WHERE :unwanted <> '' AND messages_fts MATCH :unwanted
    ))
ORDER BY m.sent_at DESC, m.id DESC LIMIT :limit

-- name: turns
SELECT t.id, t.at, t.id AS turn FROM (
    SELECT rowid AS seq FROM turns_fts WHERE :wanted <> '' AND turns_fts MATCH :wanted
    UNION ALL
    SELECT seq FROM turns WHERE :wanted = ''
) AS hit CROSS JOIN turns AS t ON t.seq = hit.seq
WHERE t.state = 'delivered' AND t.search_text <> ''
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR t.carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(t.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
    AND (:authors IS NULL OR t.speaker COLLATE NOCASE IN (SELECT value FROM json_each(:authors))
        OR t.person_id IN (SELECT value FROM json_each(:persons)))
    AND (:rooms IS NULL OR t.room_id IN (SELECT value FROM json_each(:rooms)))
    AND t.at >= :after AND t.at < :before
    AND (:unwanted = '' OR t.seq NOT IN (
        SELECT rowid FROM turns_fts WHERE :unwanted <> '' AND turns_fts MATCH :unwanted
    ))
ORDER BY t.at DESC, t.seq DESC LIMIT :limit

-- name: memories
SELECT m.id, m.valid_from AS at, m.store, NULL AS turn FROM (
    SELECT rowid AS seq FROM memories_fts WHERE :wanted <> '' AND memories_fts MATCH :wanted
    UNION ALL
    SELECT seq FROM memories WHERE :wanted = ''
) AS hit CROSS JOIN memories AS m ON m.seq = hit.seq
WHERE m.superseded_by IS NULL AND m.forgotten_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > :now)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:authors IS NULL OR m.said_by COLLATE NOCASE IN (SELECT value FROM json_each(:authors)))
    AND (:rooms IS NULL OR m.room_id IN (SELECT value FROM json_each(:rooms)))
    AND m.valid_from >= :after AND m.valid_from < :before
    AND (:unwanted = '' OR m.seq NOT IN (
        SELECT rowid FROM memories_fts WHERE :unwanted <> '' AND memories_fts MATCH :unwanted
    ))
ORDER BY m.valid_from DESC, m.seq DESC LIMIT :limit

-- name: knowledge
SELECT k.id, k.at, NULL AS turn FROM (
    SELECT rowid AS seq FROM knowledge_fts WHERE :wanted <> '' AND knowledge_fts MATCH :wanted
    UNION ALL
    SELECT seq FROM knowledge WHERE :wanted = ''
) AS hit CROSS JOIN knowledge AS k ON k.seq = hit.seq
WHERE k.retired_at IS NULL
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR k.carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(k.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
    AND (:authors IS NULL OR k.person_id IN (SELECT value FROM json_each(:persons)))
    AND (:rooms IS NULL OR k.room_id IN (SELECT value FROM json_each(:rooms)))
    AND k.at >= :after AND k.at < :before
    AND (:unwanted = '' OR k.seq NOT IN (
        SELECT rowid FROM knowledge_fts WHERE :unwanted <> '' AND knowledge_fts MATCH :unwanted
    ))
ORDER BY k.at DESC, k.seq DESC LIMIT :limit
