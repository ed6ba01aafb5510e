-- name: record
INSERT INTO audit_log (at, actor, action, target, detail, origin, before, after)
VALUES (:at, :actor, :action, :target, :detail, :origin, :before, :after)

-- name: page
SELECT id, at, actor, action, target, detail, origin, before, after FROM audit_log
WHERE id < :before ORDER BY id DESC LIMIT :limit
