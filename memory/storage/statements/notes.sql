-- name: etags
SELECT path, etag FROM notes WHERE vault = :vault

-- name: pieces_of
SELECT knowledge_id FROM note_pieces
WHERE vault = :vault AND path IN (SELECT value FROM json_each(:paths))

-- name: put_note
INSERT INTO notes (vault, path, etag, state, refused, synced_at)
VALUES (:vault, :path, :etag, :state, :refused, :now)
ON CONFLICT (vault, path) DO UPDATE SET
    etag = excluded.etag, state = excluded.state, refused = excluded.refused,
    synced_at = excluded.synced_at

-- name: put_piece
INSERT INTO note_pieces (knowledge_id, vault, path, position)
VALUES (:id, :vault, :path, :position)
ON CONFLICT (knowledge_id) DO UPDATE SET position = excluded.position

-- name: drop_notes
DELETE FROM notes WHERE vault = :vault AND path IN (SELECT value FROM json_each(:paths))

-- name: other_vaults
SELECT DISTINCT vault FROM notes WHERE vault <> :vault
UNION SELECT vault FROM note_vaults WHERE vault <> :vault

-- name: drop_vault
DELETE FROM note_vaults WHERE vault = :vault

-- name: refreshed
INSERT INTO note_vaults (vault, refreshed_at) VALUES (:vault, :now)
ON CONFLICT (vault) DO UPDATE SET
    refreshed_at = excluded.refreshed_at, trouble = NULL, troubled_since = NULL

-- name: troubled
INSERT INTO note_vaults (vault, trouble, troubled_since) VALUES (:vault, :trouble, :now)
ON CONFLICT (vault) DO UPDATE SET
    trouble = excluded.trouble, troubled_since = coalesce(troubled_since, excluded.troubled_since)

-- name: vault
SELECT * FROM note_vaults WHERE vault = :vault

-- name: pieces_shown
SELECT k.id, k.title, k.content, k.at FROM note_pieces AS p
JOIN knowledge AS k ON k.id = p.knowledge_id
WHERE p.vault = :vault AND p.path = :path
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY p.position LIMIT :limit

-- name: listed
SELECT n.path, n.state, n.refused, n.synced_at, count(k.id) AS pieces, max(k.at) AS at
FROM notes AS n
LEFT JOIN note_pieces AS p ON p.vault = n.vault AND p.path = n.path
LEFT JOIN knowledge AS k ON k.id = p.knowledge_id
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))
WHERE n.vault = :vault
GROUP BY n.path ORDER BY n.path
