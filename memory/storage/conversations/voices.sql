-- name: give_up
UPDATE voice_notes SET state = 'failed', url = ''
WHERE state = 'waiting'
    AND message_id IN (SELECT id FROM messages WHERE received_at < :before)

-- name: waiting
SELECT v.message_id AS message, m.person_id AS person
FROM voice_notes AS v
JOIN messages AS m ON m.id = v.message_id AND m.person_id IS NOT NULL
WHERE v.state = 'waiting' AND m.platform IN (SELECT value FROM json_each(:platforms))
ORDER BY v.message_id

-- name: begin
UPDATE voice_notes SET attempts = attempts + 1 WHERE message_id = :message AND state = 'waiting'

-- name: find
SELECT m.id AS message, m.platform, m.external_id, m.room_id AS room, r.space,
    m.person_id AS person, p.observed, m.text,
    v.url, v.media_type, v.seconds, v.size, v.attempts AS begun
FROM voice_notes AS v
JOIN messages AS m ON m.id = v.message_id AND m.deleted_at IS NULL
JOIN rooms AS r ON r.id = m.room_id
JOIN people AS p ON p.id = m.person_id
WHERE v.message_id = :message AND v.state = 'waiting'

-- name: standing
SELECT m.id, m.handling, m.text, m.turn_id, m.audience, m.person_id, m.sent_at, p.observed,
    v.seconds
FROM voice_notes AS v
JOIN messages AS m ON m.id = v.message_id AND m.deleted_at IS NULL
JOIN people AS p ON p.id = m.person_id
WHERE v.message_id = :message AND v.state = 'waiting'

-- name: reword
UPDATE messages SET text = :text, search_text = :search_text, zone = coalesce(:zone, zone)
WHERE id = :message

-- name: place
UPDATE messages SET handling = :handling WHERE id = :message

-- name: settle
UPDATE voice_notes SET state = :state, url = '', language = :language, seconds = :seconds
WHERE message_id = :message

-- name: leave
UPDATE messages SET handling = 'stale' WHERE id = :message AND handling = 'pending'
