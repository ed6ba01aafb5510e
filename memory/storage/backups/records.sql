-- name: get
SELECT value FROM meta WHERE key = :key

-- name: set
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: drop
DELETE FROM meta WHERE key = :key
