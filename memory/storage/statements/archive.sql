-- name: latest
SELECT id, store, content, memory_type, category, expires_at, archived_at FROM memories
WHERE archived_at IS NOT NULL AND superseded_by IS NULL AND forgotten_at IS NULL
    AND (:store IS NULL OR store = :store)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY archived_at DESC, seq DESC LIMIT :limit

-- name: starting
-- Every sign of an id sorts before '~'.
SELECT id FROM memories
WHERE id >= :beginning AND id < :beginning || '~'
    AND archived_at IS NOT NULL AND superseded_by IS NULL AND forgotten_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
LIMIT 2

-- name: restore
UPDATE memories SET archived_at = NULL, expires_at = :expires_at, revision = revision + 1
WHERE id = :id AND archived_at IS NOT NULL AND superseded_by IS NULL AND forgotten_at IS NULL
RETURNING id, store, content, memory_type, category, expires_at, archived_at
