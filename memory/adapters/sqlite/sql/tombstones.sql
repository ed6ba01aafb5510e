-- name: key
SELECT value FROM meta WHERE key = :key

-- name: make_key
INSERT INTO meta (key, value) VALUES (:key, lower(hex(randomblob(32)))) ON CONFLICT DO NOTHING

-- name: standing
SELECT count(*) AS stones, coalesce(max(id), 0) AS last FROM tombstones

-- name: all
SELECT audience, content, stems, telling, forgotten_at FROM tombstones

-- name: bury
INSERT INTO tombstones (forgetting_id, kind, audience, content, stems, telling, forgotten_at)
VALUES (:forgetting, :kind, :audience, :content, :stems, :telling, :now)

-- name: lift
DELETE FROM tombstones WHERE forgetting_id = :forgetting

-- name: message_texts
SELECT audience, text FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND author_kind <> 'pet'

-- name: memory_texts
SELECT audience, content AS text FROM memories WHERE id IN (SELECT value FROM json_each(:ids))

-- name: knowledge_texts
SELECT audience, content AS text FROM knowledge WHERE id IN (SELECT value FROM json_each(:ids))
