-- name: numbered
CREATE TABLE IF NOT EXISTS schema_migrations (number INTEGER PRIMARY KEY) STRICT

-- name: is_numbered
SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migrations'

-- name: applied
SELECT number FROM schema_migrations

-- name: number_anew
UPDATE schema_migrations
SET number = (SELECT value FROM json_each(:numbers) WHERE key = CAST(number AS TEXT))
WHERE CAST(number AS TEXT) IN (SELECT key FROM json_each(:numbers))

-- name: index_claims
CREATE INDEX IF NOT EXISTS claims_slot ON claims (slot, message_id)

-- name: objects
-- Without what SQLite makes by itself: its statistics, indexes of keys, the tables behind full
-- text, and what its command .recover could not place.
SELECT o.type, o.name, o.sql
FROM sqlite_schema AS o
JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = o.tbl_name
WHERE t.type <> 'shadow'
    AND o.name NOT LIKE 'sqlite\_%' ESCAPE '\'
    AND o.name NOT LIKE 'lost\_and\_found%' ESCAPE '\'
    AND o.name <> 'schema_migrations'
