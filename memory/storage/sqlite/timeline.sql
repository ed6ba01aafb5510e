-- name: last_seen
SELECT value FROM meta WHERE key = 'clock.last_seen'

-- name: see
INSERT INTO meta (key, value) VALUES ('clock.last_seen', CAST(:now AS TEXT))
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: jumps
SELECT before, after FROM clock_jumps ORDER BY id

-- name: add_jump
INSERT INTO clock_jumps (before, after) VALUES (:before, :after)

-- name: drop_old_jumps
DELETE FROM clock_jumps WHERE id NOT IN (SELECT id FROM clock_jumps ORDER BY id DESC LIMIT :kept)

-- name: drop_jumps
DELETE FROM clock_jumps WHERE after > :now

-- name: moments
-- Every column that says when something was; the schema names them alike.
SELECT t.name AS tbl, c.name AS col
FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type = 'INTEGER'
    AND (c.name IN ('at', 'since', 'until', 'valid_from', 'valid_until') OR c.name LIKE '%\_at' ESCAPE '\')
ORDER BY t.name, c.cid

-- name: expire_sooner
-- What was learnt in that time lasts as long as it should, from when it really was.
UPDATE memories SET expires_at = expires_at - :by WHERE expires_at IS NOT NULL AND created_at > :now

-- name: announce_unarchived
INSERT INTO index_outbox (collection, point_id)
SELECT store, id FROM memories WHERE archived_at > :now AND expires_at > :now

-- name: unarchive
UPDATE memories SET archived_at = NULL, revision = revision + 1
WHERE archived_at > :now AND expires_at > :now
