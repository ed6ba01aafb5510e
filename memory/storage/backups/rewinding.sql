-- name: asked
-- A turn, with the last of the messages that it answers.
SELECT t.seq, t.session_id AS session, t.person_id AS person, t.room_id AS room, t.asked_at AS at, (
    SELECT coalesce(max(m.id), 0) FROM messages AS m
    WHERE m.turn_id = t.id AND m.author_kind <> 'pet'
) AS last
FROM turns AS t WHERE t.id = :turn

-- name: strike_changes
-- What waited for the index before is none of this.
DELETE FROM index_outbox

-- name: uncount
-- What was recalled for these turns was not used yet.
UPDATE memories SET access_count = max(0, access_count - used.times)
FROM (
    SELECT substr(i.ref, instr(i.ref, ':') + 1, 36) AS id, count(*) AS times
    FROM turns AS t
    CROSS JOIN memory_retrievals AS r ON r.turn_id = t.id
    CROSS JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id AND i.kept = 1
    WHERE t.seq >= :seq AND t.session_id <> :nowhere
    GROUP BY 1
) AS used
WHERE memories.id = used.id

-- name: nowhere
-- A session that is over before any began: what is in it, no window and no last talk shows.
INSERT INTO sessions (id, person_id, room_id, started_at, last_at, ended_at)
VALUES (:nowhere, :person, :room, 0, 0, 0)
ON CONFLICT DO NOTHING

-- name: announce_turns
INSERT INTO index_outbox (collection, point_id)
SELECT 'conversations', id FROM turns WHERE seq >= :seq AND session_id <> :nowhere

-- name: hide_turns
UPDATE turns SET session_id = :nowhere, text = '', reply = '', recalled = '[]', search_text = ''
WHERE seq >= :seq AND session_id <> :nowhere

-- name: await_nothing
UPDATE messages SET handling = 'answered' WHERE handling = 'pending'

-- name: await_answer
UPDATE messages SET handling = 'pending', turn_id = NULL
WHERE turn_id = :turn AND author_kind <> 'pet' AND deleted_at IS NULL

-- name: announce_live
INSERT INTO index_outbox (collection, point_id)
SELECT 'live', printf('00000000-0000-0000-%04x-%012x', m.id >> 48, m.id & 281474976710655)
FROM messages AS m
WHERE (m.received_at > :at OR (m.received_at = :at AND m.id > :last)) AND (
    m.brought_by IS NOT NULL OR EXISTS (SELECT 1 FROM live_messages AS l WHERE l.message_id = m.id)
)

-- name: hide_live
DELETE FROM live_messages WHERE message_id IN (
    SELECT id FROM messages WHERE received_at > :at OR (received_at = :at AND id > :last)
)

-- name: hide_messages
UPDATE messages SET text = '', search_text = '', deleted_at = :at
WHERE deleted_at IS NULL AND (received_at > :at OR (received_at = :at AND id > :last))

-- name: announce_statements
INSERT INTO index_outbox (collection, point_id)
SELECT store, id FROM memories WHERE created_at >= :at OR superseded_at >= :at

-- name: bring_back_statements
-- At the revision that windows of then were shown.
UPDATE memories SET
    superseded_by = NULL, superseded_at = NULL, valid_until = NULL, revision = max(1, revision - 1)
WHERE superseded_at >= :at AND created_at < :at AND forgotten_at IS NULL

-- name: bring_back_expired
UPDATE memories SET archived_at = NULL WHERE archived_at >= :at

-- name: hide_statements
UPDATE memories SET forgotten_at = :at, content = '', search_text = ''
WHERE created_at >= :at AND forgotten_at IS NULL

-- name: announce_knowledge
INSERT INTO index_outbox (collection, point_id)
SELECT 'knowledge', id FROM knowledge WHERE created_at >= :at OR retired_at >= :at

-- name: bring_back_facts
UPDATE core_facts SET valid_until = NULL WHERE id IN (
    SELECT id FROM knowledge WHERE retired_at >= :at AND created_at < :at AND content <> ''
)

-- name: bring_back_knowledge
UPDATE knowledge SET retired_at = NULL, revision = max(1, revision - 1)
WHERE retired_at >= :at AND created_at < :at AND content <> ''

-- name: hide_knowledge
UPDATE knowledge SET retired_at = coalesce(retired_at, :at), content = '', search_text = ''
WHERE created_at >= :at AND content <> ''

-- name: unroll
UPDATE summaries SET rolled_into = NULL
WHERE rolled_into IN (SELECT id FROM summaries WHERE created_at >= :at)

-- name: hide_summaries
DELETE FROM summaries WHERE created_at >= :at

-- name: hide_quiet_topics
DELETE FROM quiet_topics WHERE created_at >= :at

-- name: end_sessions
UPDATE sessions SET ended_at = coalesce(ended_at, :at)
WHERE person_id = :person AND room_id = :room AND id <> :session

-- name: reopen_session
UPDATE sessions SET
    ended_at = NULL,
    last_turn = coalesce((SELECT max(t.seq) FROM turns AS t WHERE t.session_id = :session), 0),
    last_at = coalesce((SELECT max(t.at) FROM turns AS t WHERE t.session_id = :session), started_at),
    compacted_to = coalesce((
        SELECT max(s.last_seq) FROM summaries AS s WHERE s.session_id = :session AND s.level = 0
    ), 0)
WHERE id = :session

-- name: changes
SELECT DISTINCT collection, point_id AS id FROM index_outbox
