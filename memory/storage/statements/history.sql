-- name: as_of
SELECT * FROM kept_memories
WHERE valid_from <= :at AND (valid_until IS NULL OR valid_until > :at)
    AND (expires_at IS NULL OR expires_at > :at)
    AND (:store IS NULL OR store = :store)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY valid_from DESC, seq DESC LIMIT :limit

-- name: called
SELECT id FROM kept_memories
WHERE id >= :beginning AND id < :beginning || '~'
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
LIMIT 2

-- name: history
-- Whatever took the place of it, and whatever it took the place of, as far as it goes.
WITH RECURSIVE chain (id) AS (
    SELECT :id
    UNION
    SELECT m.superseded_by FROM chain JOIN memories AS m ON m.id = chain.id
    WHERE m.superseded_by IS NOT NULL
    UNION
    SELECT m.id FROM chain JOIN memories AS m ON m.superseded_by = chain.id
)
SELECT m.*, m.superseded_by AS survivor, a.relation FROM chain
CROSS JOIN kept_memories AS m ON m.id = chain.id
LEFT JOIN associations AS a ON a.from_id = m.superseded_by AND a.to_id = m.id
    AND a.relation IN ('updates', 'contradicts')
WHERE :audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences))
ORDER BY m.valid_from, m.seq

-- name: months
SELECT category, strftime('%Y-%m', valid_from / 1000, 'unixepoch') AS month, count(*) AS said,
    sum(superseded_by IS NULL AND (expires_at IS NULL OR expires_at > :now)) AS holds
FROM memories
WHERE store = :store AND category IS NOT NULL AND forgotten_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
GROUP BY category, month ORDER BY month, category

-- name: latest_of_each
SELECT m.* FROM (
    SELECT id, row_number() OVER (PARTITION BY category ORDER BY valid_from DESC, seq DESC) AS place
    FROM memories
    WHERE store = :store AND category IS NOT NULL
        AND superseded_by IS NULL AND forgotten_at IS NULL
        AND (expires_at IS NULL OR expires_at > :now)
        AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
) AS l CROSS JOIN kept_memories AS m ON m.id = l.id
WHERE l.place = 1 ORDER BY m.category

-- name: replaced
SELECT old.*, survivor.content AS survivor
FROM kept_memories AS old JOIN memories AS survivor ON survivor.id = old.superseded_by
WHERE old.store = :store AND survivor.forgotten_at IS NULL
    AND (:audiences IS NULL OR (
        old.audience IN (SELECT value FROM json_each(:audiences))
        AND survivor.audience IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY old.valid_until DESC LIMIT :limit

-- name: growth
-- Of everything a store holds or held, by its category or else its type.
SELECT coalesce(category, memory_type) AS category,
    strftime('%Y-%m', valid_from / 1000, 'unixepoch') AS month, count(*) AS said,
    sum(superseded_by IS NULL AND (expires_at IS NULL OR expires_at > :now)) AS holds
FROM memories
WHERE store = :store AND forgotten_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
GROUP BY 1, 2 ORDER BY 2, 1

-- name: latest_of_type
SELECT * FROM active_memories
WHERE store = 'memory' AND memory_type = :kind
    AND (expires_at IS NULL OR expires_at > :now)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY created_at DESC LIMIT :limit

-- name: latest_of_category
SELECT * FROM active_memories
WHERE store = :store AND category = :kind
    AND (expires_at IS NULL OR expires_at > :now)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY created_at DESC LIMIT :limit

-- name: census
SELECT store, coalesce(category, memory_type) AS kind, source, CASE
    WHEN superseded_by IS NOT NULL THEN 'replaced'
    WHEN archived_at IS NOT NULL AND expires_at <= :now THEN 'archived'
    WHEN expires_at <= :now THEN 'expired'
    ELSE 'holds'
END AS state, count(*) AS statements
FROM memories
WHERE forgotten_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
GROUP BY store, kind, source, state ORDER BY store, statements DESC, kind, source, state

-- name: latest_archived
SELECT id, store, content, memory_type, category, expires_at, archived_at FROM memories
WHERE archived_at IS NOT NULL AND superseded_by IS NULL AND forgotten_at IS NULL
    AND (:store IS NULL OR store = :store)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY archived_at DESC, seq DESC LIMIT :limit

-- name: archived_starting
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
