-- What was said in a room to its community has an audience `space:...`; what is private or closed
-- already stays as it is.

-- name: count
SELECT
    (
        SELECT count(*) FROM messages
        WHERE room_id = :room AND deleted_at IS NULL AND audience LIKE 'space:%'
    ) AS messages,
    (
        SELECT count(*) FROM memories
        WHERE room_id = :room AND forgotten_at IS NULL AND audience LIKE 'space:%'
    ) AS statements

-- name: open_rows
SELECT 'messages' AS tbl, CAST(id AS TEXT) AS id, '' AS store FROM messages
WHERE room_id = :room AND deleted_at IS NULL AND audience LIKE 'space:%'
UNION ALL
SELECT 'turns', id, '' FROM turns WHERE room_id = :room AND audience LIKE 'space:%'
UNION ALL
SELECT 'memories', id, store FROM memories
WHERE room_id = :room AND forgotten_at IS NULL AND audience LIKE 'space:%'

-- name: elsewhere
SELECT id FROM turns WHERE id IN (SELECT value FROM json_each(:turns)) AND room_id <> :room

-- name: announce_messages
INSERT INTO index_outbox (collection, point_id)
SELECT 'live', printf('00000000-0000-0000-%04x-%012x', m.id >> 48, m.id & 281474976710655)
FROM messages AS m
WHERE m.room_id = :room AND m.audience LIKE 'space:%' AND (
    m.brought_by IS NOT NULL OR EXISTS (SELECT 1 FROM live_messages AS l WHERE l.message_id = m.id)
)

-- name: announce_turns
INSERT INTO index_outbox (collection, point_id)
SELECT 'conversations', id FROM turns WHERE room_id = :room AND audience LIKE 'space:%'

-- name: announce_memories
INSERT INTO index_outbox (collection, point_id)
SELECT store, id FROM active_memories WHERE room_id = :room AND audience LIKE 'space:%'

-- name: announce_knowledge
INSERT INTO index_outbox (collection, point_id)
SELECT 'knowledge', id FROM knowledge
WHERE room_id = :room AND retired_at IS NULL AND audience LIKE 'space:%'

-- name: close_messages
UPDATE messages SET audience = :closed WHERE room_id = :room AND audience LIKE 'space:%'

-- name: close_imports
-- What is learnt from them later is for the same as their lines.
UPDATE imports SET audience = :closed WHERE room_id = :room AND audience LIKE 'space:%'

-- name: close_turns
UPDATE turns SET audience = :closed, visibility = 'room'
WHERE room_id = :room AND audience LIKE 'space:%'

-- name: close_facts
UPDATE core_facts SET audience = :closed
WHERE audience LIKE 'space:%' AND id IN (SELECT id FROM knowledge WHERE room_id = :room)

-- name: close_knowledge
UPDATE knowledge SET audience = :closed, visibility = 'room'
WHERE room_id = :room AND audience LIKE 'space:%'

-- name: close_spans
UPDATE extraction_spans SET audience = :closed
WHERE audience LIKE 'space:%' AND session_id IN (SELECT id FROM sessions WHERE room_id = :room)

-- name: close_chunks
UPDATE digest_chunks SET audience = :closed WHERE room_id = :room AND audience LIKE 'space:%'

-- name: close_memories
UPDATE memories SET audience = :closed, visibility = 'room'
WHERE room_id = :room AND audience LIKE 'space:%'

-- name: close_names
UPDATE aliases SET audience = :closed
WHERE audience LIKE 'space:%' AND memory_id IN (
    SELECT id FROM memories WHERE room_id = :room AND audience = :closed
)

-- name: close_reminders
UPDATE reminders SET audience = :closed WHERE room_id = :room AND audience LIKE 'space:%'

-- name: announce_restored
INSERT INTO index_outbox (collection, point_id)
SELECT old.store, old.id FROM memories AS new
JOIN memories AS old ON old.superseded_by = new.id
WHERE new.room_id = :room AND new.audience = :closed AND old.audience <> new.audience

-- name: restore_replaced
UPDATE memories SET
    superseded_by = NULL, superseded_at = NULL, valid_until = NULL, revision = revision + 1
WHERE superseded_by IN (SELECT id FROM memories WHERE room_id = :room AND audience = :closed)
    AND audience <> :closed

-- name: close_changes
-- What undoing a forgetting would bring back.
UPDATE forgetting_rows SET
    before = iif(before ->> 'audience' LIKE 'space:%', json_set(before, '$.audience', :closed), before),
    after = iif(after ->> 'audience' LIKE 'space:%', json_set(after, '$.audience', :closed), after)
WHERE coalesce(before, after) ->> 'room_id' = :room
    OR (tbl = 'core_facts' AND coalesce(before, after) ->> 'id' IN (
        SELECT coalesce(k.before, k.after) ->> 'id' FROM forgetting_rows AS k
        WHERE k.tbl = 'knowledge' AND coalesce(k.before, k.after) ->> 'room_id' = :room
    ))

-- name: drop_ties
DELETE FROM associations WHERE seq IN (
    SELECT a.seq FROM memories AS m
    JOIN associations AS a ON a.from_id = m.id OR a.to_id = m.id
    JOIN memories AS o ON o.id = iif(a.from_id = m.id, a.to_id, a.from_id)
    WHERE m.room_id = :room AND m.audience = :closed AND o.audience <> :closed
)

-- name: drop_proposals
DELETE FROM proposals WHERE id IN (
    SELECT p.id FROM proposals AS p
    JOIN memories AS k ON k.id = p.keep_id JOIN memories AS d ON d.id = p.drop_id
    WHERE k.audience <> d.audience AND :closed IN (k.audience, d.audience)
)
