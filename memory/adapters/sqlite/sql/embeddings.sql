-- name: unembed
DELETE FROM embeddings
WHERE collection = :collection AND point_id IN (SELECT value FROM json_each(:ids))

-- name: embed
INSERT INTO embeddings (collection, point_id, fingerprint, vector)
VALUES (:collection, :id, :fingerprint, :vector)
ON CONFLICT (collection, point_id) DO UPDATE SET
    fingerprint = excluded.fingerprint, vector = excluded.vector

-- name: embeddings_of
SELECT point_id, vector FROM embeddings
WHERE collection = :collection AND point_id IN (SELECT value FROM json_each(:ids))
    AND fingerprint = :fingerprint

-- name: sample
-- The plus keeps SQLite from walking the whole collection instead of these rows.
SELECT vector FROM embeddings
WHERE rowid IN (SELECT value FROM json_each(:rows))
    AND +collection = :collection AND fingerprint = :fingerprint

-- name: last_embedding
SELECT coalesce(max(rowid), 0) AS last FROM embeddings
