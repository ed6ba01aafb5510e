-- name: last_told
SELECT value FROM meta WHERE key = :key

-- name: last_begun
SELECT CAST(value AS INTEGER) AS at FROM meta WHERE key = :key

-- name: keep
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
