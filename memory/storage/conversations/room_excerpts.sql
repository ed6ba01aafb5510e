-- name: last_turn
SELECT id FROM turns WHERE session_id = :session ORDER BY seq DESC LIMIT 1

-- name: seen_to
-- The last message of the room that was before the model in a turn.
SELECT max(id) AS seen FROM (
    SELECT message_id AS id FROM turn_room_lines WHERE turn_id = :turn
    UNION ALL
    SELECT id FROM messages WHERE turn_id = :turn AND author_kind <> 'pet'
)

-- name: since
-- Commands and what the platform says of itself are kept and are no talk.
SELECT m.*, 0 AS is_starter FROM messages AS m
LEFT JOIN people AS p ON p.id = m.person_id
LEFT JOIN turns AS t ON t.id = m.turn_id
WHERE m.room_id = :room AND m.sent_at >= :since AND m.id > :seen
    AND m.deleted_at IS NULL AND m.text <> '' AND coalesce(p.observed, 1)
    AND (m.author_kind = 'person' AND m.handling <> 'kept'
        OR m.author_kind = 'pet' AND t.state = 'delivered')
    AND coalesce(t.session_id, '') <> :session
    AND m.id NOT IN (SELECT value FROM json_each(:answered))
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR m.author_kind = 'person' OR NOT EXISTS (
        SELECT 1 FROM json_each(t.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY m.sent_at DESC, m.id DESC LIMIT :most

-- name: starter
SELECT m.*, 1 AS is_starter FROM messages AS m
LEFT JOIN people AS p ON p.id = m.person_id
WHERE m.platform = :platform AND m.external_id = :starter
    AND m.room_id IN (SELECT value FROM json_each(:rooms))
    AND m.author_kind = 'person' AND m.handling <> 'kept'
    AND m.deleted_at IS NULL AND m.text <> '' AND coalesce(p.observed, 1)
    AND m.id NOT IN (SELECT value FROM json_each(:answered))
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: of_turns
SELECT l.turn_id AS told_to, l.is_starter, m.* FROM turn_room_lines AS l
CROSS JOIN messages AS m ON m.id = l.message_id
LEFT JOIN people AS p ON p.id = m.person_id
LEFT JOIN turns AS t ON t.id = m.turn_id
WHERE l.turn_id IN (SELECT value FROM json_each(:turns))
    AND m.deleted_at IS NULL AND m.text <> '' AND coalesce(p.observed, 1)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR m.author_kind = 'person' OR NOT EXISTS (
        SELECT 1 FROM json_each(t.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY l.is_starter DESC, m.sent_at, m.id

-- name: keep
INSERT INTO turn_room_lines (turn_id, message_id, is_starter) VALUES (:turn, :message, :is_starter)
