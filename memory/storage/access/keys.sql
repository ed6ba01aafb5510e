-- name: add
INSERT INTO api_keys (token, name, rights, space, person_id, created_at, expires_at)
VALUES (:token, :name, :rights, :space, :person, :now, :expires)
RETURNING id

-- name: by_token
SELECT id, name, rights, space,
    person_id AS person, created_at, expires_at, last_used_at
FROM api_keys
WHERE token = :token AND (expires_at IS NULL OR expires_at > :now)
    AND (person_id IS NULL OR EXISTS (SELECT 1 FROM people AS p WHERE p.id = person_id))

-- name: use
UPDATE api_keys SET last_used_at = :now WHERE id = :id AND coalesce(last_used_at, 0) < :now

-- name: listed
SELECT id, name, rights, space,
    person_id AS person, created_at, expires_at, last_used_at
FROM api_keys
WHERE id < :before ORDER BY id DESC LIMIT :limit

-- name: revoke
DELETE FROM api_keys WHERE id = :id
RETURNING id, name, rights, space, person_id AS person, created_at, expires_at, last_used_at
