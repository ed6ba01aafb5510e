-- name: latest
-- What waits for an answer is being asked; an answer goes where all that it quotes may go. What was
-- put right by hand is known as it is now.
SELECT m.* FROM json_each(:audiences) AS a
JOIN messages AS m ON m.id IN (
    SELECT id FROM messages
    WHERE audience = a.value AND deleted_at IS NULL AND handling <> 'pending' AND author_kind <> 'system'
    ORDER BY sent_at DESC LIMIT :limit
)
LEFT JOIN turns AS t ON t.id = m.turn_id
WHERE (m.handling IN ('observed', 'answered', 'stale') OR m.author_kind = 'pet')
    AND NOT EXISTS (SELECT 1 FROM put_right_lines AS p WHERE p.message_id = m.id)
    AND (t.id IS NULL OR (t.search_text <> '' AND (t.carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(t.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))))
ORDER BY m.sent_at DESC, m.id DESC LIMIT :limit

-- name: matching
SELECT m.id FROM (
    SELECT rowid AS id, rank FROM messages_fts WHERE messages_fts MATCH :wanted
) AS hit CROSS JOIN messages AS m ON m.id = hit.id
WHERE m.deleted_at IS NULL AND m.handling IN ('observed', 'answered', 'stale')
    AND m.audience IN (SELECT value FROM json_each(:audiences))
ORDER BY hit.rank LIMIT :limit

-- name: claiming
-- The latest lines with a claim of a slot, whether it is meant or only looks so.
SELECT m.id FROM claims AS c CROSS JOIN messages AS m ON m.id = c.message_id
WHERE c.slot = :slot AND m.deleted_at IS NULL AND m.handling IN ('observed', 'answered', 'stale')
    AND m.audience IN (SELECT value FROM json_each(:audiences))
ORDER BY c.message_id DESC LIMIT :limit

-- name: around
-- The lines themselves with those said just before and after them in the same room.
SELECT DISTINCT n.* FROM json_each(:ids) AS k
JOIN messages AS m ON m.id = k.value
JOIN messages AS n ON n.id IN (
    SELECT id FROM (
        SELECT id FROM messages
        WHERE room_id = m.room_id AND sent_at <= m.sent_at AND deleted_at IS NULL
        ORDER BY sent_at DESC, id DESC LIMIT 4
    )
    UNION
    SELECT id FROM (
        SELECT id FROM messages
        WHERE room_id = m.room_id AND sent_at > m.sent_at AND deleted_at IS NULL
        ORDER BY sent_at, id LIMIT 3
    )
)
WHERE n.handling IN ('observed', 'answered', 'stale') AND n.author_kind = 'person'
    AND NOT EXISTS (SELECT 1 FROM put_right_lines AS p WHERE p.message_id = n.id)
    AND n.audience IN (SELECT value FROM json_each(:audiences))
ORDER BY n.sent_at, n.id
