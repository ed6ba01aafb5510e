-- name: known
SELECT m.platform, m.external_id
FROM json_each(:keys) AS k
JOIN messages AS m
    ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1

-- name: without_words
SELECT count(*) AS messages
FROM json_each(:keys) AS k
JOIN messages AS m
    ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1
WHERE m.deleted_at IS NOT NULL

-- name: add
INSERT INTO messages (
    platform, external_id, room_id, person_id, account, author_kind, author, text, search_text,
    audience, reply_to, spaces, handling, turn_id, sent_at, received_at, deleted_at, zone,
    brought_by
) VALUES (
    :platform, :external_id, :room, :person,
    coalesce(:account, (SELECT account FROM turns WHERE id = :turn)), :author_kind, :author, :text, :search_text,
    :audience, :reply_to, :spaces, :handling, :turn, :sent_at, :received_at, :deleted_at,
    :zone, :brought_by
) ON CONFLICT (platform, external_id) DO NOTHING

-- name: ids_of
SELECT m.id, m.platform, m.external_id
FROM json_each(:keys) AS k
JOIN messages AS m
    ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1

-- name: observe
INSERT INTO live_messages (message_id)
SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(:ids)) AND handling = 'observed'
ON CONFLICT DO NOTHING

-- name: find
SELECT id, handling, text, turn_id, audience, person_id FROM messages
WHERE platform = :platform AND external_id = :external_id AND deleted_at IS NULL

-- name: edit
UPDATE messages SET
    text = :text, search_text = :search_text, edited_at = :now, zone = coalesce(:zone, zone)
WHERE id = :id

-- name: pending
-- Under the name of the account that wrote it, whatever else its person is called.
SELECT m.*, m.id AS message_id, p.observed, v.state AS voice
FROM messages AS m
JOIN people AS p ON p.id = m.person_id
LEFT JOIN voice_notes AS v ON v.message_id = m.id
WHERE m.handling = 'pending' AND (:message IS NULL OR m.id = :message)
ORDER BY m.id

-- name: stale
UPDATE messages SET handling = 'stale' WHERE handling = 'pending' AND received_at < :before

-- name: by_external_id
-- A part of a reply is known by the id it has where it was sent, the whole of it by its own.
SELECT * FROM messages
WHERE platform IN (:platform, 'eko') AND external_id = :external_id AND deleted_at IS NULL
UNION ALL
SELECT m.* FROM turn_parts AS p
JOIN messages AS m ON m.turn_id = p.turn_id AND m.author_kind = 'pet'
WHERE p.platform = :platform AND p.external_id = :external_id AND m.deleted_at IS NULL
LIMIT 1

-- name: recent
SELECT * FROM (
    SELECT * FROM messages
    WHERE room_id = :room AND deleted_at IS NULL
    ORDER BY sent_at DESC, id DESC LIMIT :limit
) ORDER BY sent_at, id

-- name: visible
SELECT m.* FROM messages AS m
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.deleted_at IS NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: withdrawn
SELECT m.id FROM messages AS m
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.deleted_at IS NOT NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: add_voice
INSERT INTO voice_notes (message_id, state, url, media_type, seconds, size)
VALUES (:message, 'waiting', :url, :media_type, :seconds, :size)
ON CONFLICT DO NOTHING
