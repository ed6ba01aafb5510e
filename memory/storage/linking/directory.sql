-- name: page
-- Along the index of names; without a part of a name all of them.
SELECT p.id FROM people AS p
WHERE p.merged_into IS NULL
    AND p.name COLLATE NOCASE >= coalesce((SELECT name FROM people WHERE id = :after), '')
    AND (p.name COLLATE NOCASE, p.id) > (
        coalesce((SELECT name FROM people WHERE id = :after), ''), :after
    )
    AND (:like IS NULL OR p.name LIKE :like ESCAPE '!' OR EXISTS (
        SELECT 1 FROM identities AS i WHERE i.person_id = p.id AND i.name LIKE :like ESCAPE '!'
    ))
ORDER BY p.name COLLATE NOCASE, p.id LIMIT :limit

-- name: survivor
SELECT coalesce((SELECT survivor FROM merged_people WHERE id = :id), :id) AS id

-- name: listed
-- How much is known is counted to a limit: a person may have said a million things.
SELECT p.id, p.name, p.observed, p.created_at AS met_at, (
        SELECT count(*) FROM (
            SELECT 1 FROM messages WHERE person_id = p.id AND author_kind = 'person' LIMIT :most
        )
    ) AS messages, (
        SELECT count(*) FROM (
            SELECT 1 FROM memories
            WHERE about_person = p.id AND superseded_by IS NULL AND forgotten_at IS NULL LIMIT :most
        )
    ) AS statements_held, (
        SELECT count(*) FROM core_facts WHERE person_id = p.id AND valid_until IS NULL
    ) AS facts_held
FROM json_each(:people) AS k
CROSS JOIN people AS p ON p.id = k.value
ORDER BY k.key

-- name: accounts
SELECT person_id, platform, external_id, name FROM identities
WHERE person_id IN (SELECT value FROM json_each(:people))
ORDER BY person_id, platform, external_id

-- name: facts
SELECT c.key, c.value, c.valid_from AS since, k.visibility FROM core_facts AS c
JOIN knowledge AS k ON k.id = c.id
WHERE c.person_id = :person AND c.valid_until IS NULL
    AND (:audiences IS NULL OR c.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY c.key, c.valid_from LIMIT :limit

-- name: statements
-- The latest of what is about a person and of what they said, each along its own index.
SELECT m.* FROM (
    SELECT seq FROM (
        SELECT seq FROM memories AS m
        WHERE about_person = :person AND seq < :before AND store = 'memory'
            AND superseded_by IS NULL AND forgotten_at IS NULL
            AND (expires_at IS NULL OR expires_at > :now)
            AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
        ORDER BY seq DESC LIMIT :limit
    )
    UNION
    SELECT seq FROM (
        SELECT seq FROM memories AS m
        WHERE person_id = :person AND seq < :before AND store = 'memory'
            AND superseded_by IS NULL AND forgotten_at IS NULL
            AND (expires_at IS NULL OR expires_at > :now)
            AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
        ORDER BY seq DESC LIMIT :limit
    )
) AS own
CROSS JOIN active_memories AS m ON m.seq = own.seq
ORDER BY m.seq DESC LIMIT :limit

-- name: told
-- What a person states of their own life and their circle in the latest of their messages.
SELECT c.slot, c.status, substr(m.text, c."start" + 1, c."end" - c."start") AS words,
    m.sent_at AS said_at, m.id AS message, m.room_id AS room, m.account, m.external_id AS key
FROM (
    SELECT id FROM messages
    WHERE person_id = :person AND author_kind = 'person' AND deleted_at IS NULL
        AND handling IN ('observed', 'answered', 'stale')
        AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    ORDER BY id DESC LIMIT :read
) AS own
CROSS JOIN messages AS m ON m.id = own.id
CROSS JOIN claims AS c ON c.message_id = m.id
WHERE (c.of_author OR c.slot IN ('family', 'partner', 'pet', 'loss'))
    AND c.certainty >= :surely AND c.status IN (SELECT value FROM json_each(:stated))
    AND NOT EXISTS (SELECT 1 FROM put_right_lines AS p WHERE p.message_id = m.id)
ORDER BY m.sent_at DESC, m.id DESC, c."start"

-- name: speaking
-- Whose are the latest messages that claim something.
SELECT p.id, p.name FROM (
    SELECT person_id, max(id) AS latest FROM (
        SELECT m.id, m.person_id FROM (
            SELECT DISTINCT message_id FROM claims ORDER BY message_id DESC LIMIT :read
        ) AS c
        CROSS JOIN messages AS m ON m.id = c.message_id
        WHERE m.deleted_at IS NULL AND m.person_id IS NOT NULL
            AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    )
    GROUP BY person_id ORDER BY latest DESC LIMIT :limit
) AS own
CROSS JOIN people AS p ON p.id = own.person_id
ORDER BY own.latest DESC
