-- name: answers
SELECT id FROM messages WHERE turn_id = :turn AND author_kind = 'pet'

-- name: observe_again
INSERT INTO live_messages (message_id)
SELECT m.id FROM messages AS m
LEFT JOIN people AS p ON p.id = m.person_id
WHERE m.id = :message AND m.handling = 'observed' AND m.deleted_at IS NULL
    AND coalesce(p.observed, 1)
ON CONFLICT (message_id) DO UPDATE SET digest_id = NULL, position = NULL, quarantined_at = NULL

-- name: standing
SELECT m.text, m.deleted_at, m.edited_at
FROM json_each(:messages) AS k
CROSS JOIN messages AS m ON m.id = k.value
ORDER BY k.key

-- name: answered_by
SELECT id FROM messages WHERE turn_id = :turn AND author_kind <> 'pet' ORDER BY id

-- name: told
SELECT reply, search_text FROM turns WHERE id = :turn

-- name: retell
UPDATE turns SET text = :text, search_text = :search_text WHERE id = :turn

-- name: drop_tools
DELETE FROM turn_tools WHERE turn_id = :turn

-- name: drop_query
UPDATE memory_retrievals SET query = '' WHERE turn_id = :turn

-- name: soil
INSERT INTO meta (key, value) VALUES ('soiled_at', CAST(:now AS TEXT))
ON CONFLICT (key) DO UPDATE SET value = excluded.value
