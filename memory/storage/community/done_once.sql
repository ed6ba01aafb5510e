-- name: greeted
SELECT space FROM greeted_spaces
WHERE space = :space AND NOT (greeted_at < :joined AND greeted_at < :before)

-- name: greet
INSERT INTO greeted_spaces (space, greeted_at) VALUES (:space, :now)
ON CONFLICT (space) DO UPDATE SET greeted_at = excluded.greeted_at
WHERE greeted_at < :joined AND greeted_at < :before
RETURNING space

-- name: give_back
DELETE FROM greeted_spaces WHERE space = :space

-- name: invoke
INSERT INTO invocations (platform, external_id, taken_at) VALUES (:platform, :external_id, :now)
ON CONFLICT DO NOTHING RETURNING 1

-- name: trim
DELETE FROM invocations WHERE taken_at < :before

-- name: last_told
SELECT value FROM meta WHERE key = :key

-- name: last_begun
SELECT CAST(value AS INTEGER) AS at FROM meta WHERE key = :key

-- name: keep
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
