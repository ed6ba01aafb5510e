-- name: unread
-- Few: the index holds only sessions with something unread.
SELECT s.id AS session, s.room_id AS room, s.last_at, s.ended_at, (
    SELECT count(*) FROM turns AS t WHERE t.session_id = s.id AND t.seq > s.extracted_to
) AS turns
FROM sessions AS s
WHERE s.last_turn > s.extracted_to
UNION
SELECT s.id, s.room_id, s.last_at, coalesce(s.ended_at, s.last_at), 0
FROM extraction_spans AS e
JOIN sessions AS s ON s.id = e.session_id
WHERE e.state = 'claimed' AND s.last_turn <= s.extracted_to
ORDER BY 3

-- name: claimed
SELECT e.session_id AS session, e.first_turn AS first, e.last_turn AS last, s.room_id AS room,
    s.person_id AS person, e.audience, e.reading
FROM extraction_spans AS e
JOIN sessions AS s ON s.id = e.session_id
WHERE e.session_id = :session AND e.state = 'claimed'
ORDER BY e.first_turn LIMIT 1

-- name: next
SELECT t.seq, t.audience, length(t.text) + length(t.reply) AS size
FROM sessions AS s
CROSS JOIN turns AS t ON t.session_id = s.id AND t.seq > s.extracted_to
WHERE s.id = :session
ORDER BY t.seq LIMIT :most

-- name: claim
INSERT INTO extraction_spans (session_id, first_turn, last_turn, audience, state)
VALUES (:session, :first, :last, :audience, 'claimed')

-- name: turns
SELECT seq, at, recalled, reply, error IS NOT NULL OR EXISTS (
    SELECT 1 FROM extraction_spans AS e
    WHERE e.session_id = :session AND e.first_turn = :first AND e.error = 'read by rules'
) AS is_by_rules
FROM turns
WHERE session_id = :session AND seq BETWEEN :first AND :last
ORDER BY seq

-- name: lines
-- What was forgotten has no words, and what says the same meets its tombstone when it is stored.
SELECT m.*, t.seq FROM turns AS t
CROSS JOIN messages AS m ON m.turn_id = t.id
WHERE t.session_id = :session AND t.seq BETWEEN :first AND :last
    AND m.author_kind = 'person' AND m.deleted_at IS NULL AND m.text <> ''
ORDER BY t.seq, m.id

-- name: room
-- What others said there before each turn, as far as its audience may know it.
SELECT m.*, t.seq FROM turns AS t
CROSS JOIN turn_room_lines AS l ON l.turn_id = t.id
CROSS JOIN messages AS m ON m.id = l.message_id
LEFT JOIN people AS p ON p.id = m.person_id
WHERE t.session_id = :session AND t.seq BETWEEN :first AND :last AND m.audience = :audience
    AND m.author_kind = 'person' AND m.deleted_at IS NULL AND m.text <> ''
    AND coalesce(p.observed, 1)
ORDER BY t.seq, m.sent_at, m.id

-- name: tools
SELECT t.seq, u.name, u.arguments, u.result, u.failed FROM turns AS t
CROSS JOIN turn_tools AS u ON u.turn_id = t.id
WHERE t.session_id = :session AND t.seq BETWEEN :first AND :last
ORDER BY t.seq, u.position

-- name: before
SELECT * FROM (
    SELECT seq, at, speaker, text, reply FROM turns
    WHERE session_id = :session AND seq < :first AND audience = :audience AND search_text <> ''
    ORDER BY seq DESC LIMIT :limit
) ORDER BY seq

-- name: stored
UPDATE extraction_spans SET state = 'stored', error = NULL
WHERE session_id = :session AND first_turn = :first AND state = 'claimed'

-- name: count_facts
UPDATE extraction_spans SET facts = :facts WHERE session_id = :session AND first_turn = :first

-- name: advance
UPDATE sessions SET extracted_to = max(extracted_to, :last) WHERE id = :session

-- name: failed
UPDATE extraction_spans SET attempts = attempts + 1, error = :error,
    state = CASE WHEN attempts + 1 >= :limit THEN 'quarantined' ELSE state END
WHERE session_id = :session AND first_turn = :first AND state = 'claimed'
RETURNING state

-- name: release
UPDATE extraction_spans SET state = 'claimed', attempts = 0 WHERE state = 'quarantined'

-- name: retry
UPDATE extraction_spans SET state = 'claimed' WHERE state = 'quarantined' AND attempts < :most

-- name: read_by_rules
-- Since the first turn that was unread when they began.
INSERT INTO meta (key, value)
SELECT 'extraction.by_rules', CAST(coalesce(min(t.at), :now) AS TEXT)
FROM sessions AS s
CROSS JOIN turns AS t ON t.session_id = s.id AND t.seq > s.extracted_to
WHERE s.last_turn > s.extracted_to
ON CONFLICT (key) DO NOTHING

-- name: read_again
UPDATE extraction_spans SET
    state = 'claimed', attempts = 0, error = 'read by rules', reading = reading + 1
WHERE state = 'stored' AND EXISTS (
    SELECT 1 FROM turns AS t
    WHERE t.session_id = extraction_spans.session_id AND t.seq = last_turn AND t.at >= :since
)

-- name: read_by_model
DELETE FROM meta WHERE key = 'extraction.by_rules' RETURNING CAST(value AS INTEGER) AS since
