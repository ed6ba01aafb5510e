-- name: add
INSERT INTO api_keys (token, name, rights, created_at, expires_at)
VALUES (:token, :name, :rights, :now, :expires)
RETURNING id

-- name: by_token
SELECT id, name, rights, created_at, expires_at, last_used_at FROM api_keys
WHERE token = :token AND (expires_at IS NULL OR expires_at > :now)

-- name: use
UPDATE api_keys SET last_used_at = :now WHERE id = :id AND coalesce(last_used_at, 0) < :now

-- name: listed
SELECT id, name, rights, created_at, expires_at, last_used_at FROM api_keys
WHERE id < :before ORDER BY id DESC LIMIT :limit

-- name: revoke
DELETE FROM api_keys WHERE id = :id RETURNING name, rights
