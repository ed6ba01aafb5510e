-- name: messages_behind
SELECT s.memory_id, s.message_id FROM memory_sources AS s
JOIN active_memories AS m ON m.id = s.memory_id
WHERE s.memory_id IN (SELECT value FROM json_each(:ids))
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (m.expires_at IS NULL OR m.expires_at > :now)

-- name: past_questions
-- The latest exchanges that people began and nothing was taken back of.
SELECT t.id AS turn, t.text, t.speaker, t.person_id AS person, t.room_id AS room, t.at
FROM turns AS t
CROSS JOIN memory_retrievals AS r ON r.turn_id = t.id
    AND r.reason IN ('looked up', 'switched off')
WHERE t.search_text <> '' AND t.text <> '' AND t.state = 'delivered'
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
    AND (NOT :injected OR EXISTS (
        SELECT 1 FROM memory_retrieval_items AS i WHERE i.retrieval_id = r.id AND i.kept = 1
    ))
ORDER BY t.seq DESC LIMIT :limit

-- name: labelled_turns
SELECT DISTINCT r.turn_id FROM memory_retrieval_items AS i
    INDEXED BY memory_retrieval_items_labelled
CROSS JOIN memory_retrievals AS r ON r.id = i.retrieval_id
WHERE i.useful IS NOT NULL AND r.turn_id IS NOT NULL
ORDER BY i.retrieval_id DESC LIMIT :limit

-- name: add
INSERT INTO evaluations (at, ranking, questions, lines, precision, helped, mrr)
VALUES (:at, :ranking, :questions, :lines, :precision, :helped, :mrr)

-- name: history
SELECT * FROM evaluations ORDER BY id

-- name: count
SELECT count(*) AS n FROM evaluations
