-- name: writers
-- The latest account of each comes last.
SELECT person_id, author, account FROM messages
WHERE id IN (SELECT value FROM json_each(:messages))
    AND author_kind = 'person' AND person_id IS NOT NULL
ORDER BY id

-- name: people_named
-- Two of a name tell that it is no one's: of each name no more are needed.
SELECT DISTINCT k.value AS name, a.person_id, a.memory_id IS NULL AS wrote
FROM json_each(:names) AS k
CROSS JOIN aliases AS a ON a.name = k.value
WHERE a.audience IN (SELECT value FROM json_each(:audiences)) AND a.person_id IS NOT NULL
LIMIT 200
