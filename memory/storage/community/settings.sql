-- name: kept
SELECT key, value, updated_at AS at, updated_by AS "by" FROM memory_settings ORDER BY key

-- name: keep
INSERT INTO memory_settings (key, value, updated_at, updated_by)
VALUES (:key, :value, :now, :by)
ON CONFLICT (key) DO UPDATE SET
    value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by

-- name: drop
DELETE FROM memory_settings WHERE key = :key
