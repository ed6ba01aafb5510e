-- name: recent
-- The sign before room_id has quotations found by their ids: a room may have a million messages.
WITH lines AS (
    SELECT * FROM messages
    WHERE room_id = :room AND deleted_at IS NULL AND text <> ''
    ORDER BY sent_at DESC, id DESC LIMIT :limit
)
SELECT m.*, m.external_id AS key, m.turn_id AS turn, t.expression, q.external_id AS quoted,
    q.author AS quoted_author, substr(q.text, 1, :quoted_limit) AS quoted_text
FROM lines AS m
LEFT JOIN turns AS t ON t.id = m.turn_id
LEFT JOIN messages AS q ON m.reply_to IS NOT NULL
    AND q.platform IN (SELECT value FROM json_each(:platforms))
    AND q.external_id = m.reply_to AND +q.room_id = m.room_id AND q.deleted_at IS NULL
ORDER BY m.sent_at, m.id

-- name: line
SELECT m.*, m.external_id AS key, m.turn_id AS turn, t.expression, q.external_id AS quoted,
    q.author AS quoted_author, substr(q.text, 1, :quoted_limit) AS quoted_text
FROM messages AS m
LEFT JOIN turns AS t ON t.id = m.turn_id
LEFT JOIN messages AS q ON m.reply_to IS NOT NULL
    AND q.platform IN (SELECT value FROM json_each(:platforms))
    AND q.external_id = m.reply_to AND +q.room_id = m.room_id AND q.deleted_at IS NULL
WHERE m.platform IN (SELECT value FROM json_each(:platforms)) AND m.external_id = :key
    AND +m.room_id = :room AND m.deleted_at IS NULL AND m.text <> ''
LIMIT 1
