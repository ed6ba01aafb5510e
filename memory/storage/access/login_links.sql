-- name: drop_old
DELETE FROM login_links WHERE created_at <= :since

-- name: add
INSERT INTO login_links (token, space, created_at) VALUES (:token, :space, :now)
