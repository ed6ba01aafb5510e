-- name: add
INSERT INTO memories (
    id, store, content, search_text, memory_type, category, importance, source,
    said_by, author_id, account, about_person, person_id, room_id, space, visibility, audience,
    created_at, updated_at, expires_at, valid_from, slot
) VALUES (
    :id, :store, :content, :search_text, :memory_type, :category, :importance,
    :source, :said_by, :author, :account, :about_person, :person, :room, :space, :visibility,
    :audience,    :now, :said_at, :expires_at, :said_at, :slot
) ON CONFLICT (id) DO NOTHING

-- name: add_subject
INSERT INTO memory_subjects (memory_id, position, subject, store, importance, updated_at)
SELECT id, :position, :subject, store, importance, updated_at FROM memories WHERE id = :id
ON CONFLICT DO NOTHING

-- name: add_source
INSERT INTO memory_sources (memory_id, message_id) VALUES (:id, :message) ON CONFLICT DO NOTHING

-- name: touch
UPDATE memories SET
    updated_at = max(updated_at, :said_at),
    importance = max(importance, :importance),
    expires_at = CASE
        WHEN expires_at IS NULL OR :expires_at IS NULL THEN NULL
        ELSE max(expires_at, :expires_at)
    END,
    archived_at = NULL
WHERE id = :id AND superseded_by IS NULL AND forgotten_at IS NULL

-- name: accessed
UPDATE memories SET last_accessed_at = :now, access_count = access_count + 1
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: archive
UPDATE memories SET archived_at = :now
WHERE expires_at <= :now AND archived_at IS NULL AND forgotten_at IS NULL
RETURNING id, store

-- name: known
SELECT id FROM memories WHERE id = :id

-- name: rivals
SELECT * FROM active_memories
WHERE store = :store AND audience = :audience AND id IN (SELECT value FROM json_each(:ids))
    AND (expires_at IS NULL OR expires_at > :now)

-- name: rivals_by_text
SELECT m.* FROM memories_fts AS f
JOIN active_memories AS m ON m.seq = f.rowid
WHERE memories_fts MATCH :match AND m.store = :store AND m.audience = :audience
    AND (m.expires_at IS NULL OR m.expires_at > :now)
ORDER BY +f.rank LIMIT :limit

-- name: rivals_by_slot
-- What the same person said comes first: a lively room decides more than is looked at.
SELECT * FROM active_memories
WHERE slot = :slot AND audience = :audience AND store = :store
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY author_id IS NOT :author, valid_from DESC LIMIT :limit

-- name: visible
SELECT * FROM active_memories
WHERE id IN (SELECT value FROM json_each(:ids))
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)

-- name: contradicting
-- Whose statements cannot hold beside these, as far as both are recalled in the scope.
WITH ends AS (
    SELECT k.value AS id, a.to_id AS other FROM json_each(:ids) AS k
    CROSS JOIN associations AS a ON a.from_id = k.value AND a.relation = 'contradicts'
    UNION
    SELECT k.value, a.from_id FROM json_each(:ids) AS k
    CROSS JOIN associations AS a ON a.to_id = k.value AND a.relation = 'contradicts'
)
SELECT DISTINCT ends.id, o.author_id, o.said_by FROM ends
CROSS JOIN memories AS m ON m.id = ends.id
CROSS JOIN memories AS o ON o.id = ends.other AND o.author_id IS NOT m.author_id
WHERE o.said_by IS NOT NULL AND o.superseded_by IS NULL AND o.forgotten_at IS NULL
    AND (o.expires_at IS NULL OR o.expires_at > :now)
    AND (:audiences IS NULL OR o.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY ends.id, o.said_by

-- name: gone
SELECT id, CASE
    WHEN forgotten_at IS NOT NULL THEN 'forgotten'
    WHEN superseded_by IS NOT NULL THEN 'replaced'
    ELSE 'expired'
END AS fate
FROM memories
WHERE id IN (SELECT value FROM json_each(:ids))
    AND (forgotten_at IS NOT NULL OR superseded_by IS NOT NULL OR expires_at <= :now)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: by_text
-- The best rows are chosen first: their subjects are then looked up for those only.
WITH best AS MATERIALIZED (
    SELECT m.seq, f.rank FROM memories_fts AS f
    CROSS JOIN memories AS m ON m.seq = f.rowid
    WHERE memories_fts MATCH :match AND m.store IN (SELECT value FROM json_each(:stores))
        AND (:category IS NULL OR m.category = :category)
        AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
        AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
        AND (m.expires_at IS NULL OR m.expires_at > :now)
    ORDER BY +f.rank LIMIT :limit
)
SELECT m.* FROM best CROSS JOIN active_memories AS m ON m.seq = best.seq ORDER BY best.rank

-- name: recent
SELECT * FROM active_memories
WHERE store = :store AND created_at >= :since
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY created_at DESC, seq DESC LIMIT :limit

-- name: latest
SELECT * FROM active_memories
WHERE (:store IS NULL OR store = :store)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY created_at DESC, seq DESC LIMIT :limit
