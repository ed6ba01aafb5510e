-- name: unembed
DELETE FROM embeddings
WHERE collection = :collection AND point_id IN (SELECT value FROM json_each(:ids))

-- name: embed
INSERT INTO embeddings (collection, point_id, fingerprint, spot, vector)
VALUES (:collection, :id, :fingerprint, :spot, :vector)
ON CONFLICT (collection, point_id, fingerprint) DO UPDATE SET
    spot = excluded.spot, vector = excluded.vector

-- name: embedded
SELECT point_id FROM embeddings
WHERE collection = :collection AND point_id IN (SELECT value FROM json_each(:ids))
    AND fingerprint = :fingerprint

-- name: others
SELECT rowid FROM embeddings
WHERE collection = :collection AND fingerprint < :fingerprint AND spot >= 0
UNION ALL
SELECT rowid FROM embeddings
WHERE collection = :collection AND fingerprint > :fingerprint AND spot >= 0
LIMIT :most

-- name: drop_rows
DELETE FROM embeddings WHERE rowid IN (SELECT value FROM json_each(:rows))

-- name: embeddings_of
SELECT point_id, vector FROM embeddings
WHERE collection = :collection AND point_id IN (SELECT value FROM json_each(:ids))
    AND fingerprint = :fingerprint

-- name: spots
-- `spot >= 0` opens the index. What has expired does not count, whether a sweep has come by or not.
SELECT e.spot FROM embeddings AS e
WHERE e.collection = :collection AND e.fingerprint = :fingerprint AND e.spot >= 0
    AND e.point_id NOT IN (
        SELECT id FROM memories
        WHERE expires_at <= :now AND archived_at IS NULL AND forgotten_at IS NULL
    )
GROUP BY e.spot ORDER BY e.spot LIMIT :size

-- name: at_spots
-- They are the lowest of the index, so all of its beginning is read, up to the last of them.
SELECT e.vector FROM embeddings AS e
WHERE e.collection = :collection AND e.fingerprint = :fingerprint
    AND e.spot >= 0 AND e.spot <= :last
    AND +e.spot IN (SELECT value FROM json_each(:spots))
GROUP BY e.spot ORDER BY e.spot
