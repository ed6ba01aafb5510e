-- name: announce
INSERT INTO index_outbox (collection, point_id) VALUES (:collection, :id)

-- name: head
SELECT seq, collection, point_id AS id FROM index_outbox ORDER BY seq LIMIT :limit

-- name: clear
DELETE FROM index_outbox WHERE seq IN (SELECT value FROM json_each(:seqs))

-- name: waiting
SELECT count(*) AS waiting FROM index_outbox

-- name: waiting_in
SELECT DISTINCT point_id AS id FROM index_outbox
WHERE collection = :collection AND point_id BETWEEN :start AND :end

-- name: announce_live
INSERT INTO index_outbox (collection, point_id)
SELECT 'live', printf('00000000-0000-0000-%04x-%012x', id >> 48, id & 281474976710655)
FROM (
    SELECT message_id AS id FROM live_messages
    UNION
    SELECT m.id FROM messages AS m JOIN imports AS i ON i.id = m.brought_by
    WHERE m.brought_by IS NOT NULL AND m.id <= i.learnt_to AND m.handling = 'observed'
        AND m.deleted_at IS NULL
)

-- name: announce_memories
INSERT INTO index_outbox (collection, point_id)
SELECT store, id FROM active_memories

-- name: announce_turns
INSERT INTO index_outbox (collection, point_id)
SELECT 'conversations', id FROM turns WHERE state = 'delivered' AND search_text <> ''

-- name: announce_knowledge
INSERT INTO index_outbox (collection, point_id)
SELECT 'knowledge', id FROM knowledge WHERE retired_at IS NULL

-- name: live_entries
-- What no digest has read yet, and what an import brought, which none reads.
SELECT m.id, m.text, m.author, m.person_id, m.room_id, r.space, m.audience, m.sent_at,
    m.external_id
FROM json_each(:ids) AS k
JOIN messages AS m ON m.id = k.value AND m.deleted_at IS NULL
JOIN rooms AS r ON r.id = m.room_id
WHERE EXISTS (SELECT 1 FROM live_messages AS l WHERE l.message_id = m.id)
    OR (m.brought_by IS NOT NULL AND m.handling = 'observed')

-- name: memory_entries
SELECT m.* FROM active_memories AS m
WHERE m.id IN (SELECT value FROM json_each(:ids))
    AND (m.expires_at IS NULL OR m.expires_at > :now)

-- name: turn_entries
SELECT t.*, r.space FROM json_each(:ids) AS k
JOIN turns AS t ON t.id = k.value
JOIN rooms AS r ON r.id = t.room_id
WHERE t.state = 'delivered' AND t.search_text <> ''

-- name: knowledge_entries
SELECT * FROM knowledge
WHERE id IN (SELECT value FROM json_each(:ids)) AND retired_at IS NULL

-- name: live_ids
SELECT message_id AS id FROM live_messages WHERE message_id >= :start
UNION
SELECT m.id FROM messages AS m JOIN imports AS i ON i.id = m.brought_by
WHERE m.brought_by IS NOT NULL AND m.id >= :start AND m.id <= i.learnt_to
    AND m.handling = 'observed' AND m.deleted_at IS NULL
ORDER BY id LIMIT :most

-- name: memory_ids
SELECT id FROM active_memories
WHERE store = :collection AND id >= :start
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY id LIMIT :most

-- name: turn_ids
SELECT id FROM turns
WHERE state = 'delivered' AND search_text <> '' AND id >= :start
ORDER BY id LIMIT :most

-- name: knowledge_ids
SELECT id FROM knowledge
WHERE retired_at IS NULL AND id >= :start
ORDER BY id LIMIT :most

-- name: get_meta
SELECT value FROM meta WHERE key = :key

-- name: set_meta
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
