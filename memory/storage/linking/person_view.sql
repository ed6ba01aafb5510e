-- name: names
-- What a person is called where it may be read; a name that others have there tells no one apart.
SELECT DISTINCT a.spelling AS name FROM aliases AS a
WHERE a.person_id = :person AND a.memory_id IS NULL
    AND (:audiences IS NULL OR a.audience IN (SELECT value FROM json_each(:audiences)))
    AND NOT EXISTS (
        SELECT 1 FROM aliases AS o
        WHERE o.name = a.name AND o.person_id IS NOT NULL AND o.person_id <> :person
            AND (:audiences IS NULL OR o.audience IN (SELECT value FROM json_each(:audiences)))
    )

-- name: statements
-- What a person said, or what is about them, the most important and then the latest first.
WITH own AS MATERIALIZED (
    SELECT id FROM memories WHERE person_id = :person
    UNION
    SELECT id FROM memories WHERE about_person = :person
    UNION
    SELECT s.memory_id FROM messages AS g
    CROSS JOIN memory_sources AS s ON s.message_id = g.id
    WHERE g.person_id = :person AND g.author_kind = 'person'
    UNION
    SELECT memory_id FROM memory_subjects
    WHERE subject COLLATE NOCASE IN (SELECT value FROM json_each(:names))
)
SELECT m.* FROM own CROSS JOIN active_memories AS m ON m.id = own.id
WHERE m.store = 'memory'
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (m.expires_at IS NULL OR m.expires_at > :now)
    AND (:match = '' OR m.seq IN (
        SELECT rowid FROM memories_fts WHERE :match <> '' AND memories_fts MATCH :match
    ))
ORDER BY m.importance DESC, m.updated_at DESC, m.seq DESC LIMIT :limit

-- name: core
-- The statements that a core fact about a person rests on.
SELECT memory_id AS id FROM core_facts
WHERE person_id = :person AND valid_until IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: figures
SELECT p.observed,
    (SELECT count(*) FROM messages AS m
        WHERE m.person_id = :person AND m.author_kind = 'person' AND m.deleted_at IS NULL
            AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    ) AS messages,
    (SELECT count(*) FROM turns AS t
        WHERE t.person_id = :person AND (t.text <> '' OR t.reply <> '')
            AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
    ) AS exchanges
FROM people AS p WHERE p.id = :person

-- name: accounts
SELECT platform, name FROM identities WHERE person_id = :person ORDER BY platform, external_id

-- name: last_answer
-- The latest exchange of a person in a room that still says anything; a check-in is everybody's.
SELECT id FROM turns
WHERE room_id = :room AND reply <> ''
    AND (person_id = :person OR EXISTS (SELECT 1 FROM checkins WHERE turn_id = turns.id))
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY seq DESC LIMIT 1
