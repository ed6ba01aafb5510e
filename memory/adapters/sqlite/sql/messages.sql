-- name: known
SELECT m.platform, m.external_id
FROM json_each(:keys) AS k
JOIN messages AS m
    ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1

-- name: husks
SELECT count(*) AS husks
FROM json_each(:keys) AS k
JOIN messages AS m
    ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1
WHERE m.deleted_at IS NOT NULL

-- name: add
INSERT INTO messages (
    platform, external_id, room_id, person_id, author_kind, author, text, search_text,
    audience, reply_to, spaces, handling, turn_id, sent_at, received_at, deleted_at
) VALUES (
    :platform, :external_id, :room, :person, :author_kind, :author, :text, :search_text,
    :audience, :reply_to, :spaces, :handling, :turn, :sent_at, :received_at, :deleted_at
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
SELECT id, handling, text, turn_id, audience FROM messages
WHERE platform = :platform AND external_id = :external_id AND deleted_at IS NULL

-- name: edit
UPDATE messages SET text = :text, search_text = :search_text, edited_at = :now WHERE id = :id

-- name: pending
-- Under the name of the account that wrote it, whatever else its person is called.
SELECT m.*, m.id AS message_id, p.observed
FROM messages AS m
JOIN people AS p ON p.id = m.person_id
WHERE m.handling = 'pending'
ORDER BY m.id

-- name: stale
UPDATE messages SET handling = 'stale' WHERE handling = 'pending' AND received_at < :before

-- name: by_external_id
-- A part of a reply is known by the id it has where it was sent.
SELECT * FROM messages
WHERE platform = :platform AND external_id = :external_id AND deleted_at IS NULL
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

-- name: observed
SELECT m.* FROM messages AS m
WHERE m.id IN (SELECT value FROM json_each(:ids))
    AND m.handling = 'observed' AND m.deleted_at IS NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: visible
SELECT m.* FROM messages AS m
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.deleted_at IS NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: withdrawn
SELECT m.id FROM messages AS m
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.deleted_at IS NOT NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: observed_by_text
WITH best AS MATERIALIZED (
    SELECT m.id, f.rank FROM messages_fts AS f
    CROSS JOIN messages AS m ON m.id = f.rowid
    WHERE messages_fts MATCH :match AND m.handling = 'observed' AND m.deleted_at IS NULL
        AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    ORDER BY +f.rank LIMIT :limit
)
SELECT m.* FROM best CROSS JOIN messages AS m ON m.id = best.id ORDER BY best.rank

-- name: beside
-- Each hit walks its own stretch of the index two steps back and two on.
WITH hits AS MATERIALIZED (
    SELECT id, room_id, sent_at FROM messages WHERE id IN (SELECT value FROM json_each(:ids))
), pairs AS MATERIALIZED (
    SELECT hits.id AS hit, near.value AS id, -1 - near.key AS offset
    FROM hits CROSS JOIN json_each((
        SELECT json_group_array(id) FROM (
            SELECT p.id FROM messages AS p
            WHERE p.room_id = hits.room_id AND p.handling = 'observed' AND p.deleted_at IS NULL
                AND p.sent_at BETWEEN hits.sent_at - :reach AND hits.sent_at
                AND (p.sent_at < hits.sent_at OR p.id < hits.id)
            ORDER BY p.sent_at DESC, p.id DESC LIMIT 2
        )
    )) AS near
    UNION ALL
    SELECT hits.id AS hit, near.value AS id, 1 + near.key AS offset
    FROM hits CROSS JOIN json_each((
        SELECT json_group_array(id) FROM (
            SELECT p.id FROM messages AS p
            WHERE p.room_id = hits.room_id AND p.handling = 'observed' AND p.deleted_at IS NULL
                AND p.sent_at BETWEEN hits.sent_at AND hits.sent_at + :reach
                AND (p.sent_at > hits.sent_at OR p.id > hits.id)
            ORDER BY p.sent_at, p.id LIMIT 2
        )
    )) AS near
)
SELECT pairs.id, pairs.hit, pairs.offset FROM pairs
CROSS JOIN messages AS m ON m.id = pairs.id
WHERE (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: observed_between
-- Room by room, because that is how the index goes; what says most comes first.
SELECT m.* FROM rooms AS r
CROSS JOIN messages AS m ON m.room_id = r.id
WHERE m.sent_at >= :start AND m.sent_at < :end
    AND m.handling = 'observed' AND m.deleted_at IS NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY length(m.search_text) DESC LIMIT :limit
