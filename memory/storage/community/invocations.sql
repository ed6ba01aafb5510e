-- name: take
INSERT INTO invocations (platform, external_id, taken_at) VALUES (:platform, :external_id, :now)
ON CONFLICT DO NOTHING RETURNING 1

-- name: trim
DELETE FROM invocations WHERE taken_at < :before
