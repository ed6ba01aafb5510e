-- name: make_key
INSERT INTO meta (key, value) VALUES (:key, lower(hex(randomblob(32)))) ON CONFLICT DO NOTHING

-- name: key
SELECT value FROM meta WHERE key = :key

-- name: drop_codes
-- The open one of a person, whose next one takes its place, and all that are too old.
DELETE FROM link_codes WHERE expires_at <= :now OR person_id = :person AND used_at IS NULL

-- name: drop_tries
DELETE FROM link_tries WHERE at <= :since

-- name: offer
INSERT INTO link_codes (code, person_id, account, expires_at)
VALUES (:code, :person, :account, :expires_at)

-- name: offered
SELECT person_id FROM link_codes WHERE code = :code AND used_at IS NULL AND expires_at > :now
UNION ALL SELECT i.person_id
FROM recovery_codes AS r
JOIN identities AS i ON i.platform = r.platform AND i.external_id = r.external_id
WHERE r.code = :code

-- name: void
DELETE FROM link_codes WHERE code = :code AND used_at IS NULL

-- name: drop_recovery
DELETE FROM recovery_codes WHERE code = :code

-- name: used
UPDATE link_codes SET used_at = :now WHERE code = :code

-- name: tries
SELECT count(*) AS tries FROM link_tries WHERE account = :account AND at > :since

-- name: tried
INSERT INTO link_tries (account, at) VALUES (:account, :now)

-- name: accounts
SELECT platform, name FROM identities WHERE person_id = :person ORDER BY platform, external_id

-- name: counts
SELECT
    (SELECT count(*) FROM messages
        WHERE person_id = :person AND author_kind = 'person' AND deleted_at IS NULL) AS messages,
    (SELECT count(*) FROM turns
        WHERE person_id = :person AND (text <> '' OR reply <> '')) AS exchanges,
    (SELECT count(*) FROM active_memories
        WHERE person_id = :person OR about_person = :person) AS statements,
    (SELECT count(*) FROM core_facts
        WHERE person_id = :person AND valid_until IS NULL) AS facts,
    (SELECT count(*) FROM reminders WHERE person_id = :person AND state = 'open') AS reminders

-- name: offer_recovery
INSERT INTO recovery_codes (platform, external_id, code, created_at)
VALUES (:platform, :external_id, :code, :now)
ON CONFLICT (platform, external_id) DO UPDATE SET
    code = excluded.code, created_at = excluded.created_at

-- name: drop_unused
-- Of accounts that nothing was said from, whose browsers have forgotten them as well.
DELETE FROM recovery_codes AS r
WHERE r.created_at <= :since AND NOT EXISTS (
    SELECT 1 FROM identities AS i
    WHERE i.platform = r.platform AND i.external_id = r.external_id
)

-- name: recovered
SELECT r.platform, r.external_id, coalesce(i.name, '') AS name
FROM recovery_codes AS r
LEFT JOIN identities AS i ON i.platform = r.platform AND i.external_id = r.external_id
WHERE r.code = :code

-- name: accounts_named
SELECT platform, external_id, name FROM identities
WHERE platform = :platform AND (external_id = :named OR name = :named COLLATE NOCASE)
ORDER BY external_id
