-- name: broken_off
SELECT * FROM imports WHERE fingerprint = :fingerprint AND room_id = :room AND state = 'reading'

-- name: begin
INSERT INTO imports (file, fingerprint, format, room_id, audience, state, by_model, begun_at)
VALUES (:file, :fingerprint, :format, :room, :audience, 'reading', :by_model, :now)
RETURNING *

-- name: let_know
INSERT INTO space_members (space, person_id) VALUES (:space, :person) ON CONFLICT DO NOTHING

-- name: members
SELECT p.id, p.name FROM space_members AS m JOIN people AS p ON p.id = m.person_id
WHERE m.space = :space ORDER BY p.name

-- name: went_on
UPDATE imports SET
    read_to = :read_to, stored = :stored, known = :known, forgotten = :forgotten,
    left_out = :left_out, unreadable = :unreadable
WHERE id = :id AND state = 'reading'

-- name: read
UPDATE imports SET state = 'read', read_at = :now WHERE id = :id AND state = 'reading'

-- name: drop_empty
-- A file that brought nothing new is no import that could be undone.
DELETE FROM imports WHERE id = :id
    AND NOT EXISTS (SELECT 1 FROM messages WHERE brought_by = :id)
    AND NOT EXISTS (SELECT 1 FROM import_statements WHERE import_id = :id)

-- name: latest
SELECT * FROM imports ORDER BY id DESC LIMIT :limit

-- name: one
SELECT * FROM imports WHERE id = :id

-- name: id_of_one
SELECT m.external_id FROM messages AS m JOIN rooms AS r ON r.id = m.room_id
WHERE m.room_id = :room AND m.platform = r.platform AND m.brought_by IS NULL LIMIT 1

-- name: unlearnt
SELECT i.* FROM imports AS i
WHERE i.state IN ('reading', 'read') AND EXISTS (
    SELECT 1 FROM messages AS m WHERE m.brought_by = i.id AND m.id > i.learnt_to
)
ORDER BY i.id

-- name: next_lines
-- None of an import that is being taken back.
SELECT m.* FROM imports AS i
JOIN messages AS m ON m.brought_by = i.id AND m.id > i.learnt_to
WHERE i.id = :id AND i.state IN ('reading', 'read')
ORDER BY m.id LIMIT :limit

-- name: learnt
UPDATE imports SET learnt_to = :to WHERE id = :id AND learnt_to = :from AND state IN ('reading', 'read')

-- name: learnt_to
SELECT learnt_to FROM imports WHERE id = :id

-- name: still_said
SELECT id, text FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND deleted_at IS NULL

-- name: add_statement
INSERT INTO import_statements (memory_id, import_id) VALUES (:memory, :id) ON CONFLICT DO NOTHING

-- name: stated
SELECT m.id, m.content <> '' AS holds, EXISTS (
    SELECT 1 FROM import_statements AS s WHERE s.memory_id = m.id
) AS is_brought
FROM memories AS m WHERE m.id IN (SELECT value FROM json_each(:ids))

-- name: drop_stated
DELETE FROM import_statements WHERE memory_id IN (SELECT value FROM json_each(:ids))

-- name: going
SELECT
    (SELECT count(*) FROM messages WHERE brought_by = :id AND deleted_at IS NULL) AS messages,
    (
        SELECT count(*) FROM memories AS m
        WHERE m.content <> '' AND (
            m.id IN (SELECT memory_id FROM import_statements WHERE import_id = :id)
            OR m.id IN (
                SELECT s.memory_id FROM messages AS g
                JOIN memory_sources AS s ON s.message_id = g.id WHERE g.brought_by = :id
            ) AND NOT EXISTS (
                SELECT 1 FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id
                WHERE s.memory_id = m.id AND g.brought_by IS NOT :id AND g.deleted_at IS NULL
            )
        )
    ) AS statements

-- name: samples
SELECT text FROM messages WHERE brought_by = :id AND deleted_at IS NULL AND text <> ''
ORDER BY sent_at DESC, id DESC LIMIT 5

-- name: only_here
-- Who was met in this import and nowhere else since.
SELECT p.id FROM people AS p
JOIN imports AS i ON i.id = :id AND p.created_at >= i.begun_at
WHERE p.id IN (SELECT person_id FROM messages WHERE brought_by = :id)
    AND NOT EXISTS (
        SELECT 1 FROM messages AS m WHERE m.person_id = p.id AND m.brought_by IS NOT :id
    )
    AND NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM people AS o WHERE o.merged_into = p.id)

-- name: authors
SELECT DISTINCT person_id AS id FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND person_id IS NOT NULL

-- name: left_behind
-- Of these people, who was met in this import and of whom it has no line any more, nor anything else.
SELECT p.id FROM json_each(:people) AS k
JOIN people AS p ON p.id = k.value
JOIN imports AS i ON i.id = :id AND p.created_at >= i.begun_at
WHERE NOT EXISTS (
        SELECT 1 FROM messages AS m
        WHERE m.person_id = p.id AND m.author_kind = 'person'
            AND (m.brought_by IS NOT :id OR m.deleted_at IS NULL)
            AND m.external_id NOT GLOB 'undone:*'
    )
    AND NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM people AS o WHERE o.merged_into = p.id)

-- name: undoing
UPDATE imports SET state = 'undoing' WHERE id = :id AND state IN ('reading', 'read', 'undoing')

-- name: messages_of
SELECT id FROM messages WHERE brought_by = :id AND deleted_at IS NULL ORDER BY id DESC LIMIT :limit

-- name: statements_of
SELECT memory_id AS id FROM import_statements AS s JOIN memories AS m ON m.id = s.memory_id
WHERE s.import_id = :id AND m.content <> '' LIMIT :limit

-- name: replaced_by
SELECT id, store FROM memories
WHERE superseded_by IN (SELECT value FROM json_each(:ids)) AND content <> '' AND forgotten_at IS NULL

-- name: hold_again
-- What they took the place of holds again, as if they had not come.
UPDATE memories SET
    superseded_by = NULL, superseded_at = NULL, valid_until = NULL, revision = revision + 1
WHERE superseded_by IN (SELECT value FROM json_each(:ids))

-- name: said_from
-- Statements of which their author's words from another account alone are left were said from that.
WITH backed AS MATERIALIZED (
    SELECT m.id, g.account, g.account IS m.account AS is_same, g.id AS message
    FROM json_each(:ids) AS k
    JOIN memories AS m ON m.id = k.value
    JOIN memory_sources AS s ON s.memory_id = m.id
    JOIN messages AS g ON g.id = s.message_id AND g.person_id = m.author_id
)
UPDATE memories SET account = (
    SELECT b.account FROM backed AS b WHERE b.id = memories.id ORDER BY b.message DESC LIMIT 1
)
WHERE id IN (SELECT id FROM backed GROUP BY id HAVING max(is_same) = 0)

-- name: drop_grounds
DELETE FROM memory_sources WHERE message_id IN (SELECT value FROM json_each(:ids))

-- name: drop_messages
-- But for the last of all: no later message may have the number of one that was undone.
DELETE FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND id < (SELECT max(id) FROM messages)

-- name: husk
UPDATE messages SET author = '', account = NULL, external_id = 'undone:' || id
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: part_statements
UPDATE memories SET account = NULL WHERE id IN (SELECT value FROM json_each(:ids))

-- name: part_facts
UPDATE knowledge SET account = NULL
WHERE id IN (SELECT value FROM json_each(:ids)) AND kind = 'fact'

-- name: part_forgotten_facts
-- What was forgotten before it was undone keeps its rows, and says no more whose account it was.
UPDATE knowledge SET account = NULL WHERE content = '' AND id IN (
    SELECT f.id FROM messages AS m
    JOIN memory_sources AS s ON s.message_id = m.id
    JOIN core_facts AS f ON f.memory_id = s.memory_id
    WHERE m.brought_by = :id
)

-- name: part_forgotten_statements
UPDATE memories SET account = NULL WHERE content = '' AND id IN (
    SELECT s.memory_id FROM messages AS m JOIN memory_sources AS s ON s.message_id = m.id
    WHERE m.brought_by = :id
    UNION SELECT memory_id FROM import_statements WHERE import_id = :id
)

-- name: part_forgotten_messages
UPDATE messages SET account = NULL, author = :pseudonym
WHERE brought_by = :id AND external_id NOT GLOB 'undone:*'

-- name: drop_spoken
DELETE FROM aliases WHERE memory_id IS NULL AND audience = :audience AND NOT EXISTS (
    SELECT 1 FROM messages AS m
    WHERE m.person_id = aliases.person_id AND m.author = aliases.spelling
        AND m.audience = aliases.audience AND m.deleted_at IS NULL
)

-- name: drop_empty_accounts
-- Accounts that only a file told of, and of which nothing is left, nor can be given back.
DELETE FROM identities
WHERE platform = 'history' AND NOT EXISTS (
    SELECT 1 FROM messages AS m
    WHERE m.person_id = identities.person_id AND m.author_kind = 'person'
        AND m.account = 'history:' || identities.external_id
        AND (m.brought_by IS NOT :id OR m.deleted_at IS NULL)
        AND m.external_id NOT GLOB 'undone:*'
) AND NOT EXISTS (
    SELECT 1 FROM memories AS m
    WHERE m.author_id = identities.person_id
        AND m.account = 'history:' || identities.external_id
        AND m.id IN (SELECT memory_id FROM import_statements)
) AND EXISTS (
    SELECT 1 FROM identities AS o
    WHERE o.person_id = identities.person_id
        AND (o.platform, o.external_id) <> (identities.platform, identities.external_id)
)

-- name: close_room
UPDATE rooms SET name = :pseudonym
WHERE id = :room AND platform = 'history'
    AND NOT EXISTS (SELECT 1 FROM messages WHERE room_id = :room AND deleted_at IS NULL)

-- name: drop_members
DELETE FROM space_members WHERE space IN (
    SELECT space FROM rooms WHERE id = :room AND name = :pseudonym AND space GLOB 'history:*'
)

-- name: undone
UPDATE imports SET state = 'undone', file = '', fingerprint = '', undone_at = :now WHERE id = :id
