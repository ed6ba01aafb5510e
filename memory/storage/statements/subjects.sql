-- name: counts
-- Each count stops where it makes no difference any more.
SELECT k.value AS subject, (
    SELECT count(*) FROM (
        SELECT 1 FROM memory_subjects AS s
        CROSS JOIN memories AS m ON m.id = s.memory_id
        WHERE s.subject = k.value COLLATE NOCASE AND s.store = 'memory'
            AND m.audience = :audience
            AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
            AND (m.expires_at IS NULL OR m.expires_at > :now)
        LIMIT :most
    )
) AS known
FROM json_each(:subjects) AS k
