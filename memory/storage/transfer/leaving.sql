-- name: spaces
SELECT space AS id, max(community) AS community, count(*) AS rooms FROM rooms
WHERE kind = 'group' AND NOT (name = :pseudonym AND community = '') GROUP BY space ORDER BY space

-- name: contents
WITH there AS MATERIALIZED (SELECT value AS audience FROM json_each(:audiences))
SELECT
    (SELECT count(*) FROM messages WHERE audience IN (SELECT audience FROM there)) AS messages,
    (SELECT count(*) FROM turns WHERE audience IN (SELECT audience FROM there)) AS exchanges,
    (SELECT count(*) FROM memories WHERE audience IN (SELECT audience FROM there)) AS statements,
    (SELECT count(*) FROM rooms WHERE space = :space AND kind = 'group') AS rooms,
    e.at AS exported_at,
    (
        SELECT count(*) FROM messages
        WHERE audience IN (SELECT audience FROM there) AND received_at > e.at
    ) AS since_export
FROM (SELECT max(at) AS at FROM audit_log WHERE action = 'space.exported' AND target = :space) AS e

-- name: journals
-- Forgettings that can be undone and touch that space: by whom a row of their journal is for, what
-- it repeats (a list within a text), where it was, or the row that it hangs on.
SELECT f.id, f.forgotten_at FROM forgettings AS f
WHERE f.id > :after AND f.state = 'forgotten' AND EXISTS (
    SELECT 1 FROM forgetting_rows AS r
    WHERE r.forgetting_id = f.id AND (
        EXISTS (
            SELECT 1 FROM json_each(:audiences) AS a
            WHERE instr(coalesce(r.before, '') || coalesce(r.after, ''), a.value || '"')
                OR instr(coalesce(r.before, '') || coalesce(r.after, ''), a.value || '\"')
        )
        OR coalesce(r.before, r.after) ->> 'room_id' IN (SELECT value FROM json_each(:rooms))
        OR EXISTS (
            SELECT 1 FROM messages AS m WHERE m.id = coalesce(r.before, r.after) ->> 'message_id'
                AND m.audience IN (SELECT value FROM json_each(:audiences))
        )
        OR EXISTS (
            SELECT 1 FROM memories AS m
            WHERE m.id IN (
                coalesce(r.before, r.after) ->> 'memory_id', coalesce(r.before, r.after) ->> 'from_id'
            ) AND m.audience IN (SELECT value FROM json_each(:audiences))
        )
        OR EXISTS (
            SELECT 1 FROM turns AS t WHERE t.id = coalesce(r.before, r.after) ->> 'turn_id'
                AND t.audience IN (SELECT value FROM json_each(:audiences))
        )
        OR EXISTS (
            SELECT 1 FROM sessions AS s WHERE s.id = coalesce(r.before, r.after) ->> 'session_id'
                AND s.room_id IN (SELECT value FROM json_each(:rooms))
        )
    )
)
ORDER BY f.id LIMIT :limit

-- name: telling
-- Exchanges elsewhere whose reply repeats what was said there.
SELECT seq, id FROM turns
WHERE seq > :after AND carries <> '[]' AND reply <> ''
    AND audience NOT IN (SELECT value FROM json_each(:audiences))
    AND EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value IN (SELECT value FROM json_each(:audiences))
    )
ORDER BY seq LIMIT :limit

-- name: statements
SELECT seq, id, store, author_id, about_person, person_id FROM memories
WHERE seq > :after AND audience IN (SELECT value FROM json_each(:audiences))
ORDER BY seq LIMIT :limit

-- name: overtaken
-- Those whose place others took: they go first, so that nothing that goes holds again.
SELECT seq, id, store, author_id, about_person, person_id FROM memories
WHERE seq > :after AND +superseded_by IS NOT NULL
    AND audience IN (SELECT value FROM json_each(:audiences))
ORDER BY seq LIMIT :limit

-- name: knowledge
-- Notes are their vault's.
SELECT seq, id, about_person, person_id FROM knowledge
WHERE seq > :after AND audience IN (SELECT value FROM json_each(:audiences)) AND +kind <> 'note'
ORDER BY seq LIMIT :limit

-- name: turns
SELECT seq, id, person_id FROM turns
WHERE seq > :after AND audience IN (SELECT value FROM json_each(:audiences))
ORDER BY seq LIMIT :limit

-- name: messages
SELECT id AS seq, id, person_id, (
    SELECT json_group_array(i.person_id) FROM reactions AS e
    JOIN identities AS i ON i.platform = substr(e.account, 1, instr(e.account, ':') - 1)
        AND i.external_id = substr(e.account, instr(e.account, ':') + 1)
    WHERE e.message_id = m.id
) AS reacting
FROM messages AS m
WHERE audience IN (SELECT value FROM json_each(:audiences)) AND NOT (
    external_id = 'undone:' || id AND text = ''
)
LIMIT :limit

-- name: drop_facts
DELETE FROM core_facts
WHERE memory_id IN (SELECT value FROM json_each(:ids)) OR id IN (SELECT value FROM json_each(:ids))

-- name: drop_statements
DELETE FROM memories WHERE id IN (SELECT value FROM json_each(:ids))

-- name: unroll
UPDATE summaries SET rolled_into = NULL WHERE rolled_into IN (
    SELECT id FROM summaries WHERE knowledge_id IN (SELECT value FROM json_each(:ids))
)

-- name: drop_summaries
DELETE FROM summaries WHERE knowledge_id IN (SELECT value FROM json_each(:ids))

-- name: drop_knowledge
DELETE FROM knowledge WHERE id IN (SELECT value FROM json_each(:ids))

-- name: reminders
SELECT id AS seq, id, person_id FROM reminders
WHERE id > :after AND audience IN (SELECT value FROM json_each(:audiences))
ORDER BY id LIMIT :limit

-- name: drop_reminders
DELETE FROM reminders WHERE id IN (SELECT value FROM json_each(:ids))

-- name: note_turns
INSERT INTO erasures (kind, key, erased) SELECT 'turn', value, 1 FROM json_each(:ids)

-- name: note_messages
INSERT INTO erasures (kind, key, erased) SELECT 'message', value, 1 FROM json_each(:ids)

-- name: part_messages
UPDATE messages SET turn_id = NULL WHERE turn_id IN (SELECT value FROM json_each(:ids))

-- name: part_reminders
UPDATE reminders SET turn_id = NULL WHERE turn_id IN (SELECT value FROM json_each(:ids))

-- name: drop_retrievals
DELETE FROM memory_retrievals WHERE turn_id IN (SELECT value FROM json_each(:ids))

-- name: drop_turns
DELETE FROM turns WHERE id IN (SELECT value FROM json_each(:ids))

-- name: blank_messages
-- The last of all keeps its number, and nothing else.
UPDATE messages SET text = '', search_text = '', person_id = NULL, account = NULL, reply_to = NULL,
    spaces = '[]', turn_id = NULL, zone = NULL, brought_by = NULL,
    deleted_at = coalesce(deleted_at, :now)
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: free_messages
UPDATE reminders SET message_id = NULL WHERE message_id IN (SELECT value FROM json_each(:ids))

-- name: move_last
UPDATE messages SET audience = 'person:', room_id = coalesce(
    (SELECT id FROM rooms WHERE space <> :space ORDER BY kind = 'group', id LIMIT 1), room_id
)
WHERE external_id = 'undone:' || id AND audience IN (SELECT value FROM json_each(:audiences))

-- name: free_statements
UPDATE memories SET room_id = NULL WHERE id IN (SELECT value FROM json_each(:ids))

-- name: free_knowledge
UPDATE knowledge SET room_id = NULL WHERE id IN (SELECT value FROM json_each(:ids))

-- name: free_usage
-- What it cost was paid here.
UPDATE llm_usage SET space = NULL, room_id = NULL WHERE id IN (SELECT value FROM json_each(:ids))

-- name: rooms_of
SELECT id FROM rooms WHERE space = :space AND kind = 'group'

-- name: sessions
-- Those that nothing is left of.
SELECT id AS seq, id, person_id FROM sessions AS s
WHERE id > :after AND room_id IN (SELECT value FROM json_each(:rooms))
    AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.session_id = s.id)
ORDER BY id LIMIT :limit

-- name: unroll_of_sessions
UPDATE summaries SET rolled_into = NULL WHERE session_id IN (SELECT value FROM json_each(:ids))

-- name: drop_sessions
DELETE FROM sessions WHERE id IN (SELECT value FROM json_each(:ids))

-- name: drop_spans
DELETE FROM extraction_spans WHERE session_id IN (SELECT value FROM json_each(:ids))

-- name: drop_checkpoints
DELETE FROM summaries WHERE session_id IN (SELECT value FROM json_each(:ids))

-- name: placed_statements
-- What was told there to everybody stays, and no longer says where.
SELECT seq, id FROM memories
WHERE seq > :after AND room_id IN (SELECT value FROM json_each(:rooms))
ORDER BY seq LIMIT :limit

-- name: placed_knowledge
SELECT seq, id FROM knowledge
WHERE seq > :after AND room_id IN (SELECT value FROM json_each(:rooms))
ORDER BY seq LIMIT :limit

-- name: usage
SELECT id AS seq, id FROM llm_usage WHERE id > :after AND space = :space ORDER BY id LIMIT :limit

-- name: names
SELECT rowid AS seq, rowid AS id, person_id FROM aliases
WHERE rowid > :after AND audience IN (SELECT value FROM json_each(:audiences))
ORDER BY rowid LIMIT :limit

-- name: drop_names
DELETE FROM aliases WHERE rowid IN (SELECT value FROM json_each(:ids))

-- name: latest
-- The last row of each table: one that is written later comes behind it.
SELECT (SELECT max(seq) FROM turns) AS telling, (SELECT max(seq) FROM turns) AS turns,
    (SELECT max(id) FROM reminders) AS reminders, (SELECT max(seq) FROM memories) AS statements,
    (SELECT max(seq) FROM memories) AS placed_statements,
    (SELECT max(seq) FROM knowledge) AS knowledge,
    (SELECT max(seq) FROM knowledge) AS placed_knowledge, 0 AS messages,
    (SELECT max(id) FROM llm_usage) AS usage, (SELECT max(rowid) FROM aliases) AS names,
    (SELECT max(id) FROM forgettings) AS journals

-- name: last_statement
SELECT coalesce(max(seq), 0) AS seq FROM memories

-- name: lower_seen
-- Numbers that are given again are of statements that nobody has seen yet.
UPDATE people SET kept_seen = :seq WHERE kept_seen > :seq

-- name: of_the_space
-- Who was let know it, or has something of it in a table that goes at once.
SELECT person_id FROM space_members WHERE space = :space
UNION SELECT person_id FROM checkin_rooms WHERE room_id IN (SELECT value FROM json_each(:rooms))
UNION SELECT person_id FROM checkins WHERE room_id IN (SELECT value FROM json_each(:rooms))
UNION SELECT person_id FROM quiet_topics WHERE audience IN (SELECT value FROM json_each(:audiences))

-- name: own_topics
-- What somebody wants left alone is left alone everywhere.
UPDATE quiet_topics SET audience = 'person:' || person_id
WHERE audience IN (SELECT value FROM json_each(:audiences))

-- name: drop_imports
DELETE FROM imports WHERE room_id IN (SELECT value FROM json_each(:rooms))
    AND NOT EXISTS (SELECT 1 FROM messages AS m WHERE m.brought_by = imports.id)
    AND NOT EXISTS (SELECT 1 FROM import_statements AS s WHERE s.import_id = imports.id)

-- name: unname_rooms
UPDATE rooms SET name = :pseudonym, community = '', starter = NULL
WHERE id IN (SELECT value FROM json_each(:rooms))

-- name: strangers
-- Of these people those of whom nothing is kept any more, and whether a wish not to be read, another
-- account, a receipt or a code still has to be known by an account of theirs.
SELECT p.id, NOT p.observed
    OR EXISTS (SELECT 1 FROM people AS m WHERE m.merged_into = p.id)
    OR EXISTS (SELECT 1 FROM forgettings AS f WHERE f.person_id = p.id)
    OR EXISTS (SELECT 1 FROM link_codes AS c WHERE c.person_id = p.id)
    OR EXISTS (
        SELECT 1 FROM identities AS i
        JOIN recovery_codes AS r ON r.platform = i.platform AND r.external_id = i.external_id
        WHERE i.person_id = p.id
    ) AS is_known
FROM json_each(:people) AS w CROSS JOIN people AS p ON p.id = w.value
WHERE p.merged_into IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM messages AS m WHERE m.person_id = p.id AND m.author_kind = 'person'
    )
    AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM reminders AS r WHERE r.person_id = p.id AND r.state = 'open')
    AND NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.author_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.about_person = p.id)
    AND NOT EXISTS (SELECT 1 FROM knowledge AS k WHERE k.about_person = p.id)
    AND NOT EXISTS (SELECT 1 FROM core_facts AS c WHERE c.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM space_members AS m WHERE m.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM checkin_rooms AS c WHERE c.person_id = p.id)
    AND NOT EXISTS (SELECT 1 FROM checkins AS c WHERE c.person_id = p.id)
    AND NOT EXISTS (
        SELECT 1 FROM aliases AS a WHERE a.person_id = p.id
            AND a.audience NOT IN (SELECT value FROM json_each(:audiences))
    )

-- name: unname_person
UPDATE people SET name = :pseudonym WHERE id = :person

-- name: drop_topics
DELETE FROM quiet_topics WHERE person_id = :person

-- name: unname_accounts
UPDATE identities SET name = :pseudonym WHERE person_id = :person AND name <> :pseudonym

-- name: drop_accounts
DELETE FROM identities WHERE person_id = :person

