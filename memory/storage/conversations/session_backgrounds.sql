-- name: drop
DELETE FROM session_statements WHERE session_id = :session

-- name: choose
INSERT INTO session_statements (session_id, memory_id, position)
WITH own AS (
    SELECT m.*, m.about_person IS :person OR EXISTS (
        SELECT 1 FROM memory_subjects AS s
        WHERE s.memory_id = m.id AND +s.subject = :name COLLATE NOCASE
    ) AS names_person
    FROM memories AS m
    WHERE m.store <> 'memory' AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
        AND m.category IN ('context', 'preference', 'relation', 'connection')
        AND (m.expires_at IS NULL OR m.expires_at > :now)
        AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
), ranked AS (
    SELECT id, store, row_number() OVER (
        PARTITION BY store
        ORDER BY names_person DESC, importance DESC, access_count DESC, created_at DESC, seq DESC
    ) AS place
    FROM own WHERE category IN ('context', 'preference') OR names_person
)
SELECT :session, id, row_number() OVER (ORDER BY store DESC, place) FROM ranked
WHERE place <= iif(store = 'self', :most_self, :most_goals)

-- name: chosen
SELECT m.id, m.store, m.content FROM session_statements AS c
CROSS JOIN memories AS m ON m.id = c.memory_id
WHERE c.session_id = :session AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > :now)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY c.position
