-- name: told
SELECT space FROM greeted_spaces
WHERE space = :space AND NOT (greeted_at < :joined AND greeted_at < :before)

-- name: take
INSERT INTO greeted_spaces (space, greeted_at) VALUES (:space, :now)
ON CONFLICT (space) DO UPDATE SET greeted_at = excluded.greeted_at
WHERE greeted_at < :joined AND greeted_at < :before
RETURNING space

-- name: give_back
DELETE FROM greeted_spaces WHERE space = :space
