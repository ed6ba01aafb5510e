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

-- name: reacted_to
-- A message, or the reply that a platform's message is a part of.
SELECT m.id FROM messages AS m
WHERE m.platform = :platform AND m.external_id = :external_id AND m.deleted_at IS NULL
UNION ALL
SELECT m.id FROM turn_parts AS p
JOIN messages AS m ON m.turn_id = p.turn_id AND m.author_kind = 'pet' AND m.deleted_at IS NULL
WHERE p.platform = :platform AND p.external_id = :external_id
LIMIT 1

-- name: drop_all_of
DELETE FROM reactions WHERE message_id = :message AND account = :account

-- name: add_of_observed
-- Those who asked not to be observed leave nothing behind that the pet did not have to answer.
INSERT INTO reactions (message_id, emoji, account, name, at)
SELECT :message, value, :account, :name, :now FROM (
    SELECT DISTINCT k.value FROM json_each(:emoji) AS k
    WHERE EXISTS (
        SELECT 1 FROM identities AS i JOIN people AS p ON p.id = i.person_id
        WHERE i.platform = :platform AND i.external_id = :author AND p.observed
    )
    -- What is inserted is not counted meanwhile: what there is room for is known before.
    LIMIT max(0, :most - (SELECT count(*) FROM reactions AS r WHERE r.message_id = :message))
)
WHERE true
ON CONFLICT DO NOTHING
