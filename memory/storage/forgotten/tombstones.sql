-- name: key
SELECT value FROM meta WHERE key = :key

-- name: keys
SELECT value FROM meta WHERE key >= :key AND key < :last ORDER BY key

-- name: keep_key
INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT DO NOTHING

-- name: latest
-- When anything was last forgotten that these audiences could know, or who they are by now.
SELECT audience, forgotten_at FROM (
    SELECT k.value AS audience, (
        SELECT max(t.forgotten_at) FROM tombstones AS t WHERE t.audience = coalesce((
            SELECT survivor_audience FROM merged_people WHERE id = substr(k.value, 8) AND audience = k.value
        ), k.value)
    ) AS forgotten_at
    FROM json_each(:audiences) AS k
) WHERE forgotten_at IS NOT NULL

-- name: alike
-- What was forgotten after `at` and shares stems with a text; `at` is NULL where that is unknown.
SELECT t.content, t.stems, t.telling, count(*) AS shared
FROM json_each(:stems) AS k
CROSS JOIN tombstone_stems AS s ON s.stem = k.value
CROSS JOIN tombstones AS t ON t.id = s.tombstone_id
WHERE t.audience = coalesce((
        SELECT survivor_audience FROM merged_people WHERE id = substr(:audience, 8) AND audience = :audience
    ), :audience)
    AND (:at IS NULL OR t.forgotten_at > :at)
GROUP BY t.id

-- name: last
SELECT coalesce(max(id), 0) AS last FROM tombstones

-- name: add_tombstones
INSERT INTO tombstones (id, forgetting_id, kind, audience, content, stems, telling, forgotten_at)
VALUES (:id, :forgetting, :kind, :audience, :content, :stems, :telling, :now)

-- name: add_tombstone_stem
INSERT INTO tombstone_stems (stem, tombstone_id) VALUES (:stem, :tombstone)

-- name: remove_tombstones
DELETE FROM tombstones WHERE forgetting_id = :forgetting

-- name: message_texts
SELECT audience, text FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND author_kind <> 'pet'

-- name: memory_texts
SELECT audience, content AS text FROM memories WHERE id IN (SELECT value FROM json_each(:ids))

-- name: knowledge_texts
SELECT audience, content AS text FROM knowledge WHERE id IN (SELECT value FROM json_each(:ids))
