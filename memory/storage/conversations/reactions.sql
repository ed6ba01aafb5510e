-- name: message
SELECT m.id, (SELECT count(*) FROM reactions AS r WHERE r.message_id = m.id) AS reactions
FROM messages AS m
WHERE m.platform IN ('web', 'console', 'eko') AND m.external_id = :key
    AND +m.room_id = :room AND m.deleted_at IS NULL AND m.text <> ''
LIMIT 1

-- name: drop
DELETE FROM reactions WHERE message_id = :message AND emoji = :emoji AND account = :account

-- name: add
INSERT INTO reactions (message_id, emoji, account, name, at)
VALUES (:message, :emoji, :account, :name, :now)

-- name: to
SELECT r.message_id, r.emoji, r.account, r.name FROM json_each(:messages) AS k
CROSS JOIN reactions AS r ON r.message_id = k.value
ORDER BY r.message_id, r.at, r.account
