-- name: record
INSERT INTO audit_log (at, actor, action, target, detail, origin, before, after)
VALUES (:at, :actor, :action, :target, :detail, :origin, :before, :after)

-- name: latest
SELECT at, actor, action, target, detail, origin, before, after FROM audit_log
ORDER BY id DESC LIMIT :limit
