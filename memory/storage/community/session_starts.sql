-- name: last
SELECT CAST(value AS INTEGER) AS at FROM meta WHERE key = :key

-- name: keep
INSERT INTO meta (key, value) VALUES (:key, :at)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
