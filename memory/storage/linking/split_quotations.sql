-- name: private_rows
SELECT 'messages' AS tbl, id, NULL AS store FROM messages
WHERE audience = :audience AND text <> ''
UNION ALL
SELECT 'turns', id, NULL FROM turns WHERE audience = :audience AND (text <> '' OR reply <> '')
UNION ALL
SELECT 'memories', id, store FROM memories WHERE audience = :audience AND forgotten_at IS NULL

-- name: answers_to
SELECT id FROM turns WHERE person_id = :person AND id IN (SELECT value FROM json_each(:turns))
