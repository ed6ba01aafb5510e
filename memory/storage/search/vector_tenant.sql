-- name: kept
SELECT key, value FROM meta WHERE key IN (:pet, :lease)

-- name: keep
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
