-- name: drop_old_links
DELETE FROM login_links WHERE created_at <= :since

-- name: add_link
INSERT INTO login_links (token, space, created_at) VALUES (:token, :space, :now)

-- name: redeem
DELETE FROM login_links WHERE token = :link AND created_at > :since RETURNING space

-- name: drop_ended
DELETE FROM web_sessions WHERE created_at <= :oldest OR last_used_at <= :idle

-- name: end_former
DELETE FROM web_sessions WHERE token = :former RETURNING id

-- name: begin
INSERT INTO web_sessions (token, space, address, agent, created_at, last_used_at)
VALUES (:token, :space, :address, :agent, :now, :now)
RETURNING id

-- name: by_token
SELECT id, space, address, agent, created_at, last_used_at FROM web_sessions
WHERE token = :token AND created_at > :oldest AND last_used_at > :idle

-- name: use
UPDATE web_sessions SET last_used_at = :now, address = :address, agent = :agent
WHERE id = :id AND last_used_at < :now

-- name: listed
SELECT id, space, address, agent, created_at, last_used_at FROM web_sessions
WHERE id < :before AND created_at > :oldest AND last_used_at > :idle
ORDER BY id DESC LIMIT :limit

-- name: end
DELETE FROM web_sessions WHERE id = :id RETURNING id

-- name: end_others
DELETE FROM web_sessions WHERE id IS NOT :kept RETURNING id

-- name: ever
SELECT 1 FROM sqlite_sequence WHERE name = 'web_sessions'
