-- name: offer
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

-- name: account
SELECT r.platform, r.external_id, coalesce(i.name, '') AS name
FROM recovery_codes AS r
LEFT JOIN identities AS i ON i.platform = r.platform AND i.external_id = r.external_id
WHERE r.code = :code

-- name: drop
DELETE FROM recovery_codes WHERE code = :code

-- name: accounts
SELECT platform, external_id, name FROM identities
WHERE platform = :platform AND (external_id = :named OR name = :named COLLATE NOCASE)
ORDER BY external_id
