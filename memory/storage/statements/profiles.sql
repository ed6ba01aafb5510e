-- name: goes_by
SELECT 1 FROM aliases
WHERE name = :name AND person_id = :person AND audience = :audience
LIMIT 1

-- name: since
-- What held at a moment, and what has held since.
SELECT id, value, valid_from FROM core_facts
WHERE person_id = :person AND key = :key AND audience = :audience
    AND (valid_until IS NULL OR valid_until > :said_at)

-- name: keep
INSERT INTO core_facts (id, person_id, audience, key, value, valid_from, valid_until, memory_id)
VALUES (:id, :person, :audience, :key, :value, :said_at, :until, :memory)
ON CONFLICT (id) DO UPDATE SET
    valid_from = excluded.valid_from, valid_until = excluded.valid_until
WHERE valid_until IS NOT NULL

-- name: end
UPDATE core_facts SET valid_until = max(valid_from, :until)
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: move
UPDATE core_facts SET memory_id = :kept WHERE memory_id = :old AND valid_until IS NULL
RETURNING id, key, person_id, valid_from

-- name: facts_of
-- Of one person, of one key, behind one statement, or all of a page of people.
SELECT c.*, c.valid_from AS since, c.valid_until AS until, c.memory_id AS memory,
    p.name AS person, k.content, k.visibility
FROM core_facts AS c
JOIN people AS p ON p.id = c.person_id
JOIN knowledge AS k ON k.id = c.id
JOIN memories AS m ON m.id = c.memory_id AND m.forgotten_at IS NULL
WHERE c.person_id IN (SELECT value FROM json_each(:people))
    AND (:key IS NULL OR c.key = :key)
    AND (:history OR c.valid_until IS NULL)
    AND (:audiences IS NULL OR c.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY c.person_id, c.key, c.valid_from DESC, c.id

-- name: facts_behind
SELECT c.*, c.valid_from AS since, c.valid_until AS until, c.memory_id AS memory,
    p.name AS person, k.content, k.visibility
FROM core_facts AS c
JOIN people AS p ON p.id = c.person_id
JOIN knowledge AS k ON k.id = c.id
WHERE c.memory_id = :memory AND c.valid_until IS NULL
    AND (:audiences IS NULL OR c.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY c.key

-- name: people_with_facts
SELECT p.id, p.name FROM people AS p
WHERE (p.name COLLATE NOCASE, p.id) > (:after_name COLLATE NOCASE, :after_id)
    AND EXISTS (
        SELECT 1 FROM core_facts AS c
        JOIN memories AS m ON m.id = c.memory_id AND m.forgotten_at IS NULL
        WHERE c.person_id = p.id AND (:history OR c.valid_until IS NULL)
            AND (:audiences IS NULL OR c.audience IN (SELECT value FROM json_each(:audiences)))
    )
ORDER BY p.name COLLATE NOCASE, p.id LIMIT :limit

-- name: listed
-- What was forgotten is no history either.
SELECT c.*, c.valid_from AS since, c.valid_until AS until, c.memory_id AS memory,
    p.name AS person, k.content, k.visibility
FROM core_facts AS c
JOIN people AS p ON p.id = c.person_id
JOIN knowledge AS k ON k.id = c.id
JOIN memories AS m ON m.id = c.memory_id AND m.forgotten_at IS NULL
WHERE (:history OR c.valid_until IS NULL)
    AND (:name IS NULL OR c.person_id IN (
        SELECT id FROM people WHERE name = :name COLLATE NOCASE
        UNION SELECT person_id FROM identities WHERE name = :name COLLATE NOCASE
    ))
    AND (:audiences IS NULL OR c.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY p.name COLLATE NOCASE, c.person_id, c.key, c.valid_from DESC
