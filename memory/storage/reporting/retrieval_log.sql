-- name: page
-- Along the primary key, newest first.
SELECT r.id, r.turn_id AS turn, r.reason, r.considered, r.tokens, r.took_ms, r.late,
    r.created_at AS at, t.speaker, t.text AS asked, t.room_id AS room, rooms.name AS room_name,
    rooms.kind AS room_kind, (
        SELECT count(*) FROM memory_retrieval_items AS i
        WHERE i.retrieval_id = r.id AND i.kept = 1
    ) AS injected
FROM memory_retrievals AS r
CROSS JOIN turns AS t ON t.id = r.turn_id
CROSS JOIN rooms ON rooms.id = t.room_id
WHERE r.id < :before
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY r.id DESC LIMIT :limit

-- name: questions
-- The latest exchanges that people began and nothing was taken back of.
SELECT t.id, t.text, t.speaker, t.person_id AS person, t.room_id AS room, t.at FROM turns AS t
WHERE t.search_text <> '' AND t.text <> '' AND t.state = 'delivered' AND EXISTS (
        SELECT 1 FROM memory_retrievals AS r
        WHERE r.turn_id = t.id AND r.reason IN ('looked up', 'switched off')
    )
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY t.seq DESC LIMIT :limit
