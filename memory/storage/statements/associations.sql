-- name: add
-- Both must be there with one audience; what very many things are like is tied to no more of them.
INSERT INTO associations (from_id, to_id, relation, weight, origin, created_at)
SELECT a.id, b.id, :relation, :weight, :origin, :now
FROM memories AS a JOIN memories AS b ON b.id = :to AND b.audience = a.audience
WHERE a.id = :from AND a.id <> b.id AND a.forgotten_at IS NULL AND b.forgotten_at IS NULL
    AND (SELECT count(*) FROM associations WHERE to_id = b.id AND relation = :relation) < :most_inward
    AND (SELECT count(*) FROM associations WHERE from_id = a.id AND relation = :relation) < :most_outward
ON CONFLICT (from_id, to_id, relation) DO NOTHING

-- name: inherit_outward
INSERT INTO associations (from_id, to_id, relation, weight, origin, created_at)
SELECT :by, a.to_id, a.relation, a.weight, a.origin, :now
FROM associations AS a
JOIN memories AS old ON old.id = a.from_id
JOIN memories AS survivor ON survivor.id = :by AND survivor.audience = old.audience
WHERE a.from_id = :old AND a.to_id <> :by AND a.relation NOT IN ('updates', 'contradicts')
ON CONFLICT (from_id, to_id, relation) DO NOTHING

-- name: inherit_inward
INSERT INTO associations (from_id, to_id, relation, weight, origin, created_at)
SELECT a.from_id, :by, a.relation, a.weight, a.origin, :now
FROM associations AS a
JOIN memories AS old ON old.id = a.to_id
JOIN memories AS survivor ON survivor.id = :by AND survivor.audience = old.audience
WHERE a.to_id = :old AND a.from_id <> :by AND a.relation NOT IN ('updates', 'contradicts')
ON CONFLICT (from_id, to_id, relation) DO NOTHING

-- name: around
-- The far end has the near end's audience, so that being allowed one is being allowed both.
WITH near AS MATERIALIZED (
    SELECT id, audience FROM memories
    WHERE id IN (SELECT value FROM json_each(:ids))
        AND superseded_by IS NULL AND forgotten_at IS NULL
        AND (expires_at IS NULL OR expires_at > :now)
        AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
), found AS (
    SELECT a.from_id, a.to_id, a.relation, a.weight, a.to_id AS far, near.audience
    FROM near CROSS JOIN associations AS a ON a.from_id = near.id
    UNION ALL
    SELECT a.from_id, a.to_id, a.relation, a.weight, a.from_id, near.audience
    FROM near CROSS JOIN associations AS a ON a.to_id = near.id
)
SELECT DISTINCT found.from_id AS start, found.to_id AS "end", found.relation, found.weight
FROM found CROSS JOIN memories AS m ON m.id = found.far AND m.audience = found.audience
WHERE m.superseded_by IS NULL AND m.forgotten_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > :now)
ORDER BY found.weight DESC, found.from_id, found.to_id, found.relation
LIMIT :limit

-- name: messages_behind
SELECT s.memory_id, s.message_id
FROM json_each(:ids) AS k
CROSS JOIN memory_sources AS s ON s.memory_id = k.value
JOIN memories AS m ON m.id = s.memory_id
JOIN messages AS g ON g.id = s.message_id
WHERE m.superseded_by IS NULL AND m.forgotten_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > :now) AND g.deleted_at IS NULL
    AND (:audiences IS NULL OR (
        m.audience IN (SELECT value FROM json_each(:audiences))
        AND g.audience IN (SELECT value FROM json_each(:audiences))
    ))
LIMIT :limit

-- name: walk
-- Keys only: each row is then read within its own audience.
SELECT m.seq, m.id, m.audience,
    EXISTS (SELECT 1 FROM associations WHERE from_id = m.id)
    OR EXISTS (SELECT 1 FROM associations WHERE to_id = m.id) AS is_tied
FROM memories AS m
WHERE m.seq > (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE key = :key)
ORDER BY m.seq LIMIT :limit

-- name: walked
INSERT INTO meta (key, value) VALUES (:key, CAST(:seq AS TEXT))
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: outdated
-- Everything learnt from a message, or from an exchange, was replaced or has expired.
SELECT 'live' AS collection, s.message_id AS id
FROM json_each(:messages) AS k
CROSS JOIN memory_sources AS s ON s.message_id = k.value
CROSS JOIN memories AS m ON m.id = s.memory_id AND m.forgotten_at IS NULL
GROUP BY s.message_id
HAVING sum(m.superseded_by IS NULL AND (m.expires_at IS NULL OR m.expires_at > :now)) = 0
UNION ALL
SELECT 'conversations', g.turn_id
FROM json_each(:turns) AS k
CROSS JOIN messages AS g ON g.turn_id = k.value
CROSS JOIN memory_sources AS s ON s.message_id = g.id
CROSS JOIN memories AS m ON m.id = s.memory_id AND m.forgotten_at IS NULL
GROUP BY g.turn_id
HAVING sum(m.superseded_by IS NULL AND (m.expires_at IS NULL OR m.expires_at > :now)) = 0
