-- name: record
INSERT INTO audit_log (at, actor, action, target, detail)
VALUES (:at, :actor, :action, :target, :detail)

-- name: latest
SELECT at, actor, action, target, detail FROM audit_log ORDER BY id DESC LIMIT :limit

-- name: before
SELECT id, at, actor, action, target, detail FROM audit_log
WHERE id < :before ORDER BY id DESC LIMIT :limit
