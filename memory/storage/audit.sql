-- name: record
INSERT INTO audit_log (at, actor, action, target, detail, origin, before, after)
VALUES (:at, :actor, :action, :target, :detail, :origin, :before, :after)

-- name: latest
SELECT id, at, actor, action, target, detail, origin, before, after FROM audit_log
ORDER BY id DESC LIMIT :limit

-- name: before
SELECT id, at, actor, action, target, detail, origin, before, after FROM audit_log
WHERE id < :before ORDER BY id DESC LIMIT :limit
