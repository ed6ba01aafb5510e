-- name: place
SELECT s.id AS session, s.person_id AS person, s.room_id AS room, s.started_at,
    CASE r.kind WHEN 'direct' THEN '' ELSE r.name END AS room_name
FROM sessions AS s JOIN rooms AS r ON r.id = s.room_id
WHERE s.id = :session

-- name: tail
SELECT * FROM turns
WHERE session_id = :session
    AND seq > (SELECT compacted_to FROM sessions WHERE id = :session)
ORDER BY seq

-- name: stretch
SELECT * FROM turns WHERE session_id = :session AND seq BETWEEN :first AND :last ORDER BY seq

-- name: unclosed
SELECT id FROM sessions
WHERE last_turn > compacted_to AND ended_at IS NOT NULL
ORDER BY ended_at LIMIT :most

-- name: unsummarised
SELECT session_id, first_seq, last_seq FROM summaries
WHERE state = 'unsummarised' AND attempts < :attempts
    AND (tried_at IS NULL OR tried_at <= :before)
ORDER BY first_seq LIMIT :most

-- name: keep
INSERT INTO summaries (
    id, session_id, level, first_seq, last_seq, state, knowledge_id, attempts, error, tokens,
    tried_at, created_at
) VALUES (
    :id, :session, :level, :first, :last, :state, :knowledge, :attempts, :error, :tokens, :now, :now
)
ON CONFLICT (id) DO UPDATE SET
    state = excluded.state,
    knowledge_id = excluded.knowledge_id,
    attempts = excluded.attempts + summaries.attempts,
    error = excluded.error,
    tokens = excluded.tokens,
    tried_at = excluded.tried_at,
    created_at = excluded.created_at

-- name: carry
-- What the exchanges that it tells of repeat, and what was told before them: it may say it too.
UPDATE knowledge SET carries = (
    SELECT json_group_array(DISTINCT c.value) FROM (
        SELECT carries FROM turns WHERE session_id = :session AND seq <= :last
        UNION ALL
        SELECT carries FROM knowledge WHERE id = :before
    ) AS told CROSS JOIN json_each(told.carries) AS c
)
WHERE id = :knowledge

-- name: move_on
UPDATE sessions SET compacted_to = max(compacted_to, :last) WHERE id = :session

-- name: roll
UPDATE summaries SET rolled_into = :into
WHERE id IN (SELECT value FROM json_each(:ids)) AND rolled_into IS NULL

-- name: standing
-- What these summaries say now; one that was opened again says nothing.
SELECT k.id, k.content FROM summaries AS s JOIN knowledge AS k ON k.id = s.knowledge_id
WHERE s.id IN (SELECT value FROM json_each(:ids))

-- name: of_session
SELECT s.*, s.session_id AS session, e.person_id AS person, f.speaker, e.room_id AS room,
    CASE r.kind WHEN 'direct' THEN '' ELSE r.name END AS room_name,
    coalesce(k.audience, f.audience) AS audience, coalesce(k.content, '') AS content,
    coalesce(k.channel, f.channel) AS channel, coalesce(k.since, f.at) AS since,
    coalesce(k.at, l.at) AS at,
    (
        SELECT count(*) FROM turns AS t JOIN messages AS m ON m.turn_id = t.id
        WHERE s.state = 'unsummarised' AND t.session_id = s.session_id
            AND t.seq BETWEEN s.first_seq AND s.last_seq AND m.deleted_at IS NULL
    ) AS messages
FROM summaries AS s
JOIN sessions AS e ON e.id = s.session_id
JOIN rooms AS r ON r.id = e.room_id
JOIN turns AS f ON f.seq = s.first_seq
JOIN turns AS l ON l.seq = s.last_seq
LEFT JOIN knowledge AS k ON k.id = s.knowledge_id
WHERE s.session_id = :session
    AND (:audiences IS NULL
        OR coalesce(k.audience, f.audience) IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR k.carries IS NULL OR k.carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(k.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY s.first_seq, s.level

-- name: sessions_before
-- Ended sessions of a person in a room whose last words were in a stretch of time, newest first.
SELECT id FROM sessions
WHERE person_id = :person AND room_id = :room AND ended_at IS NOT NULL AND id <> :session
    AND last_at >= :start AND last_at < :end
ORDER BY last_at DESC LIMIT :most

-- name: sessions_of
SELECT e.id FROM sessions AS e JOIN people AS p ON p.id = e.person_id
WHERE (:session IS NULL OR e.id = :session)
    AND (:name IS NULL OR p.name = :name COLLATE NOCASE OR p.id IN (
        SELECT person_id FROM identities WHERE name = :name COLLATE NOCASE
    ))
    AND EXISTS (SELECT 1 FROM summaries AS s WHERE s.session_id = e.id)
ORDER BY e.last_at DESC LIMIT :most

-- name: told_from
-- The checkpoints that tell of these turns, and those after them in their sessions: they were made
-- with these before them, and may say what they said.
WITH told AS (
    SELECT s.session_id, s.first_seq FROM turns AS t
    JOIN summaries AS s ON s.session_id = t.session_id AND s.level = 0
        AND t.seq BETWEEN s.first_seq AND s.last_seq
    WHERE t.id IN (SELECT value FROM json_each(:turns))
    UNION
    SELECT session_id, first_seq FROM summaries
    WHERE level = 0 AND id IN (SELECT value FROM json_each(:ids))
)
SELECT DISTINCT later.id FROM told
JOIN summaries AS later ON later.session_id = told.session_id AND later.level = 0
    AND later.first_seq >= told.first_seq

-- name: rolled_above
WITH RECURSIVE above (id) AS (
    SELECT rolled_into FROM summaries
    WHERE id IN (SELECT value FROM json_each(:ids)) AND rolled_into IS NOT NULL
    UNION
    SELECT id FROM summaries WHERE level > 0 AND id IN (SELECT value FROM json_each(:given))
    UNION
    SELECT s.rolled_into FROM above JOIN summaries AS s ON s.id = above.id
    WHERE s.rolled_into IS NOT NULL
)
SELECT id FROM above

-- name: unroll
UPDATE summaries SET rolled_into = NULL
WHERE rolled_into IN (SELECT value FROM json_each(:ids))

-- name: reopen
UPDATE summaries SET
    state = 'unsummarised', knowledge_id = NULL, attempts = 0, error = NULL, tokens = 0,
    tried_at = NULL
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: drop
DELETE FROM summaries WHERE id IN (SELECT value FROM json_each(:ids))
