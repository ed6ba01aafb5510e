-- name: add_spoken
INSERT INTO aliases (name, spelling, person_id, audience, spoken_at)
VALUES (:name, :spelling, :person, :audience, :spoken_at)
ON CONFLICT (name, person_id, audience) WHERE memory_id IS NULL DO UPDATE
SET spoken_at = excluded.spoken_at WHERE excluded.spoken_at > coalesce(spoken_at, 0)

-- name: add_stated
INSERT INTO aliases (name, spelling, person_id, other, audience, memory_id)
VALUES (:name, :spelling, :person, :other, :audience, :memory)

-- name: is_person
SELECT 1 FROM aliases
WHERE name = :name AND audience = :audience AND person_id IS NOT NULL
LIMIT 1

-- name: spoken_under
SELECT person_id, spelling FROM aliases
WHERE person_id IN (SELECT value FROM json_each(:people)) AND memory_id IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY spoken_at DESC, spelling LIMIT :limit

-- name: touching
SELECT a.name, a.spelling, a.person_id AS person, a.other
FROM aliases AS a
WHERE (
        a.name IN (SELECT value FROM json_each(:names))
        OR a.person_id IN (SELECT value FROM json_each(:people))
    )
    AND (:audiences IS NULL OR a.audience IN (SELECT value FROM json_each(:audiences)))
    AND (
        a.memory_id IS NULL
        OR EXISTS (
            SELECT 1 FROM memories AS m
            WHERE m.id = a.memory_id AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
                AND (m.expires_at IS NULL OR m.expires_at > :now)
        )
    )
LIMIT :limit
