-- name: copy_into
-- Reads one state of the database while others write; free pages are not copied.
VACUUM INTO :target

-- name: in_force
SELECT id FROM forgettings WHERE state = 'forgotten' ORDER BY id

-- name: drop_previews
DELETE FROM forgettings WHERE state = 'previewed'

-- name: drop_codes
DELETE FROM link_codes

-- name: drop_tries
DELETE FROM link_tries

-- name: drop_links
DELETE FROM login_links

-- name: drop_sessions
DELETE FROM web_sessions

-- name: drop_keys
DELETE FROM api_keys

-- name: forget_after
DELETE FROM erasures WHERE seq > :last

-- name: count_from
UPDATE sqlite_sequence SET seq = :last WHERE name = 'erasures'

-- name: described
SELECT
    (SELECT value FROM meta WHERE key = 'pet.id') AS pet,
    (SELECT max(number) FROM schema_migrations) AS schema,
    (SELECT coalesce(max(seq), 0) FROM erasures) AS erasures,
    (SELECT count(*) FROM messages) AS messages,
    (SELECT count(*) FROM memories) AS memories
