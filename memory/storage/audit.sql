-- name: record
INSERT INTO audit_log (at, actor, action, target, detail)
VALUES (:at, :actor, :action, :target, :detail)

-- name: latest
SELECT at, actor, action, target, detail FROM audit_log ORDER BY id DESC LIMIT :limit
